#include "examples/ch03_feed_forward/product.h"

#include <cmath>

#include "nn/feed_forward/feed_forward_table.h"
#include "optim/adam.h"
#include "optim/schedule.h"

namespace gradus::examples {

Tensor product(const Tensor& x) { return slice(x, 1, 0, 1) * slice(x, 1, 1, 2); }
Tensor answer(nn::Layer& layer, const Tensor& x) { return slice(layer(x), 1, 0, 1); }

void learn_product(nn::Layer& layer, int64_t steps, Generator& generator) {
  optim::Adam adam(layer.named_parameters(), {});
  const optim::ScheduleOptions rate{.max_lr = 0.02, .min_lr = 1e-5, .warmup = 20, .total = steps};
  for (int64_t step = 1; step <= steps; ++step) {
    const Tensor x = uniform({64, 2}, -1, 1, DType::f32, generator);
    mean(square(answer(layer, x) - product(x))).backward();
    adam.step(optim::cosine_schedule(rate, step));
    adam.zero_grad();
  }
}

double error_within(nn::Layer& layer, double reach, Generator& generator) {
  const NoGrad off;
  const Tensor x = uniform({2000, 2}, -reach, reach, DType::f32, generator);
  return std::sqrt(mean(square(answer(layer, x) - product(x))).item());
}

std::vector<Learner> learners() {
  const auto row = [](const char* layer, int64_t d_ff) {
    return [=] { return nn::FeedForwardChoice(layer).make({.d_model = 2, .d_ff = d_ff}); };
  };
  const auto cut = [] {
    const nn::FeedForwardOptions options{.d_model = 2, .d_ff = 1, .bias = nn::FeedForwardBias::none};
    return std::make_unique<nn::FeedForward>(nn::act::identity, options);
  };
  return {{"bilinear", "gate, width 1", row("bilinear", 1)},
          {"cut", "gate cut", cut},
          {"relu", "ReLU, 64", row("relu", 64)},
          {"swiglu", "SwiGLU, 8", row("swiglu", 8)}};
}

double set_by_hand(const nn::Activation& f) {
  const Tensor w1 = tensor({{1, 0}, {-1, 0}}, DType::f64), w3 = tensor({{0, 1}, {0, 1}}, DType::f64);
  const Tensor w2 = tensor({{1, -1}, {0, 0}}, DType::f64), x = uniform({1000, 2}, -3, 3, DType::f64);
  return max(abs(slice(nn::formula::gated_feed_forward(f, x, w1, {}, w2, w3), 1, 0, 1) - product(x))).item();
}

}  // namespace gradus::examples
