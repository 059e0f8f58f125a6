#include "nn/feed_forward/gate.h"

#include <limits>

#include "core/autograd/engine.h"
#include "core/tensor/random.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/fixture.h"

using namespace gradus;
using namespace gradus::test;

namespace {

using Gate = Tensor (*)(const Tensor& a, const Tensor& b);

Tensor draw(const Shape& shape, std::uint64_t seed) {
  Generator generator(seed);
  return uniform(shape, -4, 4, DType::f64, generator);
}

std::string verify(const std::string& name, Gate fast, Gate formula) {
  const TensorFunction f = [fast](const Tensors& in) { return fast(in[0], in[1]); };
  const TensorFunction g = [formula](const Tensors& in) { return formula(in[0], in[1]); };
  std::string wrong;
  for (const Shape& shape : {Shape{}, Shape{5}, Shape{2, 3, 4}}) {
    wrong += check_fused(fmt::format("{}{}", name, shape), f, g, {draw(shape, 1), draw(shape, 2)});
  }
  return wrong + check_fused(name + " of many", f, g, {draw({9, 1031}, 1), draw({9, 1031}, 2)}, {.differences = false});
}

std::string against_fixture(const std::string& name, Tensor (*unit)(const Tensor&, nn::GateHalf)) {
  return against_pytorch(name, [unit](const Tensors& in) { return unit(in[0], nn::GateHalf::second); },
                         "activation.safetensors");
}

}  // namespace

TEST_CASE("gates: the fast paths are their formulas") {
  CHECK(verify("sigmoid_gate", nn::sigmoid_gate, nn::formula::sigmoid_gate) == "");
  CHECK(verify("silu_gate", nn::silu_gate, nn::formula::silu_gate) == "");
  CHECK(verify("gelu_gate", nn::gelu_gate, nn::formula::gelu_gate) == "");
  CHECK(verify("gelu_tanh_gate", nn::gelu_tanh_gate, nn::formula::gelu_tanh_gate) == "");
  CHECK(verify("relu_gate", nn::relu_gate, nn::formula::relu_gate) == "");
}

TEST_CASE("ffn-swiglu-unit: values and gradients equal PyTorch's") {
  CHECK(against_pytorch("silu_gate", [](const Tensors& in) { return nn::silu_gate(in[0], in[1]); }) == "");
  CHECK(against_fixture("swiglu_unit", nn::swiglu_unit) == "");
}

TEST_CASE("ffn-glu-unit: values and gradients equal PyTorch's") { CHECK(against_fixture("glu_unit", nn::glu_unit) == ""); }
TEST_CASE("ffn-geglu-unit: values and gradients equal PyTorch's") { CHECK(against_fixture("geglu_unit", nn::geglu_unit) == ""); }

TEST_CASE("ffn-glu-unit, ffn-swiglu-unit, ffn-geglu-unit: of the projected x they are the formulas of x") {
  const Tensor x = draw({2, 3, 4}, 1), w = draw({4, 5}, 2), v = draw({4, 5}, 3), b = draw({5}, 4), c = draw({5}, 5);
  const Tensor projected = cat({matmul(x, w), matmul(x, v)}, -1);
  CHECK(difference(nn::glu_unit(projected + cat({b, c}, 0)), nn::formula::glu_unit(x, w, b, v, c), 1e-15) == "");
  CHECK(difference(nn::swiglu_unit(projected), nn::formula::swiglu_unit(x, w, v), 1e-15) == "");
  CHECK(difference(nn::geglu_unit(projected), nn::formula::geglu_unit(x, w, v), 1e-15) == "");
}

TEST_CASE("ffn-glu-unit, ffn-swiglu-unit, ffn-geglu-unit: first and second derivatives") {
  for (const auto unit : {nn::glu_unit, nn::swiglu_unit, nn::geglu_unit}) {
    for (const auto half : {nn::GateHalf::first, nn::GateHalf::second}) {
      const TensorFunction f = [=](const Tensors& in) { return unit(in[0], half); };
      CHECK(gradcheck(f, {draw({2, 6}, 7)}).passed);
      CHECK(gradgradcheck(f, {draw({2, 6}, 7)}).passed);
    }
  }
}

TEST_CASE("convention-which-half-gates: the same with the halves exchanged; otherwise apart by |u σ(v) - v σ(u)|") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Tensor u = draw({3, 5}, seed), v = draw({3, 5}, seed + 100), h = cat({u, v}, -1), exchanged = cat({v, u}, -1);
    for (const auto unit : {nn::glu_unit, nn::swiglu_unit, nn::geglu_unit}) {
      CHECK(equal(unit(h, nn::GateHalf::first), unit(exchanged, nn::GateHalf::second)));
    }
    CHECK(equal(nn::glu_unit(h), nn::glu_unit(h, nn::GateHalf::second)));  // unless said otherwise
    const Tensor apart = nn::glu_unit(h, nn::GateHalf::second) - nn::glu_unit(h, nn::GateHalf::first);
    CHECK(difference(apart, u * sigmoid(v) - v * sigmoid(u), 1e-15) == "");
    // Of SiLU only the gate's own σ is left: u v (σ(v) - σ(u)).
    const Tensor silu_apart = nn::swiglu_unit(h, nn::GateHalf::second) - nn::swiglu_unit(h, nn::GateHalf::first);
    CHECK(difference(silu_apart, u * v * (sigmoid(v) - sigmoid(u)), 1e-14) == "");
  }
}

TEST_CASE("gates: the first operand is the gate: closed at large negative values, open at large positive ones") {
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor a = tensor({-infinity, -1000, 0, 1000}), b = tensor({3, 3, 3, 3});
  CHECK(to_vector(nn::silu_gate(a, b)) == Values{0, 0, 0, 3000});
  CHECK(to_vector(nn::gelu_gate(a, b)) == Values{0, 0, 0, 3000});
  CHECK(to_vector(nn::gelu_tanh_gate(a, b)) == Values{0, 0, 0, 3000});
  CHECK(to_vector(nn::relu_gate(a, b)) == Values{0, 0, 0, 3000});
  CHECK(to_vector(nn::sigmoid_gate(a, b)) == Values{0, 0, 1.5, 3});
  CHECK(to_vector(nn::silu_gate(b, a))[1] < -2000);
}

TEST_CASE("claim-glu-keeps-a-linear-gradient-path: the gradient of the value is the gate itself, not its derivative") {
  const Tensor a = draw({40}, 3), b = draw({40}, 4).set_requires_grad();
  CHECK(equal(grad({sum(nn::silu_gate(a, b))}, {b})[0], nn::silu_gate(a, ones({40}, DType::f64))));
}

TEST_CASE("gates: errors") {
  CHECK_THROWS_WITH_AS(nn::silu_gate(zeros({2}), zeros({3})), "silu_gate: shapes differ: [2] and [3]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::bilinear_gate(zeros({2}), zeros({1})), "bilinear_gate: shapes differ: [2] and [1]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::silu_gate(tensor({1}, DType::i64), tensor({1}, DType::i64)),
                       "silu_gate: needs f32 or f64, got i64; use cast(x, DType::f32)", DTypeError);
  CHECK_THROWS_AS(nn::silu_gate(zeros({2}), zeros({2}, DType::f64)), DTypeError);
  CHECK_THROWS_WITH_AS(nn::glu_unit(zeros({2, 5})),
                       "glu_unit: needs two equal halves along the last axis, got shape [2, 5]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::geglu_unit(tensor(1)), "geglu_unit: needs two equal halves along the last axis, got shape []",
                       ShapeError);
}
