#include "tests/nn/bad_input/tables.h"

namespace gradus::test {
namespace {

constinit const Activation without_formula{"a", "A", static_cast<Tensor (*)(const Tensor&)>(nullptr)};

Tensor any_formula(const Tensor& x) { return x; }
Tensor any_parametric(const Tensor& x, double) { return x; }

}  // namespace

BadCalls activation_calls() {
  BadCalls rows;
  for (const auto& row : nn::activations().variants) {
    const std::string name(row.name);
    rows += of(name, no_floating_x("", [name](const Tensor& x) { (*nn::activations().find(name).value())(x); }, {3}));
  }
  for (const Activation& f : {act::identity, act::silu, act::sigmoid}) {
    rows += of(std::string(f.name()),
               {
                   REFUSED(graph, gate(f, {}, f32({2})), "gate: a is undefined"),
                   REFUSED(graph, gate(f, f32({2}), {}), "gate: b is undefined"),
                   REFUSED(dtype, gate(f, f32({2}), f64({2})), "gate: a is f32, but b is f64"),
                   REFUSED(dtype, gate(f, i64({2}), i64({2})), "gate: needs a floating dtype"),
                   REFUSED(shape, gate(f, f32({2}), f32({3})), fmt::format("gate({}): shapes differ: [2] and [3]", f.name())),
                   REFUSED(graph, gated_unit(f, {}), "gated_unit: h is undefined"),
                   REFUSED(dtype, gated_unit(f, i64({2})), "gated_unit: needs a floating dtype"),
                   REFUSED(shape, gated_unit(f, f32({3})), "needs two equal halves along the last axis"),
                   REFUSED(shape, gated_unit(f, f32({})), "needs two equal halves"),
               });
  }
  const std::string no_values = "needs at least one value along the last axis, got shape ";
  rows += by("softmax",
             {REFUSED(shape, nn::softmax(f32({})), no_values + "[]"), REFUSED(shape, nn::softmax(f32({2, 0})), no_values + "[2, 0]")});
  rows += by("log_softmax", {REFUSED(shape, nn::log_softmax(f32({})), no_values + "[]"),
                             REFUSED(shape, nn::log_softmax(f32({2, 0})), no_values + "[2, 0]")});
  rows += by("solu", {REFUSED(shape, nn::solu(f32({})), no_values + "[]"), REFUSED(shape, nn::solu(f32({2, 0})), no_values + "[2, 0]")});
  rows += by("poly_norm", {REFUSED(shape, poly_norm(f32({}), f32({3}), f32({})), no_values + "[]"),
                           REFUSED(shape, poly_norm(f32({2, 0}), f32({3}), f32({})), no_values + "[2, 0]")});
  rows += REFUSED_EACH(poly_norm(f32({2}), f32({3}), f32({}), bad), "poly_norm: eps", kNegative);
  rows += REFUSED_EACH(PolyNorm{bad}, "PolyNorm: eps", kNegative);
  rows += REFUSED_EACH(act::hardtanh(bad), "hardtanh: the limit", kNotPositive);
  rows += REFUSED_EACH(act::softshrink(bad), "softshrink: the threshold", kNegative);
  rows += REFUSED_EACH(act::hardshrink(bad), "hardshrink: the threshold", kNegative);
  rows += REFUSED_EACH(xielu(f32({2}), f32({}), f32({}), bad), "xielu: beta", kNotFinite);
  rows += REFUSED_EACH(XIELU({.beta = bad}), "XIELU: beta", kNotFinite);
  rows += REFUSED_EACH(XIELU({.right = bad}), "XIELU: right", kNotPositive);
  rows += {
      REFUSED(value, XIELU({.left = 0.5}), "XIELU: left must be above beta, 0.5, got 0.5"),
      REFUSED(value, XIELU({.left = kNaN}), "XIELU: left must be above beta, 0.5, got nan"),
      REFUSED(value, XIELU({.left = kInfinity}), "XIELU: left must be finite"),
      REFUSED(graph, xielu(f32({2}), {}, f32({})), "xielu: right is undefined"),
      REFUSED(shape, xielu(f32({2}), f32({1}), f32({})), "xielu: right and left are one number each, of shape [], got [1]"),
      REFUSED(shape, xielu(f32({2}), f32({}), f32({2})), "xielu: right and left are one number each, of shape [], got [2]"),
      REFUSED(dtype, xielu(f32({2}), f64({}), f32({})), "xielu: x is f32, but right is f64"),
      REFUSED(graph, poly_norm(f32({2}), f32({3}), {}), "poly_norm: bias is undefined"),
      REFUSED(shape, poly_norm(f32({2}), f32({2}), f32({})), "poly_norm: expected a weight [3] and a bias [], got [2] and []"),
      REFUSED(shape, poly_norm(f32({2}), f32({3}), f32({1})), "poly_norm: expected a weight [3] and a bias [], got [3] and [1]"),
  };
  rows += REFUSED_EACH(act::leaky_relu(bad), "leaky_relu: the slope", kNegative);
  rows += REFUSED_EACH(act::elu(bad), "elu: alpha", kNegative);
  rows += REFUSED_EACH(act::celu(bad), "celu: alpha", kNotPositive);
  const Refused no_beta{"in [1.1754943508222875e-38, 8.507059173023462e+37]", {kNaN, kInfinity, -1, 0, 1e-38, 1e38}};
  rows += REFUSED_EACH(act::softplus_beta(bad), "softplus_beta: beta", no_beta);
  rows += REFUSED_EACH(act::swish(bad), "swish: beta", kNotFinite);
  rows += REFUSED_EACH(Swish{bad}, "Swish: beta", kNotFinite);
  rows += REFUSED_EACH(PReLU({.slope = bad}), "PReLU: the slope", kNotFinite);
  rows += REFUSED_EACH(PReLU({.channels = bad}), "PReLU: the number of channels must be positive", 0, -1, INT64_MIN);
  const auto along = [](const Tensor& x, int axis) { PReLU({.channels = 3, .axis = axis})(x); };
  rows += {
      REFUSED(shape, along(f32({4, 2}), 1), "expected 3 channels along axis 1"),
      REFUSED(shape, along(f32({4, 3}), 5), "expected 3 channels along axis 5"),
      REFUSED(shape, along(f32({4, 3}), -9), "expected 3 channels along axis -9"),
      REFUSED(dtype, along(f64({4, 3}), 1), "x is f64, but slope is f32"),
      REFUSED(graph, prelu(f32({2}), {}), "prelu: slope is undefined"),
      REFUSED(shape, prelu(f32({2}), f32({3})), "prelu: the slope's shape [3] does not broadcast to x's [2]"),
      REFUSED(graph, learned_swish(f32({2}), {}), "learned_swish: beta is undefined"),
      REFUSED(shape, learned_swish(f32({2}), f32({2})), "learned_swish: beta must have shape [], got [2]"),
      REFUSED(dtype, learned_swish(f32({2}), f64({})), "learned_swish: x is f32, but beta is f64; use cast(x, DType::f64) first"),
      REFUSED(value, Activation(nullptr, "A", any_formula), "Activation: its name, title and formula must not be nullptr"),
      REFUSED(value, Activation("a", nullptr, any_formula), "Activation: its name"),
      REFUSED(value, Activation("a", "A", nullptr), "Activation: its name"),
      REFUSED(value, without_formula(ones({1})), "Activation: its name"),
      REFUSED(value, Activation("a", "A", nullptr, {}, 1), "Activation: its name"),
      REFUSED(value, Activation("a", nullptr, any_parametric, {}, 1), "Activation: its name"),
      REFUSED(value, nn::activations().find("relv"), "unknown activation 'relv'; did you mean 'relu'?"),
  };
  return rows;
}

}  // namespace gradus::test
