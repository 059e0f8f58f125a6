#include "examples/support/claims/feed_forward_measures.h"

#include <cmath>

#include "core/core.h"
#include "examples/support/least_time.h"
#include "examples/support/study/deep_gradient.h"
#include "nn/feed_forward/feed_forward_table.h"
#include "nn/feed_forward/gate.h"

namespace gradus::examples {

double decades_over_tanh(const nn::Activation& f, int layers, double value_size, std::uint64_t seed) {
  const Unit linear = [&](const Tensor& a, const Tensor& b) { return nn::gate(f, a, b); };
  const Unit bent = [&](const Tensor& a, const Tensor& b) { return nn::gate(f, a, tanh(b)); };
  return std::log10(surviving_units(linear, layers, seed, value_size) /
                    surviving_units(bent, layers, seed, value_size));
}

double time_of_widths(int64_t d_model, int64_t first, int64_t second) {
  const Tensor x = randn({256, d_model});
  const auto layer = [&](int64_t width) {
    return nn::FeedForwardChoice("swiglu").make(
        {.d_model = d_model, .d_ff = width, .bias = nn::FeedForwardBias::none});
  };
  const nn::LayerPtr a = layer(first), b = layer(second);
  const auto step = [&](nn::Layer& one) { return [&] { sum(one(x)).backward(); }; };
  const std::vector<double> ms = least_milliseconds({step(*a), step(*b)}, 7);
  return ms[0] / ms[1];
}

}  // namespace gradus::examples
