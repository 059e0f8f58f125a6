// Layers and losses at the ends of a dtype's range, on six axes, and with options that are no options.
#include <cmath>

#include "core/autograd/engine.h"
#include "core/inspect/compare.h"
#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "nn/nn.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// The gradient of the sum of the gradient: it needs a graph of the backward pass.
Tensor second(const std::function<Tensor(const Tensor&)>& f, const Tensor& x) {
  const Tensor first = grad({sum(f(x))}, {x}, {.create_graph = true})[0];
  return grad({sum(first)}, {x})[0];
}

}  // namespace

TEST_CASE("act-gelu: f64 as far as it goes") {
  const Tensor x = tensor({1e100, 1e308, -1e100, -1e308, 50, -50}, DType::f64).set_requires_grad();
  const Tensor y = nn::act::gelu(x);
  CHECK(to_vector(y) == Values{1e100, 1e308, 0, 0, 50, 0});
  CHECK(to_vector(grad({sum(y)}, {x})[0]) == Values{1, 1, 0, 0, 1, 0});
}

TEST_CASE("act-softplus, act-mish, loss-bce-logits: on six axes too there are second derivatives") {
  Generator generator(1);
  const Tensor x = uniform({2, 1, 3, 1, 2, 2}, -2, 2, DType::f64, generator).set_requires_grad();
  const Tensor flat = flatten(x).detach().set_requires_grad(), target = uniform(x.shape(), 0, 1, DType::f64, generator);
  const Tensor flat_target = flatten(target);
  const auto softplus = [](const Tensor& z) { return nn::act::softplus(z); };
  const auto mish = [](const Tensor& z) { return nn::act::mish(z); };
  CHECK(equal(flatten(second(softplus, x)), second(softplus, flat)));
  CHECK(equal(flatten(second(mish, x)), second(mish, flat)));
  CHECK(equal(flatten(second([&](const Tensor& z) { return nn::bce_with_logits(z, target); }, x)),
              second([&](const Tensor& z) { return nn::bce_with_logits(z, flat_target); }, flat)));
}

TEST_CASE("norms in f16: rows of 300s, whose squares f16 does not hold, by kernel and by formula") {
  const Tensor x = full({8, 4, 16}, 300, DType::f16), none;
  Tensor uneven = x.detached_copy();
  for (int64_t i = 0; i < 8; ++i) uneven.set({i, 0, 0}, -300);
  const Tensor exact = cast(uneven, DType::f64);
  const Tensor radius = tensor(4, DType::f16), wide_radius = tensor(4, DType::f64);
  const nn::DeviationForm inside{.eps_outside = false};
  using Norm = std::function<Tensor(const Tensor&, const Tensor&)>;
  const std::pair<const char*, Norm> norms[] = {
      {"rms", [&](const Tensor& z, const Tensor&) { return nn::rms_norm(z, none, 1e-5); }},
      {"rms-noeps", [&](const Tensor& z, const Tensor&) { return nn::rms_norm_noeps(z, none); }},
      {"rms-l2", [&](const Tensor& z, const Tensor&) { return nn::rms_norm_l2(z, none, 1e-5); }},
      {"scale", [&](const Tensor& z, const Tensor& r) { return nn::scale_norm(z, r, 1e-5); }},
      {"layer", [&](const Tensor& z, const Tensor&) { return nn::layer_norm(z, {16}, none, none, 1e-5); }},
      {"layer-std", [&](const Tensor& z, const Tensor&) { return nn::layer_norm_std(z, none, none, 1e-5); }},
      {"layer-std, ε inside", [&](const Tensor& z, const Tensor&) { return nn::layer_norm_std(z, none, none, 1e-5, inside); }},
      {"scale-only", [&](const Tensor& z, const Tensor&) { return nn::scale_only_norm(z, none, 1); }},
      {"group", [&](const Tensor& z, const Tensor&) { return nn::group_norm(z, 2, none, none, 1e-5); }},
      {"instance", [&](const Tensor& z, const Tensor&) { return nn::instance_norm(z, none, none, 1e-5); }},
      {"batch", [&](const Tensor& z, const Tensor&) { return nn::batch_norm(z, none, none, 1e-5); }},
  };
  for (const auto& [name, norm] : norms) {
    INFO(name);
    const Tensor expected = norm(exact, wide_radius);
    for (const bool readable : {false, true}) {
      const FormulaOnly mode(readable);
      CHECK(difference(cast(norm(uneven, radius), DType::f64), expected, 2 * 0x1p-11) == "");
    }
  }
}

TEST_CASE("norms in f16: the graph of the backward pass is computed in f32 too") {
  Tensor x = full({2, 16}, 300, DType::f16);
  x.set({0, 0}, -300);
  x.set_requires_grad();
  const Tensor seed = cast(reshape(arange(32), {2, 16}), DType::f16);
  const auto gradient = [&](bool create_graph) {
    return grad({nn::rms_norm(x)}, {x}, {.seeds = {seed}, .create_graph = create_graph})[0].detach();
  };
  CHECK(difference(cast(gradient(true), DType::f64) * 100, cast(gradient(false), DType::f64) * 100, 8 * 0x1p-11) == "");
}

// A row of 1e-4: its variance, 1e-8, is not a number of f16.
TEST_CASE("norm-layer-std, norm-scale-only: in f16, gradients of rows too small for their variance") {
  const Tensor row = tensor({{1e-4, -1e-4, 1e-4, -1e-4}}, DType::f16), seed = tensor({{1, 2, 3, 4}});
  const auto gradient = [&](DType dtype, const auto& norm) {
    const Tensor x = cast(row, dtype).detached_copy().set_requires_grad();
    return cast(grad({norm(x)}, {x}, {.seeds = {cast(seed, dtype)}})[0], DType::f64);
  };
  const auto deviation = [](const Tensor& x) { return nn::layer_norm_std(x, {}, {}, 1e-8); };
  const auto scale = [](const Tensor& x) { return nn::scale_only_norm(x, {}, 1e-8); };
  CHECK(difference(gradient(DType::f16, deviation), gradient(DType::f64, deviation), 2e-3) == "");
  CHECK(difference(gradient(DType::f16, scale), gradient(DType::f64, scale), 2e-3) == "");
}

// Each q · k is 8 · 200² = 320000, beyond f16; its softmax is not.
TEST_CASE("attn-scaled-dot: in f16, with each option, by kernel and by formula, scores may be beyond 65504") {
  const Tensor q = full({1, 2, 1, 8}, 200, DType::f16), v = cast(reshape(arange(16), {1, 2, 1, 8}), DType::f16);
  Tensor k = q.detached_copy();
  k.set({0, 1, 0, 0}, 199);  // the second key's score is 200 / √8 less
  const Tensor mask = ones({1, 1, 2, 2}, DType::i64), bias = tensor({{0, 70}, {70, 0}}, DType::f16);
  const nn::ScaledDotOptions plain, masked{.mask = mask}, biased{.bias = bias}, capped{.softcap = 50},
      beside{.mask = mask, .sink = zeros({1}, DType::f16)};
  for (const nn::ScaledDotOptions& options : {plain, masked, biased, capped, beside}) {
    nn::ScaledDotOptions wide = options;
    if (wide.bias.defined()) wide.bias = cast(wide.bias, DType::f64);
    if (wide.sink.defined()) wide.sink = cast(wide.sink, DType::f64);
    const Tensor q64 = cast(q, DType::f64), k64 = cast(k, DType::f64), v64 = cast(v, DType::f64);
    const Tensor p = nn::attention_probabilities(q64, k64, wide), y = nn::attention(q64, k64, v64, wide);
    for (const bool readable : {false, true}) {
      const FormulaOnly mode(readable);
      CHECK(difference(cast(nn::attention_probabilities(q, k, options), DType::f64), p, 0x1p-11) == "");
      CHECK(difference(cast(nn::attention(q, k, v, options), DType::f64), y, 0x1p-11) == "");
    }
  }
}

TEST_CASE("loss-cross-entropy, loss-nll: f16 means over more rows than f16 can count") {
  const Tensor logits = zeros({70'000, 2}, DType::f16), targets = zeros({70'000}, DType::i64);
  CHECK(nn::cross_entropy(logits, targets).item() == doctest::Approx(std::log(2)).epsilon(1e-3));
  CHECK(nn::nll(nn::log_softmax(logits), targets).item() == doctest::Approx(std::log(2)).epsilon(1e-3));
}

TEST_CASE("loss-cross-entropy, loss-nll: no classes at all") {
  const Tensor none = zeros({2, 0}), targets = full({2}, -100, DType::i64);
  CHECK_THROWS_WITH_AS(nn::cross_entropy(none, targets),
                       "cross_entropy: needs at least one class along the last axis, got "
                       "shape [2, 0]",
                       ShapeError);
  CHECK_THROWS_AS(nn::nll(none, targets), ShapeError);
}

TEST_CASE("attn-scaled-dot: dropout and softcap out of range") {
  const Tensor x = zeros({1, 2, 1, 4});
  for (const double bad : {-0.1, 1.0, kNaN}) CHECK_THROWS_AS(nn::attention(x, x, x, {.dropout = bad}), ValueError);
  for (const double bad : {-1.0, kNaN}) CHECK_THROWS_AS(nn::attention(x, x, x, {.softcap = bad}), ValueError);
}

TEST_CASE("norm-layer, norm-rms and their kin: eps that is negative or NaN, as an op") {
  const Tensor x = ones({2, 4, 3}), none;
  for (const double bad : {-1e-5, kNaN}) {
    CHECK_THROWS_AS(nn::layer_norm(x, {3}, none, none, bad), ValueError);
    CHECK_THROWS_AS(nn::rms_norm(x, none, bad), ValueError);
    CHECK_THROWS_AS(nn::rms_norm_l2(x, none, bad), ValueError);
    CHECK_THROWS_AS(nn::scale_norm(x, tensor(1), bad), ValueError);
    CHECK_THROWS_AS(nn::group_norm(x, 2, none, none, bad), ValueError);
    CHECK_THROWS_AS(nn::batch_norm(x, none, none, bad), ValueError);
  }
}

TEST_CASE("pos-rope: tables that come to require a gradient after forward are refused, not passed over") {
  const Tensor x = ones({1, 2, 1, 4}).set_requires_grad();
  Tensor cosines = ones({2, 2});
  const Tensor sines = zeros({2, 2});
  const Tensor before = sum(nn::rope(x, cosines, sines, nn::RopeLayout::pairs));
  cosines.set_requires_grad();
  CHECK_THROWS_AS(before.backward(), GraphError);
  const Tensor y = sum(nn::rope(x, cosines, sines, nn::RopeLayout::pairs));
  CHECK(to_vector(grad({y}, {cosines})[0]) == Values{2, 2, 2, 2});
}
