// Every activation: PyTorch's values and gradients, the fast path beside the formula, layers and errors.
#include "core/inspect/gradcheck.h"
#include "nn/activation/activation_table.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/autograd/engine.h"
#include "core/tape/node.h"
#include "nn/activation/elu.h"
#include "nn/activation/gelu.h"
#include "nn/activation/hard.h"
#include "nn/activation/poly_norm.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/softmax.h"
#include "nn/activation/swish.h"
#include "nn/activation/xielu.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/fixture.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;
namespace act = gradus::nn::act;

namespace {

Tensor points(const Shape& shape, double width = 4, std::uint64_t seed = 11) { return draw(shape, -width, width, seed); }

TensorFunction on_first(const UnaryFunction& f) {
  return [f](const Tensors& in) { return f(in[0]); };
}

std::string as_pytorch(const std::string& name, const TensorFunction& f) { return against_pytorch(name, f, "activation.safetensors"); }

// "" when a fused activation is its formula, and the row `name` of the fixture is its value and its gradient.
std::string verify(const std::string& name, const UnaryFunction& fast, const UnaryFunction& formula) {
  return check_fused(name, on_first(fast), on_first(formula), {points({3, 7})}) +
         check_fused(name + " of many", on_first(fast), on_first(formula), {points({9, 1031})}, {.differences = false}) +
         as_pytorch(name, on_first(fast));
}

// "" when value and gradient of an op of core are the formula's, and PyTorch's.
std::string verify_op(const std::string& name, const UnaryFunction& op, const UnaryFunction& formula) {
  const Tensor x = points({5, 33}).set_requires_grad(), seed = points({5, 33}, 1, 12);
  const Tensor y = op(x), expected = formula(x);
  // A rounding or two of numbers up to the size of the largest.
  return difference(y, expected, 1e-15) +
         difference(grad({y}, {x}, {.seeds = {seed}})[0], grad({expected}, {x}, {.seeds = {seed}})[0], 1e-15) +
         as_pytorch(name, on_first(op));
}

}  // namespace

TEST_CASE("act-sigmoid: the op is the formula, and PyTorch's") { CHECK(verify_op("sigmoid", act::sigmoid, nn::formula::sigmoid) == ""); }

TEST_CASE("act-tanh: the op is the formula, and PyTorch's") { CHECK(verify_op("tanh", act::tanh, nn::formula::tanh) == ""); }

TEST_CASE("act-relu: the op is the formula, and PyTorch's") { CHECK(verify_op("relu", act::relu, nn::formula::relu) == ""); }

TEST_CASE("act-leaky-relu: the fast path is the formula, and PyTorch's") {
  const auto formula = [](double slope) { return [=](const Tensor& x) { return nn::formula::leaky_relu(x, slope); }; };
  CHECK(verify("leaky_relu", act::leaky_relu(0.01), formula(0.01)) == "");
  CHECK(verify("leaky_relu/slope", act::leaky_relu(0.3), formula(0.3)) == "");
}

TEST_CASE("act-prelu: PyTorch's, with one slope and with one per channel") {
  const TensorFunction layer = [](const Tensors& in) {
    nn::PReLU prelu({.channels = in[1].size(0)});
    prelu.slope.share(in[1]);
    return prelu(in[0]);
  };
  CHECK(as_pytorch("prelu", layer) == "");
  CHECK(as_pytorch("prelu/one", layer) == "");
  const TensorFunction f = [](const Tensors& in) { return nn::prelu(in[0], in[1]); };
  CHECK(gradcheck(f, {points({3, 5}), points({5}, 1)}).passed);
  CHECK(gradgradcheck(f, {points({3, 5}), points({5}, 1)}).passed);
}

TEST_CASE("act-prelu: at x = ∞ the slope's gradient is 0, not NaN") {
  const Tensor x = tensor({std::numeric_limits<double>::infinity(), 2, -3}, DType::f64);
  const Tensor slope = tensor({0.25}, DType::f64).set_requires_grad();
  CHECK(difference(grad({sum(nn::prelu(x, slope))}, {slope})[0], tensor({-3}), 0) == "");
}

TEST_CASE("act-prelu: the channels may stand along any axis, counted from the front or from the back") {
  const Tensor x = tensor({{-1, -2}, {-3, 4}});
  const auto along = [&](int axis) {
    nn::PReLU layer({.channels = 2, .axis = axis});
    layer.slope.assign(tensor({2, 10}));
    return layer(x);
  };
  for (const int axis : {0, -2}) CHECK(equal(along(axis), tensor({{-2, -4}, {-30, 4}})));
  for (const int axis : {1, -1}) CHECK(equal(along(axis), tensor({{-2, -20}, {-6, 4}})));
  for (const int axis : {2, -3}) CHECK_THROWS_AS(along(axis), ShapeError);
}

TEST_CASE("act-relu2: the fast path is the formula, and PyTorch's") { CHECK(verify("relu2", act::relu2, nn::formula::relu2) == ""); }

TEST_CASE("act-relu6: the fast path is the formula, and PyTorch's") {
  CHECK(check_fused("relu6", on_first(act::relu6), on_first(nn::formula::relu6), {points({3, 7}, 9)}) == "");
  CHECK(as_pytorch("relu6", [](const Tensors& in) { return act::relu6(4 * in[0]); }) == "");
}

TEST_CASE("act-elu: the fast path is the formula, and PyTorch's") {
  CHECK(verify("elu", act::elu(1), [](const Tensor& x) { return nn::formula::elu(x, 1); }) == "");
  CHECK(verify("elu/alpha", act::elu(0.7), [](const Tensor& x) { return nn::formula::elu(x, 0.7); }) == "");
}

TEST_CASE("act-celu: the fast path is the formula, and PyTorch's") {
  CHECK(verify("celu", act::celu(), [](const Tensor& x) { return nn::formula::celu(x, 1); }) == "");
  CHECK(verify("celu/alpha", act::celu(0.5), [](const Tensor& x) { return nn::formula::celu(x, 0.5); }) == "");
}

TEST_CASE("act-selu: the fast path is the formula, and PyTorch's") { CHECK(verify("selu", act::selu, nn::formula::selu) == ""); }

TEST_CASE("act-swish: the fast path is the formula, and PyTorch's, with β fixed and learned") {
  const auto formula_fixed = [](const Tensor& x) { return nn::formula::swish(x, scalar_like(x, 1.7)); };
  CHECK(verify("swish/fixed", act::swish(1.7), formula_fixed) == "");
  const TensorFunction learned = [](const Tensors& in) { return nn::learned_swish(in[0], in[1]); };
  const TensorFunction formula = [](const Tensors& in) { return nn::formula::swish(in[0], in[1]); };
  CHECK(check_fused("swish", learned, formula, {points({3, 7}), tensor(0.75, DType::f64)}) == "");
  CHECK(as_pytorch("swish", learned) == "");
}

TEST_CASE("act-silu: the fast path is the formula, and PyTorch's") { CHECK(verify("silu", act::silu, nn::formula::silu) == ""); }

TEST_CASE("act-quick-gelu: the fast path is the formula, and PyTorch's") {
  CHECK(verify("quick_gelu", act::quick_gelu, nn::formula::quick_gelu) == "");
}

TEST_CASE("act-hardswish: the fast path is the formula, and PyTorch's") {
  const TensorFunction fast = on_first(act::hardswish), formula = on_first(nn::formula::hardswish);
  CHECK(check_fused("hardswish", fast, formula, {points({3, 7}, 5)}) == "");
  CHECK(as_pytorch("hardswish", [](const Tensors& in) { return act::hardswish(2 * in[0]); }) == "");
}

TEST_CASE("act-mish: the fast path is the formula, and PyTorch's") { CHECK(verify("mish", act::mish, nn::formula::mish) == ""); }

TEST_CASE("act-gelu: the fast path is the formula, and PyTorch's") { CHECK(verify("gelu", act::gelu, nn::formula::gelu) == ""); }

TEST_CASE("act-gelu-tanh: the fast path is the formula, and PyTorch's") {
  CHECK(verify("gelu_tanh", act::gelu_tanh, nn::formula::gelu_tanh) == "");
}

TEST_CASE("act-softplus: the fast path is the formula, and PyTorch's") {
  CHECK(verify("softplus", act::softplus, nn::formula::softplus) == "");
}

TEST_CASE("act-softplus: with a β the fast path is the formula, and PyTorch's; with 1 it is softplus") {
  for (const double beta : {0.3, 2.5, 40.0}) {
    const UnaryFunction formula = [=](const Tensor& x) { return nn::formula::softplus_beta(x, beta); };
    const TensorFunction fast = on_first(act::softplus_beta(beta));
    CHECK(check_fused("softplus", fast, on_first(formula), {points({3, 7}, 2)}) == "");
    CHECK(check_fused("softplus of many", fast, on_first(formula), {points({9, 1031})}, {.differences = false}) == "");
  }
  CHECK(as_pytorch("softplus/beta", on_first(act::softplus_beta(2.5))) == "");
  CHECK(act::softplus_beta(2.5).describe() == "Softplus(2.5)");
  const Tensor x = points({200});
  CHECK(difference(act::softplus_beta(1)(x), act::softplus(x), 1e-15) == "");
  CHECK(act::softplus_beta(3)(tensor(0, DType::f64)).item() == doctest::Approx(std::log(2.0) / 3).epsilon(1e-15));
}

TEST_CASE("act-softplus: with a β it is a straight line far out and at ±∞, value and derivative, kernel and formula, up to the ends of β") {
  for (const bool formula : {false, true}) {
    const FormulaOnly mode(formula);
    for (const double beta : {0x1p-126, 0.5, 0x1p126}) {
      CAPTURE(beta);
      const Tensor far = tensor({kInfinity, 1e38, 0, -1e38, -kInfinity}).set_requires_grad();
      const Tensor y = act::softplus_beta(beta)(far);
      const double at_0 = std::log(2.0) / beta;
      const Tensor slope = grad({sum(y)}, {far})[0];
      CHECK(y.at({0}) == kInfinity);
      CHECK(y.at({2}) == doctest::Approx(at_0).epsilon(1e-6));
      CHECK(y.at({4}) == 0);
      CHECK(to_vector(index_select(slope, 0, ids({0, 2, 4}))) == Values{1, 0.5, 0});
      if (beta < 0.5) continue;
      CHECK(y.at({1}) == doctest::Approx(1e38).epsilon(1e-6));
      CHECK(y.at({3}) == 0);
    }
  }
}

TEST_CASE("act-hardsigmoid: the fast path is the formula, and PyTorch's") {
  const TensorFunction fast = on_first(act::hardsigmoid), formula = on_first(nn::formula::hardsigmoid);
  CHECK(check_fused("hardsigmoid", fast, formula, {points({3, 7}, 5)}) == "");
  CHECK(as_pytorch("hardsigmoid", [](const Tensors& in) { return act::hardsigmoid(2 * in[0]); }) == "");
}

TEST_CASE("act-log-sigmoid: the fast path is the formula, and PyTorch's") {
  CHECK(verify("log_sigmoid", act::log_sigmoid, nn::formula::log_sigmoid) == "");
}

TEST_CASE("act-softsign: the fast path is the formula, and PyTorch's") {
  CHECK(verify("softsign", act::softsign, nn::formula::softsign) == "");
}

TEST_CASE("act-hardtanh: the fast path is the formula, and PyTorch's, with every limit") {
  const auto formula = [](double limit) { return [=](const Tensor& x) { return nn::formula::hardtanh(x, limit); }; };
  CHECK(verify("hardtanh", act::hardtanh(), formula(1)) == "");
  CHECK(verify("hardtanh/limit", act::hardtanh(1.75), formula(1.75)) == "");
}

TEST_CASE("act-softshrink: the fast path is the formula, and PyTorch's, with every threshold") {
  const auto formula = [](double threshold) { return [=](const Tensor& x) { return nn::formula::softshrink(x, threshold); }; };
  CHECK(verify("softshrink", act::softshrink(), formula(0.5)) == "");
  CHECK(verify("softshrink/threshold", act::softshrink(1.25), formula(1.25)) == "");
}

TEST_CASE("act-hardshrink: the fast path is the formula, and PyTorch's, with every threshold") {
  const auto formula = [](double threshold) { return [=](const Tensor& x) { return nn::formula::hardshrink(x, threshold); }; };
  CHECK(verify("hardshrink", act::hardshrink(), formula(0.5)) == "");
  CHECK(verify("hardshrink/threshold", act::hardshrink(1.25), formula(1.25)) == "");
}

TEST_CASE("activations: every row keeps the shape, takes scalars and nothing at all, and has a gradient") {
  for (const auto& variant : nn::activations().variants) {
    CAPTURE(variant.name);
    const nn::LayerPtr layer = variant.value();
    CHECK(variant.formula_id.substr(4) == variant.name);  // act-…
    CHECK_FALSE(layer->describe().empty());
    for (const Shape& shape : {Shape{2, 3, 4}, Shape{1}, Shape{0, 3}}) {
      const Tensor x = cast(points(shape), DType::f32).set_requires_grad();
      const Tensor y = (*layer)(x);
      CHECK(y.shape() == shape);
      CHECK(grad({y}, {x}, {.seeds = {ones_like(y)}})[0].shape() == shape);
    }
  }
}

TEST_CASE("activations: row, formula id, value and node have one name; layers print as papers write them") {
  const Tensor x = points({2, 3}).set_requires_grad();
  const std::vector<std::string> titles{"Sigmoid",
                                        "Tanh",
                                        "ReLU",
                                        "LeakyReLU(0.01)",
                                        "PReLU(1)",
                                        "ReLU2",
                                        "ReLU6",
                                        "ELU(1)",
                                        "CELU(1)",
                                        "SELU",
                                        "Swish(learned)",
                                        "SiLU",
                                        "Hardswish",
                                        "Mish",
                                        "GELU",
                                        "GELU(tanh)",
                                        "QuickGELU",
                                        "Softplus",
                                        "Hardsigmoid",
                                        "Softmax",
                                        "LogSoftmax",
                                        "LogSigmoid",
                                        "Softsign",
                                        "Hardtanh(1)",
                                        "Softshrink(0.5)",
                                        "Hardshrink(0.5)",
                                        "SoLU",
                                        "xIELU(learned)",
                                        "PolyNorm(eps 1e-06)"};
  std::size_t row = 0;
  for (const auto& variant : nn::activations().variants) {
    const nn::LayerPtr layer = variant.value();
    const std::string title = row < titles.size() ? titles[row++] : "nothing";
    CHECK_MESSAGE(layer->describe() == title, variant.name, " prints ", layer->describe(), ", and titles, above, has ", title,
                  " in its row: a new activation has its title there");
    const auto* plain = dynamic_cast<const nn::ActivationLayer*>(layer.get());
    if (plain == nullptr) continue;
    std::string name = plain->function().name();
    std::replace(name.begin(), name.end(), '_', '-');
    CHECK(variant.name == name);
    CHECK(variant.formula_id == "act-" + name);
    CHECK((*layer)(x).node()->name() == std::string(plain->function().name()));
  }
  CHECK(row == titles.size());
}

TEST_CASE("activations: each is its formula, whether it is fused or an op of core") {
  const Tensor x = points({4, 33});
  for (const auto& variant : nn::activations().variants) {
    CAPTURE(variant.name);
    const nn::LayerPtr layer = variant.value();
    const auto* plain = dynamic_cast<const nn::ActivationLayer*>(layer.get());
    if (plain == nullptr) continue;
    CHECK(difference((*layer)(x), plain->function().by_formula(x), 1e-14) == "");
    const auto f = [&](const Tensors& in) { return plain->function()(in[0]); };
    const GradcheckReport first = gradcheck(f, {points({3, 7})}), second = gradgradcheck(f, {points({3, 7})});
    CHECK_MESSAGE(first.passed, first.text);
    CHECK_MESSAGE(second.passed, second.text);
  }
}

TEST_CASE("activations: only PReLU, the learned Swish, xIELU and PolyNorm have parameters: 1, 1, 2 and 4") {
  const std::map<std::string_view, int64_t> learned{{"prelu", 1}, {"swish", 1}, {"xielu", 2}, {"poly-norm", 4}};
  for (const auto& variant : nn::activations().variants) {
    CAPTURE(variant.name);
    const auto known = learned.find(variant.name);
    CHECK(variant.value()->parameter_count() == (known == learned.end() ? 0 : known->second));
  }
  CHECK(nn::ActivationLayer(act::swish(1)).parameter_count() == 0);
  CHECK(nn::PReLU({.channels = 7}).parameter_count() == 7);
}

TEST_CASE("activations: layers are their functions, with their parameters") {
  const Tensor x = cast(points({3, 4}), DType::f32);
  CHECK(equal(nn::ActivationLayer(act::leaky_relu(0.2))(x), act::leaky_relu(0.2)(x)));
  CHECK(equal(nn::ActivationLayer(act::elu(0.2))(x), act::elu(0.2)(x)));
  CHECK(equal(nn::ActivationLayer(act::celu(0.2))(x), act::celu(0.2)(x)));
  CHECK(equal(nn::ActivationLayer(act::swish(3))(x), act::swish(3)(x)));
  CHECK(equal(nn::Swish(3)(x), act::swish(3)(x)));
  CHECK(equal(nn::ActivationLayer(act::gelu)(x), act::gelu(x)));
  CHECK(equal(nn::ActivationLayer(act::gelu_tanh)(x), act::gelu_tanh(x)));
  CHECK(equal(nn::ActivationLayer(act::softmax)(x), nn::softmax(x)));
  CHECK(equal(nn::ActivationLayer(act::log_softmax)(x), nn::log_softmax(x)));
  CHECK(equal(nn::ActivationLayer(act::solu)(x), nn::solu(x)));
  CHECK(equal(nn::ActivationLayer(act::hardtanh(2))(x), act::hardtanh(2)(x)));
  CHECK(equal(nn::ActivationLayer(act::softshrink(2))(x), act::softshrink(2)(x)));
  CHECK(equal(nn::ActivationLayer(act::hardshrink(2))(x), act::hardshrink(2)(x)));
  CHECK(equal(nn::ActivationLayer(act::identity)(x), x));
  const Tensor slopes = tensor({0.1, 0.2, 0.3, 0.4});
  nn::PReLU last({.channels = 4, .axis = -1});
  last.slope.share(slopes);
  CHECK(equal(last(reshape(x, {3, 1, 4})), reshape(nn::prelu(x, slopes), {3, 1, 4})));
}

TEST_CASE("activations: errors") {
  const Tensor x = zeros({2, 3});
  CHECK_THROWS_WITH_AS(act::leaky_relu(-0.1), "leaky_relu: the slope must be finite and not negative, got -0.1", ValueError);
  CHECK_THROWS_WITH_AS(act::elu(-2), "elu: alpha must be finite and not negative, got -2", ValueError);
  CHECK_THROWS_WITH_AS(act::celu(0), "celu: alpha must be finite and positive, got 0", ValueError);
  CHECK_THROWS_WITH_AS(act::celu(-0.5), "celu: alpha must be finite and positive, got -0.5", ValueError);
  CHECK_THROWS_AS(act::celu(std::nan("")), ValueError);
  CHECK_THROWS_WITH_AS(nn::prelu(x, zeros({4})), "prelu: the slope's shape [4] does not broadcast to x's [2, 3]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::PReLU({.channels = 0}), "PReLU: the number of channels must be positive, got 0", ValueError);
  CHECK_THROWS_WITH_AS(nn::PReLU({.channels = 2})(x), "PReLU(2): expected 2 channels along axis 1, got shape [2, 3]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::PReLU({.channels = 2})(zeros({2})), "PReLU(2): expected 2 channels along axis 1, got shape [2]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::learned_swish(x, ones({3})), "learned_swish: beta must have shape [], got [3]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::learned_swish(x, tensor(1, DType::f64)),
                       "learned_swish: x is f32, but beta is f64; use cast(x, DType::f64) first", DTypeError);
  CHECK_THROWS_WITH_AS(act::gelu(tensor({1}, DType::i64)), "gelu: needs a floating dtype, got i64; use cast(x, DType::f32) first",
                       DTypeError);
  CHECK_THROWS_WITH_AS(nn::learned_swish(tensor({1}, DType::i64), tensor(1, DType::i64)),
                       "learned_swish: needs a floating dtype, got i64; use cast(x, DType::f32) first", DTypeError);
  CHECK_THROWS_WITH_AS(nn::activations().find("swich"), "unknown activation 'swich'; did you mean 'swish'?", ValueError);
}
