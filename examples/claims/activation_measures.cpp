#include "examples/claims/activation_measures.h"

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/shared/experiment/least_time.h"
#include "nn/activation/relu.h"
#include "nn/activation/softmax.h"
#include "nn/feed_forward/feed_forward.h"

namespace gradus::examples {

double gradient_left_far_out(const nn::Activation& f, std::uint64_t seed) {
  Generator random(seed);
  const Tensor size = uniform({1000}, 5, 10, DType::f64, random), side = 2 * randint(0, 2, {1000}, random) - 1;
  const Tensor x = (size * side).set_requires_grad(), above = randn({1000}, DType::f64, random);
  const Tensor below = grad({f(x)}, {x}, {.seeds = {above}})[0];
  return std::sqrt(sum(square(below)).item() / sum(square(above)).item());
}

double time_over_leaky_relu(const nn::Activation& f, bool alone) {
  constexpr int64_t rows = 64, d = 256, hidden = 1024;
  const nn::Activation leaky = nn::act::leaky_relu();
  const Tensor x = randn({rows, alone ? hidden : d}).set_requires_grad();
  nn::FeedForward with_f(f, {.d_model = d, .d_ff = hidden}), with_leaky(leaky, {.d_model = d, .d_ff = hidden});
  const Tensor above = randn(x.shape());
  const auto work = [&](auto& y) { return [&] { grad({y(x)}, {x}, {.seeds = {above}}); }; };
  const std::vector<double> ms =
      alone ? least_milliseconds({work(f), work(leaky)}, 50) : least_milliseconds({work(with_f), work(with_leaky)}, 50);
  return ms[0] / ms[1];
}

double softmax_error(const Softmax& softmax, DType dtype, double shift, std::uint64_t seed) {
  constexpr int64_t rows = 16, classes = 10;
  Generator random(seed);
  const Tensor x = cast(randint(-8, 9, {rows, classes}, random), DType::f64) / 2;
  const std::vector<double> scores = to_vector(x), p = to_vector(softmax(cast(x + shift, dtype)));
  double error = 0;
  for (std::size_t row = 0; row < p.size(); row += classes) {
    long double z = 0;
    for (std::size_t i = row; i < row + classes; ++i) z += std::exp(static_cast<long double>(scores[i]));
    for (std::size_t i = row; i < row + classes; ++i) {
      const double off = static_cast<double>(std::abs(p[i] - std::exp(static_cast<long double>(scores[i])) / z));
      error = std::max(error, std::isnan(off) ? 1.0 : off);
    }
  }
  return error / (dtype == DType::f16 ? 0x1p-11 : dtype == DType::f32 ? 0x1p-24 : 0x1p-53);
}

}  // namespace gradus::examples
