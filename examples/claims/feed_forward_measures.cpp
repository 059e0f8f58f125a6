#include "examples/claims/feed_forward_measures.h"

#include <cmath>

#include "core/core.h"
#include "examples/shared/experiment/least_time.h"
#include "examples/shared/study/deep_gradient.h"
#include "nn/feed_forward/feed_forward_table.h"
#include "nn/feed_forward/gate.h"

namespace gradus::examples {

double decades_over_tanh(const nn::Activation& f, int layers, bool scaled, std::uint64_t seed) {
  Generator normal(seed);
  const double keeps_size = 1 / std::sqrt(mean(square(f(randn({1 << 16}, DType::f64, normal)))).item());
  const auto left = [&](const Unit& unit) { return surviving_units({unit, layers, keeps_size, scaled}, seed); };
  return std::log10(left([&](const Tensor& a, const Tensor& b) { return nn::gate(f, a, b); }) /
                    left([&](const Tensor& a, const Tensor& b) { return nn::gate(f, a, tanh(b)); }));
}

double time_of_widths(int64_t d_model, int64_t first, int64_t second) {
  const Tensor x = randn({64, d_model});
  const auto layer = [&](int64_t width) {
    return nn::FeedForwardChoice("swiglu").make({.d_model = d_model, .d_ff = width, .bias = nn::FeedForwardBias::none});
  };
  const nn::LayerPtr a = layer(first), b = layer(second);
  const auto step = [&](nn::Layer& one) { return [&] { sum(one(x)).backward(); }; };
  const std::vector<double> ms = least_milliseconds({step(*a), step(*b)}, 15);
  return ms[0] / ms[1];
}

}  // namespace gradus::examples
