#include "nn/position/sinusoidal.h"

#include <cmath>

#include "core/options/range.h"

namespace gradus::nn {
namespace {

void check_even(int64_t width, OpName op = {}) {
  check<ValueError>(width > 0 && width % 2 == 0, "{}: the width must be positive and even, got {}", op, width);
}

}  // namespace

// #region pos-sinusoidal
Tensor formula::sine_frequencies(int64_t width, double base) {
  check_size("the width", width);
  check_range("the base", base, range::positive);
  const Tensor i = arange(0, static_cast<double>((width + 1) / 2), 1, DType::f64);
  return exp(i * (-2 * std::log(base) / static_cast<double>(width)));
}

Tensor formula::sinusoidal(const Tensor& positions, int64_t width, SineLayout layout, double base) {
  const Tensor angle = unsqueeze(cast(positions, DType::f64), -1) * sine_frequencies(width, base);  // [..., ⌈width/2⌉]
  const Tensor sines = sin(angle), cosines = cos(angle);
  const Tensor waves = layout == SineLayout::interleaved ? flatten(stack({sines, cosines}, -1), -2, -1) : cat({sines, cosines}, -1);
  return slice(waves, -1, 0, width);
}
// #endregion pos-sinusoidal

// #region pos-sinusoidal-shift
//   | sin ω(t+Δ) |   |  cos ωΔ  sin ωΔ | | sin ωt |
//   | cos ω(t+Δ) | = | -sin ωΔ  cos ωΔ | | cos ωt |      for each ω
Tensor formula::sinusoidal_shift(int64_t width, double distance, double base) {
  check_even(width);
  const Tensor angle = sine_frequencies(width, base) * distance;  // [width/2]
  const Tensor blocks = reshape(stack({cos(angle), sin(angle), -sin(angle), cos(angle)}, -1), {-1, 2, 1, 2});
  const Tensor diagonal = reshape(eye(width / 2, -1, DType::f64), {width / 2, 1, width / 2, 1});
  return reshape(blocks * diagonal, {width, width});
}
// #endregion pos-sinusoidal-shift

// #region pos-sinusoidal-dot
double formula::sinusoidal_dot(int64_t width, double distance, double base) {
  check_even(width);
  return sum(cos(sine_frequencies(width, base) * distance)).item();
}
// #endregion pos-sinusoidal-dot

SinusoidalPosition::SinusoidalPosition(const PositionOptions& o, SineLayout layout)
    : PositionEncoding("SinusoidalPosition", o), table_(formula::sinusoidal(arange(o.max_length), o.d_model, layout)) {}

double SinusoidalPosition::embedding_scale(int64_t d_model) const { return std::sqrt(static_cast<double>(d_model)); }

Tensor SinusoidalPosition::on_embedding(const Tensor& x, const Tensor& positions) { return x + rows_for(x, positions, table_); }

std::string SinusoidalPosition::describe() const { return fmt::format("SinusoidalPosition({} x {})", table_.size(0), table_.size(1)); }

}  // namespace gradus::nn
