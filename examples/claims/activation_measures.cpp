#include "examples/claims/activation_measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/shared/experiment/least_time.h"
#include "examples/shared/study/deep_net.h"
#include "nn/activation/relu.h"
#include "nn/activation/softmax.h"
#include "nn/feed_forward/feed_forward.h"
#include "nn/loss/cross_entropy.h"

namespace gradus::examples {
namespace {

constexpr std::uint64_t kTuning = 500;  // between the seed of a run and that of a rate's trial
const std::vector<double> kRates{0.003, 0.01, 0.03, 0.1, 0.3, 1};

double held_out_loss(const DeepNet& shape, std::uint64_t seed) {
  const Digits digits = read_digits();
  nn::Sequential net = trained(shape, digits, seed);
  const NoGrad off;
  const double loss = nn::cross_entropy(net(flatten(digits.held_out.images, 1)), digits.held_out.labels).item();
  return std::isfinite(loss) ? loss : std::log(10.0);
}

DeepNet at_best_rate(Lab& lab, DeepNet shape) {
  std::vector<Where> trials;
  for (const double rate : kRates) {
    trials.push_back({{"f", shape.f.name()},
                      {"hidden layers", fmt::format("{}", shape.layers)},
                      {"rate", fmt::format("{}", rate)}});
  }
  const Evidence losses = lab.each(trials, [&](const Where& where, std::uint64_t seed) {
    DeepNet trial = shape;
    trial.rate = std::stod(level(where, "rate"));
    return held_out_loss(trial, seed + kTuning);
  });
  const auto mean = [](const Condition& c) { return spread_of(c.values).mean; };
  const auto best =
      std::min_element(losses.begin(), losses.end(), [&](const auto& a, const auto& b) { return mean(a) < mean(b); });
  shape.rate = std::stod(level(best->where, "rate"));
  return shape;
}

}  // namespace

double gradient_left_far_out(const nn::Activation& f, std::uint64_t seed) {
  Generator random(seed);
  const Tensor size = uniform({1000}, 5, 10, DType::f64, random), side = 2 * randint(0, 2, {1000}, random) - 1;
  const Tensor x = (size * side).set_requires_grad(), above = randn({1000}, DType::f64, random);
  const Tensor below = grad({f(x)}, {x}, {.seeds = {above}})[0];
  return std::sqrt(sum(square(below)).item() / sum(square(above)).item());
}

Evidence digit_losses(Lab& lab, const nn::Activation& first, const nn::Activation& second,
                      const std::vector<int>& hidden_layers) {
  Evidence evidence;
  for (const int layers : hidden_layers) {
    const DeepNet a = at_best_rate(lab, {.f = first, .layers = layers}),
                  b = at_best_rate(lab, {.f = second, .layers = layers});
    const Where where{{"network", fmt::format("digits, hidden layers {}", layers)}};
    const Evidence both = lab.each({where}, "f", {first.name(), second.name()}, [&](const Where&, std::uint64_t seed) {
      return std::vector{held_out_loss(a, seed), held_out_loss(b, seed)};
    });
    const auto arm = [&](std::size_t i) { return Arm{level(both[i].where, "f"), both[i].values, std::log(10.0)}; };
    evidence.push_back(compared(where, arm(0), arm(1)));
  }
  return evidence;
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
