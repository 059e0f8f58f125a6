// The chapters' tapes against numbers on paper.
#include "examples/shared/study/tapes.h"

#include <algorithm>

#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

// The gradient that the walk completed at the tensor of this name.
std::vector<double> gradient(const inspect::Trace& trace, const std::string& name) {
  for (const inspect::Visit& visit : trace.walk) {
    if (trace.tensor(visit.tensor).name == name) return visit.gradient.all;
  }
  return {};
}

void check_gradient(const inspect::Trace& trace, const std::string& name, const std::vector<double>& expected) {
  CAPTURE(trace.title + ": " + name);
  const std::vector<double> found = gradient(trace, name);
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) CHECK(std::abs(found[i] - expected[i]) < 1e-12);
}

}  // namespace

TEST_CASE("tapes: the scores' gradient is probabilities minus target") {
  check_gradient(softmax_tape(), "x", {1.0 / 6, 2.0 / 6, 3.0 / 6 - 1});
}

TEST_CASE("tapes: the weights into a dead unit, and out of it, get no gradient") {
  const inspect::Trace trace = dead_unit_tape();
  check_gradient(trace, "W", {-0.25, -0.25, 0, 0});
  check_gradient(trace, "v", {-0.75, 0});
}

TEST_CASE("tapes: the two ways of a gate") {
  const auto silu = [](double a) { return a / (1 + std::exp(-a)); };
  const auto slope = [](double a) {
    const double s = 1 / (1 + std::exp(-a));
    return s + a * s * (1 - s);
  };
  const inspect::Trace trace = swiglu_tape();
  check_gradient(trace, "a", {1 * slope(-1), 2 * slope(0), 3 * slope(1), 4 * slope(2)});
  check_gradient(trace, "b", {silu(-1), silu(0), silu(1), silu(2)});
}

TEST_CASE("tapes: RMSNorm of 1, 2, 2, 4 as in the example by hand") {
  const inspect::Trace trace = rms_norm_tape();
  check_gradient(trace, "x", {0.384, -0.032, 0.768, -0.464});
  check_gradient(trace, "γ", {0.4, 0, 0.8, -1.6});
}

TEST_CASE("tapes: a word that occurs twice gathers both of its places") {
  check_gradient(learned_positions_tape(), "words", {2 * 1.2, 0, 0, 0, 2 * (1.1 + 1.3), 2 * (1.0 + 1.0)});
}

TEST_CASE("tapes: an unused place gets zero") {
  check_gradient(learned_positions_tape(), "places", {2 * 1.1, 2 * 1, 2 * 1.2, 0, 2 * 1.3, 2 * 1, 0, 0});
}

TEST_CASE("tapes: RoPE's score depends on the distance, 1, and so does its gradient") {
  const double c = std::cos(1), s = std::sin(1);
  const inspect::Trace trace = rope_tape();
  check_gradient(trace, "q", {0.6 * c + 0.8 * s, -0.6 * s + 0.8 * c});  // R(1 − 2) k
  check_gradient(trace, "k", {c, s});                                   // R(2 − 1) q
}

TEST_CASE("tapes: attention's values get the weights that fell on them, its keys what sums to nothing") {
  const inspect::Trace trace = attention_tape();
  check_gradient(trace, "v", {1 + 1.0 / 3 + 1.0 / 6, 2.0 / 3 + 2.0 / 6, 3.0 / 6});
  // p ⊙ (v − y) of each query: outputs 6, 10, 14.
  check_gradient(trace, "k", {-4.0 / 3 - 8.0 / 6, 2 * 2.0 / 3 - 2 * 2.0 / 6, 4 * 3.0 / 6});
}

TEST_CASE("tapes: at ε = 0 the norm of two numbers is ±1, so the identity alone carries the gradient down") {
  check_gradient(placement_tape(), "x", {1, 0});
  check_gradient(placement_tape(), "after block 1", {1, 0});
}

TEST_CASE("tapes: the banana's gradient at its usual start") { check_gradient(banana_tape(), "x", {-2 * 2.2 + 400 * 1.2 * -0.44}); }

TEST_CASE("tapes: models come with their modules, and a tied table with both of its ways") {
  const inspect::Trace trace = language_model_tape();
  const auto has = [&](const std::string& path) {
    return std::any_of(trace.modules.begin(), trace.modules.end(), [&](const auto& call) { return call.path == path; });
  };
  CHECK(has("blocks.0"));
  std::int64_t ways = 0;
  for (const inspect::Visit& visit : trace.walk) {
    for (const inspect::Delivery& delivery : visit.deliveries) ways += trace.tensor(delivery.to).name == "embedding.weight";
  }
  CHECK(ways == 2);
  CHECK(encoder_decoder_tape().modules.size() > 10);
}
