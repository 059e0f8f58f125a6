// An activation of one's own, by a formula alone and with a curve, is a function, a layer and a gate like those that
// are here.
#include "core/autograd/engine.h"
#include "core/inspect/gradcheck.h"
#include "nn/activation/curve_kernels.h"
#include "nn/feed_forward/feed_forward.h"
#include "nn/feed_forward/gate.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// y = x / (1 + |x|)      dy/dx = 1 / (1 + |x|)²      (Turian, Bergstra and Bengio, 2009)
Tensor softsign_formula(const Tensor& x) { return x / (1 + abs(x)); }
struct SoftsignCurve {
  template <typename V> nn::curve::ValueAndDerivative<V> operator()(V x) const {
    using std::abs;
    const V shrink = V(1) / (V(1) + abs(x));
    return {x * shrink, shrink * shrink};
  }
};
constinit const nn::Activation softsign{"softsign", "Softsign", softsign_formula, nn::curve_kernels<SoftsignCurve>()};
constinit const nn::Activation plain_softsign{"plain_softsign", "PlainSoftsign", softsign_formula};

// y = c x²
struct ParabolaCurve {
  double c;
  template <typename V> nn::curve::ValueAndDerivative<V> operator()(V x) const {
    const V scaled = nn::curve::splat<V>(c) * x;
    return {scaled * x, V(2) * scaled};
  }
};
nn::Activation parabola(double c) {
  return {"parabola", "Parabola", [](const Tensor& x, double factor) { return factor * x * x; }, nn::curve_kernels<ParabolaCurve>(), c};
}

TensorFunction function_of(const nn::Activation& f) {
  return [f](const Tensors& in) { return f(in[0]); };
}
TensorFunction gate_of(const nn::Activation& f) {
  return [f](const Tensors& in) { return nn::gate(f, in[0], in[1]); };
}

}  // namespace

TEST_CASE("own activation: with a curve it is its formula, as a function and as a gate") {
  for (const nn::Activation& f : {softsign, parabola(0.3)}) {
    const TensorFunction formula = [&f](const Tensors& in) { return f.by_formula(in[0]); };
    const TensorFunction gate_formula = [&f](const Tensors& in) { return nn::formula::gate(f, in[0], in[1]); };
    CHECK(check_fused(f.name(), function_of(f), formula, {draw({3, 7}, -3, 3, 1)}) == "");
    CHECK(check_fused(f.name(), gate_of(f), gate_formula, {draw({3, 7}, -3, 3, 1), draw({3, 7}, -3, 3, 2)}) == "");
  }
}

TEST_CASE("own activation: by a formula alone it has values and all derivatives, as a function and as a gate") {
  const Tensor x = draw({3, 7}, -3, 3, 1), b = draw({3, 7}, -3, 3, 2);
  CHECK(equal(plain_softsign(x), softsign_formula(x)));
  CHECK(equal(nn::gate(plain_softsign, x, b), softsign_formula(x) * b));
  CHECK(gradcheck(function_of(plain_softsign), {x}).passed);
  CHECK(gradgradcheck(gate_of(plain_softsign), {x, b}).passed);
}

TEST_CASE("own activation: as a layer, inside a feed-forward layer, and in a gated one") {
  const Tensor x = cast(draw({2, 4}, -3, 3, 3), DType::f32);
  for (const nn::Activation& f : {softsign, plain_softsign, parabola(0.3)}) {
    CAPTURE(f.name());
    nn::ActivationLayer layer(f);
    CHECK(equal(layer(x), f(x)));
    CHECK(layer.parameter_count() == 0);
    nn::FeedForward feed_forward(f, {.d_model = 4, .d_ff = 6});
    CHECK(equal(feed_forward(x), feed_forward.w2(f(feed_forward.w1(x)))));
    nn::GatedFeedForward gated({"own", f}, {.d_model = 4, .d_ff = 6});
    CHECK(equal(gated(x), gated.w2(nn::gate(f, gated.w1(x), gated.w3(x)))));
  }
  CHECK(nn::ActivationLayer(softsign).describe() == "Softsign");
  CHECK(nn::ActivationLayer(parabola(0.3)).describe() == "Parabola(0.3)");
}
