// The sinusoidal encoding (Vaswani et al., 2017): a fixed wave for each dimension, added to the embedding.
#pragma once

#include "nn/position/position_encoding.h"

namespace gradus::nn {

// The order of the waves at position p: sin ω₀p, cos ω₀p, sin ω₁p, …, or first all sines, then all cosines.
enum class SineLayout { interleaved, concatenated };

namespace formula {
// The frequency ω_i = base^(-2i / width) of each pair i, f64 [⌈width/2⌉]. ValueError unless both are positive, here and below.
Tensor sine_frequencies(int64_t width, double base = 10000);

// The waves at every position p, where 2i and 2i + 1 number the dimensions:
//   PE(p, 2i) = sin ω_i p      PE(p, 2i + 1) = cos ω_i p
// positions [...], any numbers, to [..., width] in f64. An odd width has one sine more than cosines.
Tensor sinusoidal(const Tensor& positions, int64_t width, SineLayout layout = SineLayout::interleaved, double base = 10000);

// The rotation R(Δ) [width, width] of interleaved waves with PE(p + Δ) = R(Δ) PE(p) for every p, where Δ = `distance`.
// ValueError for an odd width, here and below.
Tensor sinusoidal_shift(int64_t width, double distance, double base = 10000);
// PE(p) · PE(p ± Δ) = Σ_i cos ω_i Δ for every p, where Δ = `distance`: the distance, without the direction.
double sinusoidal_dot(int64_t width, double distance, double base = 10000);
}  // namespace formula

// Adds the waves of each position to the embedding.
class SinusoidalPosition : public PositionEncoding {
 public:
  explicit SinusoidalPosition(const PositionOptions& options, SineLayout layout = SineLayout::interleaved);

  double embedding_scale(int64_t d_model) const override;                  // √d_model (Vaswani et al., 2017, section 3.4)
  Tensor on_embedding(const Tensor& x, const Tensor& positions) override;  // ValueError for one outside [0, max_length)
  void members(Members& m) override { m.buffer("table", table_, false); }
  std::string describe() const override;

 private:
  Tensor table_;  // [max_length, d_model], f64; rebuilt and never saved
};

}  // namespace gradus::nn
