// By which rule chapter 03 judges.
#include "examples/ch03_feed_forward/ablation.h"
#include "examples/ch03_feed_forward/wrong_gates.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

Contestant with(const std::vector<double>& losses) { return {.name = "some", .layer = "relu", .losses = losses}; }

}  // namespace

TEST_CASE("chapter 03: two layers are told apart by the same sign at every seed and a mean beyond the seeds' spread") {
  const Contestant baseline = with({2, 3, 5});
  const Pairs lower = pairs_of(with({1.5, 2.4, 4.6}), baseline);  // differences -0.5, -0.6, -0.4: luck of 3 nats is gone
  CHECK(lower.mean == doctest::Approx(-0.5));
  CHECK(lower.spread == doctest::Approx(0.2));
  CHECK(lower.lower == 3);
  CHECK(lower.seeds == 3);
  CHECK(lower.better());
  CHECK_FALSE(lower.worse());
  const Pairs higher = pairs_of(with({2.5, 3.6, 5.4}), baseline);
  CHECK(higher.worse());
  CHECK_FALSE(higher.better());
  const Pairs mixed = pairs_of(with({1, 2, 5.01}), baseline);  // one seed says otherwise
  CHECK_FALSE(mixed.better());
  const Pairs wide = pairs_of(with({1.99, 2.9, 4.8}), baseline);  // -0.01, -0.1, -0.2: all lower, but far apart
  CHECK(wide.lower == 3);
  CHECK_FALSE(wide.better());
  CHECK_FALSE(pairs_of(baseline, baseline).better());
  CHECK_FALSE(pairs_of(baseline, baseline).worse());
}

TEST_CASE("chapter 03: with a gate and without as many parameters") {
  for (const char* name : {"relu", "swiglu", "bilinear"})
    CHECK(layer_of(name, 24, 8)->parameter_count() == 2 * 24 * 96);  // widths 96 and 64
}

TEST_CASE("chapter 03: silu of the product is SwiGLU with a bracket misplaced") {
  const nn::FeedForwardOptions options{.d_model = 1, .d_ff = 1};
  SiLUOfProduct wrong(options);
  nn::GatedFeedForward right({"SwiGLU", nn::act::silu}, options);
  for (nn::GatedFeedForward* layer : {static_cast<nn::GatedFeedForward*>(&wrong), &right}) {
    layer->w1.weight = tensor({{2}});
    layer->w2.weight = tensor({{10}});
    layer->w3.weight = tensor({{-3}});
  }
  const Tensor x = tensor({{0.5}});  // a = 1, b = -1.5
  CHECK(right(x).item() == doctest::Approx(10 * -1.5 / (1 + std::exp(-1.0))));
  CHECK(wrong(x).item() == doctest::Approx(10 * -1.5 / (1 + std::exp(1.5))));
}
