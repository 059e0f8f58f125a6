// The sinusoidal encoding (Vaswani et al., 2017): a fixed wave for each dimension, added to the embedding.
#pragma once

#include "nn/position/position_encoding.h"

namespace gradus::nn {

// sin ω₀p, cos ω₀p, sin ω₁p, … or all sines, then all cosines: the same numbers in another order.
enum class SineLayout { interleaved, concatenated };

namespace formula {
// ω_i = base^(-2i / width) = exp(-2i · ln base / width) of each pair i, f64 [⌈width/2⌉]. 10000 is the paper's base.
Tensor sine_frequencies(int64_t width, double base = 10000);

// PE(p, 2i) = sin ω_i p, PE(p, 2i+1) = cos ω_i p: 2i and 2i+1 are dimensions, p any position, even or odd. An odd
// width ends with a sine. positions [...], any numbers, to [..., width] in f64.
Tensor sinusoidal(const Tensor& positions, int64_t width, SineLayout layout = SineLayout::interleaved,
                  double base = 10000);

// The rotation [width, width] with PE(p + Δ) = R(Δ) PE(p) for every p, of an even width, interleaved.
Tensor sinusoidal_shift(int64_t width, double distance, double base = 10000);
// PE(p) · PE(p ± Δ) = Σ_i cos ω_i Δ: a distance without a direction. Of an even width.
double sinusoidal_dot(int64_t width, double distance, double base = 10000);
}  // namespace formula

class SinusoidalPosition : public PositionEncoding {
 public:
  explicit SinusoidalPosition(const PositionOptions& options, SineLayout layout = SineLayout::interleaved);

  // √d_model (Vaswani et al., 2017, 3.4): the waves' mean square of ½ would drown an embedding that starts N(0,
  // 0.02²).
  double embedding_scale(int64_t d_model) const override;
  Tensor on_embedding(const Tensor& x, const Tensor& positions) override;  // ValueError for a place outside the table
  void members(Members& m) override { m.buffer("table", table_, false); }
  std::string describe() const override;

 private:
  Tensor table_;  // [max_length, d_model], f64; rebuilt and never saved
};

}  // namespace gradus::nn
