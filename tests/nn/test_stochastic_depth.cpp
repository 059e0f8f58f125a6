#include "nn/stochastic_depth.h"

#include "core/autograd/engine.h"
#include "core/tensor/random.h"
#include "nn/block/stack.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

nn::BlockOptions stack_options(double p, bool grows) {
  return {.attention = {.d_model = 4, .heads = 2, .causal = true},
          .feed_forward = {.d_model = 4, .d_ff = 6},
          .stack = {.layers = 4},
          .placement = "residual",
          .stochastic_depth = p,
          .stochastic_depth_grows = grows};
}

// The share of samples that each block of a stack passes on as they are, because it dropped both of its sublayers.
std::vector<double> passed_on(double p, bool grows) {
  manual_seed(7);
  constexpr int64_t batch = 4000;
  nn::Stack stack(stack_options(p, grows));
  std::vector<nn::Stream> trace;
  stack(randn({batch, 1, 4}), {.trace = &trace});
  std::vector<double> shares;
  for (std::size_t i = 1; i < trace.size(); ++i) {
    const Tensor moved = max(abs(trace[i].x - trace[i - 1].x), {1, 2});
    shares.push_back(sum(moved == 0).item() / batch);
  }
  return shares;
}

}  // namespace

TEST_CASE("regular-stochastic-depth: each sample is dropped whole, or divided by 1 - p; the mean stays") {
  manual_seed(1);
  constexpr int64_t batch = 10'000;
  Tensor x = ones({batch, 2, 3}).set_requires_grad();
  const Tensor y = nn::stochastic_depth(x, 0.25);
  CHECK(equal(min(y, {1, 2}), max(y, {1, 2})));  // one fate for a sample
  const Tensor first = select(select(y, 1, 0), 1, 0);
  CHECK(sum(logical_or(first == 0, first == static_cast<double>(1 / 0.75F))).item() == batch);
  CHECK(mean(first).item() == doctest::Approx(1).epsilon(4 * std::sqrt(0.25 / 0.75 / batch) / 2));  // four deviations
  sum(y).backward();
  CHECK(equal(x.grad(), y.detach()));
}

TEST_CASE("regular-stochastic-depth: p = 0 and a layer in use are the identity; p must be in [0, 1)") {
  const Tensor x = randn({3, 2});
  CHECK(nn::stochastic_depth(x, 0).same_as(x));
  for (const DType dtype : {DType::f64, DType::f16}) CHECK(nn::stochastic_depth(cast(x, dtype), 0.5).dtype() == dtype);
  nn::StochasticDepth layer(0.5);
  layer.eval();
  CHECK(layer(x).same_as(x));
  CHECK(layer.describe() == "StochasticDepth(0.5)");
  CHECK_THROWS_WITH_AS(nn::stochastic_depth(x, 1), "stochastic_depth: p must be in [0, 1), got 1", ValueError);
  CHECK_THROWS_WITH_AS(nn::StochasticDepth(-0.1), "StochasticDepth: p must be in [0, 1), got -0.1", ValueError);
}

TEST_CASE("regular-stochastic-depth: the rate grows in proportion to the block's place, up to p in the last") {
  CHECK(nn::stochastic_depth_rate(0.2, 0, 4, true) == doctest::Approx(0.05));
  CHECK(nn::stochastic_depth_rate(0.2, 3, 4, true) == 0.2);
  CHECK(nn::stochastic_depth_rate(0.2, 0, 4, false) == 0.2);
}

TEST_CASE("regular-stochastic-depth: in a stack both sublayers of a block are dropped by its rate, apart from each other") {
  const std::vector<double> growing = passed_on(0.8, true), equal_rates = passed_on(0.8, false);
  for (std::size_t i = 0; i < 4; ++i) {
    CAPTURE(i);
    const double rate = 0.2 * static_cast<double>(i + 1);
    CHECK(std::abs(growing[i] - rate * rate) < 0.03);  // four deviations of √(¼/4000)
    CHECK(std::abs(equal_rates[i] - 0.64) < 0.03);
  }
  for (const double share : passed_on(0, true)) CHECK(share == 0);
  nn::Stack stack(stack_options(0.8, true));
  stack.eval();
  const Tensor x = randn({2, 3, 4});
  CHECK(equal(stack(x), stack(x)));
}
