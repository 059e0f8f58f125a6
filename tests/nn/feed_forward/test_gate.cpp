#include "core/inspect/gradcheck.h"
#include "nn/feed_forward/gate.h"

#include <limits>

#include "core/autograd/engine.h"
#include "core/tape/node.h"
#include "nn/activation/elu.h"
#include "nn/activation/gelu.h"
#include "nn/activation/hard.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/softmax.h"
#include "nn/activation/swish.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/fixture.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;
namespace act = gradus::nn::act;

namespace {

Tensor points(const Shape& shape, std::uint64_t seed) { return draw(shape, -4, 4, seed); }

std::string verify_gate(const nn::Activation& f) {
  const TensorFunction fast = [f](const Tensors& in) { return nn::gate(f, in[0], in[1]); };
  const TensorFunction formula = [f](const Tensors& in) { return nn::formula::gate(f, in[0], in[1]); };
  const std::string name = fmt::format("gate({})", f.name());
  std::string wrong;
  for (const Shape& shape : {Shape{}, Shape{5}, Shape{2, 3, 4}}) {
    wrong += check_fused(fmt::format("{}{}", name, shape), fast, formula, {points(shape, 1), points(shape, 2)});
  }
  if (std::string_view(f.name()).substr(0, 4) == "hard") return wrong;  // of many x + 3, f16 rounds one onto a kink
  const Tensors many{points({9, 1031}, 1), points({9, 1031}, 2)};
  return wrong + check_fused(name + " of many", fast, formula, many, {.differences = false});
}

std::string against_fixture(const std::string& name, const nn::Activation& f) {
  return against_pytorch(name, [f](const Tensors& in) { return nn::gated_unit(f, in[0], nn::GateHalf::second); }, "activation.safetensors");
}

const nn::Activation kUnits[] = {act::sigmoid, act::silu, act::gelu};  // of GLU, SwiGLU and GeGLU

}  // namespace

TEST_CASE("gates: the fast paths are their formulas") {
  const nn::Activation all[] = {
      act::sigmoid,  act::tanh,        act::softplus,  act::relu, act::relu2,      act::relu6, act::selu, act::leaky_relu(0.3),
      act::elu(0.7), act::hardsigmoid, act::hardswish, act::silu, act::swish(1.7), act::mish,  act::gelu, act::gelu_tanh};
  for (const nn::Activation& f : all) CHECK(verify_gate(f) == "");
}

TEST_CASE("gates: one node on the tape") {
  const Tensor a = points({3, 4}, 1).set_requires_grad(), b = points({3, 4}, 2);
  const Tensor y = nn::gate(act::silu, a, b);
  CHECK(y.node()->name() == std::string("gate"));
  CHECK(y.node()->input(0).is_leaf());
}

TEST_CASE("gates: without a kernel the gate is its formula") {
  const Tensor a = points({3, 4}, 1), b = points({3, 4}, 2);
  CHECK(equal(nn::gate(act::identity, a, b), a * b));  // bilinear
  CHECK(equal(nn::gate(act::softmax, a, b), nn::softmax(a) * b));
}

TEST_CASE("ffn-swiglu-unit: values and gradients equal PyTorch's") {
  CHECK(against_pytorch("silu_gate", [](const Tensors& in) { return nn::gate(act::silu, in[0], in[1]); }) == "");
  CHECK(against_fixture("swiglu_unit", act::silu) == "");
}

TEST_CASE("ffn-glu-unit: values and gradients equal PyTorch's") { CHECK(against_fixture("glu_unit", act::sigmoid) == ""); }

TEST_CASE("ffn-geglu-unit: values and gradients equal PyTorch's") { CHECK(against_fixture("geglu_unit", act::gelu) == ""); }

TEST_CASE("ffn-glu-unit, ffn-swiglu-unit, ffn-geglu-unit: of the projected x they are the formulas of x") {
  const Tensor x = points({2, 3, 4}, 1), w = points({4, 5}, 2), v = points({4, 5}, 3), b = points({5}, 4), c = points({5}, 5);
  const Tensor projected = cat({matmul(x, w), matmul(x, v)}, -1);
  CHECK(difference(nn::gated_unit(act::sigmoid, projected + cat({b, c}, 0)), nn::formula::gated_unit(act::sigmoid, x, w, b, v, c), 1e-15) ==
        "");
  for (const nn::Activation& f : {act::silu, act::gelu}) {
    CHECK(difference(nn::gated_unit(f, projected), nn::formula::gated_unit(f, x, w, {}, v, {}), 1e-15) == "");
  }
}

TEST_CASE("ffn-glu-unit, ffn-swiglu-unit, ffn-geglu-unit: first and second derivatives") {
  for (const nn::Activation& f : kUnits) {
    for (const auto half : {nn::GateHalf::first, nn::GateHalf::second}) {
      const TensorFunction unit = [=](const Tensors& in) { return nn::gated_unit(f, in[0], half); };
      CHECK(gradcheck(unit, {points({2, 6}, 7)}).passed);
      CHECK(gradgradcheck(unit, {points({2, 6}, 7)}).passed);
    }
  }
}

TEST_CASE("convention-which-half-gates: the same with the halves exchanged; otherwise apart by |u σ(v) - v σ(u)|") {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Tensor u = points({3, 5}, seed), v = points({3, 5}, seed + 100);
    const Tensor h = cat({u, v}, -1), exchanged = cat({v, u}, -1);
    for (const nn::Activation& f : kUnits) {
      CHECK(equal(nn::gated_unit(f, h, nn::GateHalf::first), nn::gated_unit(f, exchanged, nn::GateHalf::second)));
    }
    const auto unit = [&](const nn::Activation& f, nn::GateHalf half) { return nn::gated_unit(f, h, half); };
    CHECK(equal(nn::gated_unit(act::sigmoid, h), unit(act::sigmoid, nn::GateHalf::second)));  // unless said otherwise
    const Tensor apart = unit(act::sigmoid, nn::GateHalf::second) - unit(act::sigmoid, nn::GateHalf::first);
    CHECK(difference(apart, u * sigmoid(v) - v * sigmoid(u), 1e-15) == "");
    // With SiLU only the gate's own σ is left: u v (σ(v) - σ(u)).
    const Tensor silu_apart = unit(act::silu, nn::GateHalf::second) - unit(act::silu, nn::GateHalf::first);
    CHECK(difference(silu_apart, u * v * (sigmoid(v) - sigmoid(u)), 1e-14) == "");
  }
}

TEST_CASE("gates: the first operand is the gate: closed at large negative values, open at large positive ones") {
  const double infinity = std::numeric_limits<double>::infinity();
  const Tensor a = tensor({-infinity, -1000, 0, 1000}), b = tensor({3, 3, 3, 3});
  CHECK(to_vector(nn::gate(act::silu, a, b)) == Values{0, 0, 0, 3000});
  CHECK(to_vector(nn::gate(act::gelu, a, b)) == Values{0, 0, 0, 3000});
  CHECK(to_vector(nn::gate(act::gelu_tanh, a, b)) == Values{0, 0, 0, 3000});
  CHECK(to_vector(nn::gate(act::relu, a, b)) == Values{0, 0, 0, 3000});
  CHECK(to_vector(nn::gate(act::sigmoid, a, b)) == Values{0, 0, 1.5, 3});
  CHECK(to_vector(nn::gate(act::silu, b, a))[1] < -2000);
}

TEST_CASE("gates: at ReLU's kink, and left of it, the gate's gradient is 0") {
  const Tensor a = tensor({-1, 0, 1}).set_requires_grad();
  CHECK(to_vector(grad({sum(nn::gate(act::relu, a, full({3}, 5)))}, {a})[0]) == Values{0, 0, 5});
}

TEST_CASE("claim-glu-keeps-a-linear-gradient-path: the gradient of the value is the gate itself, not its derivative") {
  const Tensor a = points({40}, 3), b = points({40}, 4).set_requires_grad();
  CHECK(equal(grad({sum(nn::gate(act::silu, a, b))}, {b})[0], nn::gate(act::silu, a, ones({40}, DType::f64))));
}

TEST_CASE("gates: errors") {
  CHECK_THROWS_WITH_AS(nn::gate(act::silu, zeros({2}), zeros({3})), "gate(silu): shapes differ: [2] and [3]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::gate(act::identity, zeros({2}), zeros({1})), "gate(identity): shapes differ: [2] and [1]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::gate(act::silu, tensor({1}, DType::i64), tensor({1}, DType::i64)),
                       "gate: needs a floating dtype, got i64; use cast(a, DType::f32) first", DTypeError);
  CHECK_THROWS_AS(nn::gate(act::silu, zeros({2}), zeros({2}, DType::f64)), DTypeError);
  CHECK_THROWS_WITH_AS(nn::gated_unit(act::sigmoid, zeros({2, 5})),
                       "gated_unit(sigmoid): needs two equal halves along the last axis, got shape [2, 5]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::gated_unit(act::gelu, tensor(1)), "gated_unit(gelu): needs two equal halves along the last axis, got shape []",
                       ShapeError);
}
