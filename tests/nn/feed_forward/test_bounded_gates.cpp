// SwiGLU clamped, in its two forms, SiTU, and SwiGLU whose Swish has a β: other libraries' values, bounds and limits.
#include <cmath>

#include "core/autograd/engine.h"
#include "core/inspect/gradcheck.h"
#include "core/tensor/random.h"
#include "nn/feed_forward/feed_forward_table.h"
#include "nn/feed_forward/gate.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/fixture.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;
using nn::GatedUnit;

namespace {

std::string published(const std::string& name, const TensorFunction& f) { return against_pytorch(name, f, "published.safetensors"); }

Tensor unit(const GatedUnit& u, const Tensor& a, const Tensor& b) { return nn::gate(u.activation, a, u.value(b)); }

// "" when f's and v's fast paths are their formulas.
std::string verify(const GatedUnit& u, double width) {
  const TensorFunction fast = [&](const Tensors& in) { return nn::gate(u.activation, in[0], in[1]); };
  const TensorFunction formula = [&](const Tensors& in) { return nn::formula::gate(u.activation, in[0], in[1]); };
  const TensorFunction f = [&](const Tensors& in) { return u.activation(in[0]); };
  const TensorFunction by_formula = [&](const Tensors& in) { return u.activation.by_formula(in[0]); };
  return check_fused(u.name, fast, formula, {draw({3, 7}, -width, width, 1), draw({3, 7}, -2, 2, 2)}) +
         check_fused(u.name, f, by_formula, {draw({3, 7}, -width, width, 3)});
}

// "" when the derivatives of the unit by both its inputs equal differences.
std::string derivatives(const TensorFunction& f, const Tensors& inputs) {
  const GradcheckReport first = gradcheck(f, inputs), second = gradgradcheck(f, inputs);
  return (first.passed ? "" : first.text) + (second.passed ? "" : second.text);
}

// The layer of this row as a function of x, W₁, W₂, W₃.
TensorFunction layer_of(const char* row) {
  return [row](const Tensors& in) {
    const nn::LayerPtr layer = nn::feed_forwards().find(row).value({.d_model = in[0].size(-1), .d_ff = in[1].size(0)});
    auto& parts = dynamic_cast<nn::GatedFeedForward&>(*layer);
    parts.w1.weight.share(in[1]), parts.w2.weight.share(in[2]), parts.w3.weight.share(in[3]);
    return parts(in[0]);
  };
}

Tensor far_out() { return tensor({-kInfinity, -1e30, 1e30, kInfinity}); }

}  // namespace

TEST_CASE("ffn-swiglu-clamped: the fast paths are the formulas; derivatives equal differences") {
  for (const GatedUnit& u : {nn::clamped_swiglu(1.25), nn::swiglu_oai(1.25)}) {
    CAPTURE(u.name);
    CHECK(verify(u, 3) == "");
    CHECK(derivatives([&](const Tensors& in) { return unit(u, in[0], in[1]); }, {draw({3, 7}, -3, 3, 4), draw({3, 7}, -3, 3, 5)}) == "");
  }
}

TEST_CASE("ffn-swiglu-clamped: the layer's values and gradients are those of transformers' DeepSeek-V4, beyond the limits too") {
  CHECK(published("swiglu_clamped", [](const Tensors& in) { return layer_of("swiglu-clamped")({8 * in[0], in[1], in[2], in[3]}); }) == "");
}

TEST_CASE("convention-swiglu-clamp: gpt-oss has quick GELU, adds 1 to the value, and takes gate and value by turns; DeepSeek does not") {
  const GatedUnit oai = nn::swiglu_oai(), deepseek = nn::clamped_swiglu();
  const auto by_turns = [](const Tensor& h, int64_t which) { return select(reshape(h, {h.size(0), -1, 2}), -1, which); };
  CHECK(published("swiglu_oai", [&](const Tensors& in) { return unit(oai, by_turns(8 * in[0], 0), by_turns(8 * in[0], 1)); }) == "");
  // At a = 1, u = 2: σ(1.702) · 3 and σ(1) · 2.
  const Tensor a = tensor({1}, DType::f64), u = tensor({2}, DType::f64);
  CHECK(unit(oai, a, u).item() == doctest::Approx(3 / (1 + std::exp(-1.702))).epsilon(1e-14));
  CHECK(unit(deepseek, a, u).item() == doctest::Approx(2 / (1 + std::exp(-1.0))).epsilon(1e-14));
  // A third form clamps f's value, not its input: min(SiLU(a), L). The two differ by L (1 - σ(L)) at most.
  const double limit = 4, at_limit = limit / (1 + std::exp(-limit));
  CHECK(nn::clamped_swiglu(limit).activation(tensor(50, DType::f64)).item() == doctest::Approx(at_limit).epsilon(1e-14));
  CHECK(limit - at_limit == doctest::Approx(0.0719).epsilon(1e-3));
  CHECK(nn::swiglu_oai().bias == nn::FeedForwardBias::all);
  CHECK(nn::clamped_swiglu().bias == nn::FeedForwardBias::none);
}

TEST_CASE(
    "ffn-swiglu-clamped: below the limits it is SwiGLU, beyond them nothing changes and no gradient passes, but a low gate is not cut") {
  const GatedUnit u = nn::clamped_swiglu(2), oai = nn::swiglu_oai(2);
  const Tensor a = draw({40}, -2, 2, 1), b = draw({40}, -2, 2, 2);
  CHECK(difference(unit(u, a, b), nn::gate(nn::act::silu, a, b), 1e-15) == "");
  CHECK(difference(unit(oai, a, b), nn::gate(nn::act::quick_gelu, a, b + 1), 1e-15) == "");
  for (const GatedUnit& one : {u, oai}) {
    const Tensor far = tensor({-5, -2.5, 2.5, 5}, DType::f64).set_requires_grad(), plain = tensor({1, 1, 1, 1}, DType::f64);
    const Tensor gate_slope = grad({sum(one.activation(far))}, {far})[0], value_slope = grad({sum(one.value(far))}, {far})[0];
    CHECK(gate_slope.at({0}) != 0);  // from below the gate is not clamped
    CHECK(gate_slope.at({1}) != 0);
    CHECK(gate_slope.at({2}) == 0);
    CHECK(gate_slope.at({3}) == 0);
    CHECK(equal(value_slope, zeros({4}, DType::f64)));
    CHECK(one.activation(far).at({2}) == one.activation(far).at({3}));
  }
  CHECK(to_vector(u.value(tensor({-9, -1, 1, 9}))) == Values{-2, -1, 1, 2});
  CHECK(to_vector(oai.value(tensor({-9, -1, 1, 9}))) == Values{-1, 0, 2, 3});
  CHECK(to_vector(u.activation(far_out())).front() == 0);
  CHECK(max(abs(unit(u, far_out(), flip(far_out(), 0)))).item() <= 4);
}

TEST_CASE("ffn-situ: the fast paths are the formulas, and values and gradients are x-transformers'") {
  CHECK(verify(nn::situ(1.5, 3), 4) == "");
  const GatedUnit u = nn::situ(1.5, 3);
  const TensorFunction value = [&](const Tensors& in) { return u.value(in[0]); };
  CHECK(check_fused("softcap", value, [&](const Tensors& in) { return u.value.by_formula(in[0]); }, {draw({3, 7}, -6, 6, 3)}) == "");
  CHECK(published("situ", [](const Tensors& in) {
          const Tensor h = 8 * in[0], both = matmul(h, in[1], {.transpose_b = true}) + in[2];
          const int64_t n = both.size(-1) / 2;
          return unit(nn::situ(), slice(both, -1, n), slice(both, -1, 0, n));
        }) == "");
}

TEST_CASE("ffn-situ: it is SwiGLU as its limits grow, and never beyond β β'; near 0 the two are one to the third order") {
  const Tensor a = draw({40}, -3, 3, 1), b = draw({40}, -3, 3, 2);
  const Tensor swiglu = nn::gate(nn::act::silu, a, b);
  CHECK(difference(unit(nn::situ(1e5, 1e5), a, b), swiglu, 1e-8) == "");
  CHECK(max_difference(unit(nn::situ(), a, b), swiglu) > 1e-2);
  CHECK(difference(unit(nn::situ(), a / 1000, b / 1000), nn::gate(nn::act::silu, a / 1000, b / 1000), 1e-12) == "");
  CHECK(max(abs(unit(nn::situ(), far_out(), flip(far_out(), 0)))).item() <= 100);
  CHECK(to_vector(nn::situ().activation(far_out())) == Values{0, 0, 4, 4});
  CHECK(to_vector(nn::situ().value(far_out())) == Values{-25, -25, 25, 25});
  const Tensor both = tensor({0.5}, DType::f64);
  CHECK(unit(nn::situ(2, 3), both, both).item() == doctest::Approx(2 * std::tanh(0.25) / (1 + std::exp(-0.5)) * 3 * std::tanh(0.5 / 3)));
}

TEST_CASE(
    "ffn-swiglu-beta: values and gradients of x, β and the matrices are those of its formula in PyTorch, and derivatives differences") {
  const TensorFunction f = [](const Tensors& in) {
    nn::GatedFeedForward layer({.name = "learned", .activation = nn::act::silu, .trains_beta = true}, {.d_model = 4, .d_ff = 6});
    layer.w1.weight.share(in[1]), layer.w2.weight.share(in[2]), layer.w3.weight.share(in[3]), layer.beta.share(in[4]);
    return layer(in[0]);
  };
  CHECK(published("swiglu_beta", f) == "");
  const TensorFunction gate = [](const Tensors& in) { return nn::swish_gate(in[0], in[1], in[2]); };
  CHECK(derivatives(gate, {draw({3, 5}, -2, 2, 1), draw({3, 5}, -2, 2, 2), tensor(0.7, DType::f64)}) == "");
  const Tensor a = draw({3, 5}, -2, 2, 1), b = draw({3, 5}, -2, 2, 2), beta = tensor(0.7, DType::f64);
  CHECK(difference(nn::swish_gate(a, b, beta), nn::formula::swish_gate(a, b, beta), 1e-15) == "");
}

TEST_CASE("ffn-swiglu-beta: β = 1 is SwiGLU, 0 half of the bilinear layer, a large one ReGLU; β is W₁ times β and W₂ over it") {
  const auto layer = [](const char* row, std::optional<double> beta) {
    manual_seed(3);
    return nn::feed_forwards().find(row).value({.d_model = 4, .d_ff = 6, .swish_beta = beta});
  };
  const Tensor x = randn({5, 4});
  const auto y = [&](const char* row, std::optional<double> beta = {}) { return (*layer(row, beta))(x); };
  CHECK(equal(y("swiglu"), y("swiglu", 1)));
  CHECK(difference(y("swiglu-beta"), y("swiglu"), 1e-6) == "");
  CHECK(difference(y("swiglu-beta", 2.5), y("swiglu", 2.5), 1e-6) == "");
  CHECK(max_difference(y("swiglu", 2.5), y("swiglu")) > 1e-2);
  CHECK(difference(y("swiglu", 0), y("bilinear") / 2, 1e-6) == "");
  CHECK(difference(y("swiglu", 1e6), y("reglu"), 1e-5) == "");
  const nn::LayerPtr scaled = layer("swiglu", {});
  auto& parts = dynamic_cast<nn::GatedFeedForward&>(*scaled);
  parts.w1.weight.assign(2.5 * parts.w1.weight.detach());
  parts.w2.weight.assign(parts.w2.weight.detach() / 2.5);
  CHECK(difference((*scaled)(x), y("swiglu", 2.5), 1e-6) == "");
}

TEST_CASE("ffn-swiglu-beta: β starts at 1 or as the option says, is a parameter of each layer, and learns") {
  const nn::LayerPtr layer = nn::feed_forwards().find("swiglu-beta").value({.d_model = 4, .d_ff = 6, .swish_beta = 1.5});
  auto& parts = dynamic_cast<nn::GatedFeedForward&>(*layer);
  CHECK(parts.beta.item() == 1.5);
  CHECK(parts.describe() == "SwiGLU(learned)");
  CHECK(layer->parameter_count() == 3 * 4 * 6 + 1);
  CHECK(grad({sum((*layer)(randn({5, 4})))}, {parts.beta})[0].item() != 0);
  CHECK_FALSE(nn::GatedFeedForward({"SwiGLU", nn::act::silu}, {.d_model = 4, .d_ff = 6}).beta.defined());
}
