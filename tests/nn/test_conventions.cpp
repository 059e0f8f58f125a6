// Conventions in which sources quietly differ, and clarifications, where they are of no one layer's tests.
#include <cmath>

#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "nn/activation/softmax.h"
#include "nn/block/deep_norm.h"
#include "nn/norm/layer_norm.h"
#include "nn/position/sinusoidal.h"
#include "nn/sequential.h"
#include "tests/nn/block/function_layer.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// A step of a row of the table around f, with this norm; the identity, if there is none.
Tensor step(const char* row, nn::StackShape stack, const Tensor& x, nn::Layer& f, bool with_norm) {
  const auto norm = [&]() -> nn::LayerPtr {
    if (with_norm) return std::make_unique<nn::LayerNorm>(Shape{x.size(-1)});
    return std::make_unique<nn::Sequential>();
  };
  const nn::PlacementPtr placement = nn::placements().find(row).value(
      {.make_norm = norm, .d_model = x.size(-1), .sublayers = {nn::SublayerKind::feed_forward}, .stack = stack});
  return (*placement)({x}, {f}).x;
}

struct TableOwner : nn::Module {
  explicit TableOwner(bool is_saved) : saved(is_saved) {}
  void members(nn::Members& m) override { m.buffer("table", table, saved); }
  Tensor table = nn::formula::sinusoidal(arange(9), 6);
  bool saved;
};

}  // namespace

TEST_CASE("convention-deepnorm-alpha: published α = (2N)^¼, β = (8N)^-¼; of GLM the square of that α, and β = 1/α") {
  const Tensor x = tensor({1, -2, 3}), f = tensor({10, 20, 40});
  for (const int64_t layers : {1, 8, 50}) {
    const auto n = static_cast<double>(layers);
    const nn::DeepNormScale published = nn::deep_norm_scale({layers}), glm = nn::glm_deep_norm_scale({layers});
    CHECK(published.alpha == doctest::Approx(std::sqrt(std::sqrt(2 * n))).epsilon(1e-14));
    CHECK(published.beta == doctest::Approx(1 / std::sqrt(std::sqrt(8 * n))).epsilon(1e-14));
    CHECK(glm.alpha == doctest::Approx(published.alpha * published.alpha).epsilon(1e-14));
    CHECK(glm.beta == doctest::Approx(1 / std::sqrt(2 * n)).epsilon(1e-14));
    // The stream that the two hand to their norm differs by exactly (α² - α) x.
    FunctionLayer given([&](const Tensor&) { return f; });
    const auto before_norm = [&](const char* row) { return step(row, {layers}, x, given, false); };
    CHECK(difference(before_norm("deepnorm"), std::pow(2 * n, 0.25) * x + f, 1e-6) == "");
    CHECK(difference(before_norm("deepnorm-glm"), std::pow(2 * n, 0.5) * x + f, 1e-6) == "");
  }
}

TEST_CASE(
    "convention-buffer-saved-or-rebuilt: a saved table is in the checkpoint and is rounded by to(), a rebuilt one "
    "not") {
  TableOwner saved(true), rebuilt(false);
  const Tensor exact = saved.table.detached_copy();
  REQUIRE(saved.state_dict().size() == 1);
  CHECK(saved.state_dict()[0].name == "table");
  CHECK(rebuilt.state_dict().empty());
  for (const DType dtype : {DType::f16, DType::f64}) {  // there and back
    saved.to(dtype);
    rebuilt.to(dtype);
  }
  CHECK(equal(rebuilt.table, exact));
  CHECK(equal(saved.table, cast(cast(exact, DType::f16), DType::f64)));
  CHECK(max_difference(saved.table, exact) > 1e-5);
  // The one takes what a checkpoint has, the other finds a checkpoint that has it to be of another model.
  const nn::NamedTensors checkpoint{{"table", 2 * exact}};
  saved.load_state_dict(checkpoint);
  CHECK(equal(saved.table, 2 * exact));
  CHECK_THROWS_AS(rebuilt.load_state_dict(checkpoint), ValueError);
  CHECK(rebuilt.load_state_dict(checkpoint, {.strict = false}) == std::vector<std::string>{"unexpected table"});
  CHECK(equal(rebuilt.table, exact));
  // A table for longer sequences is no matter where it is rebuilt, and another shape where it is saved.
  const nn::NamedTensors longer{{"table", nn::formula::sinusoidal(arange(20), 6)}};
  CHECK_THROWS_AS(saved.load_state_dict(longer), ValueError);
}

TEST_CASE("act-softmax, erratum-16: e^x / Σ e^x is right, and overflows where softmax does not") {
  const auto naive = [](const Tensor& x) { return exp(x) / sum(exp(x), -1, true); };
  Generator generator(3);
  const Tensor x = uniform({4, 7}, -5, 5, DType::f64, generator);
  CHECK(difference(nn::softmax(x), naive(x), 1e-15) == "");
  for (const auto& [dtype, most] : {std::pair{DType::f16, 12.0}, {DType::f32, 89.0}, {DType::f64, 710.0}}) {
    CAPTURE(dtype);
    const Tensor large = tensor({most, most - 1}, dtype), below = large - (dtype == DType::f16 ? 2.0 : 3.0);
    CHECK(isnan(naive(large)).at({0}) == 1);  // ∞ / ∞
    CHECK(sum(isfinite(naive(below))).item() == 2);
    for (const bool readable : {false, true}) {
      const FormulaOnly mode(readable);
      CHECK(nn::softmax(large).at({0}) == doctest::Approx(1 / (1 + std::exp(-1.0))).epsilon(1e-3));
      CHECK(nn::softmax(large).at({1}) == doctest::Approx(1 / (1 + std::exp(1.0))).epsilon(2e-3));
    }
  }
}

TEST_CASE("block-post, block-pre, erratum-20: add & norm is LN(x + f(x)), post-norm; x + f(LN(x)), pre-norm, is another") {
  const Tensor x = tensor({{3, -1, 2, 7}, {0, 1, 0, -5}});
  FunctionLayer f([](const Tensor& in) { return sin(in); });
  const auto norm = [](const Tensor& in) {
    const Tensor centred = in - mean(in, -1, true);
    return centred / sqrt(mean(square(centred), -1, true) + 1e-5);
  };
  const Tensor post = step("post", {}, x, f, true), pre = step("pre", {}, x, f, true);
  CHECK(difference(post, norm(x + sin(x)), 1e-6) == "");
  CHECK(difference(pre, x + sin(norm(x)), 1e-6) == "");
  CHECK(max(abs(mean(post, -1))).item() < 1e-6);  // added, then normed: its mean is 0; the other's is the stream's
  CHECK(min(abs(mean(pre, -1))).item() > 0.1);
}
