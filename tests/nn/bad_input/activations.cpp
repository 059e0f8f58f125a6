#include "tests/nn/bad_input/tables.h"

namespace gradus::test {
namespace {

constinit const nn::Activation without_formula{"a", "A", static_cast<Tensor (*)(const Tensor&)>(nullptr)};

// Which name an activation's errors begin with.
const std::vector<std::pair<const char*, const char*>> kNames{
    {"sigmoid", "sigmoid"},     {"tanh", "tanh"},
    {"relu", "relu"},           {"leaky-relu", "leaky_relu"},
    {"prelu", "PReLU"},         {"relu2", "relu2"},
    {"relu6", "relu6"},         {"elu", "elu"},
    {"celu", "celu"},           {"selu", "selu"},
    {"swish", "learned_swish"}, {"silu", "silu"},
    {"hardswish", "hardswish"}, {"mish", "mish"},
    {"gelu", "gelu"},           {"gelu-tanh", "gelu_tanh"},
    {"quick-gelu", "quick_gelu"}, {"softplus", "softplus"},
    {"hardsigmoid", "hardsigmoid"}, {"softmax", "softmax"},
    {"log-softmax", "log_softmax"},
};

Tensor any_formula(const Tensor& x) { return x; }
Tensor any_parametric(const Tensor& x, double) { return x; }

}  // namespace

BadCalls activation_calls() {
  BadCalls rows;
  for (const auto& [row, who] : kNames) {
    const auto layer = [name = row](const Tensor& x) { (*nn::activations().find(name).value())(x); };
    const std::string says = who;
    rows += {{fmt::format("{} of nothing", row), [=] { layer({}); }, Raises::graph, says + ": x is undefined"},
             {fmt::format("{} of i64", row), [=] { layer(i64({3})); }, Raises::dtype, says + ": needs a floating dtype, got i64"}};
  }
  for (const nn::Activation& f : {nn::act::identity, nn::act::silu, nn::act::sigmoid}) {
    const std::string gate = fmt::format("gate({})", f.name());
    rows += {
        {gate + " without a", [=] { nn::gate(f, {}, f32({2})); }, Raises::graph, "gate: a is undefined"},
        {gate + " without b", [=] { nn::gate(f, f32({2}), {}); }, Raises::graph, "gate: b is undefined"},
        {gate + " of f32 and f64", [=] { nn::gate(f, f32({2}), f64({2})); }, Raises::dtype, "gate: a is f32, but b is f64"},
        {gate + " of i64", [=] { nn::gate(f, i64({2}), i64({2})); }, Raises::dtype, "gate: needs a floating dtype"},
        {gate + " of two shapes", [=] { nn::gate(f, f32({2}), f32({3})); }, Raises::shape, gate + ": shapes differ: [2] and [3]"},
        REFUSED(graph, nn::gated_unit(f, {}), "gated_unit: h is undefined"),
        REFUSED(dtype, nn::gated_unit(f, i64({2})), "gated_unit: needs a floating dtype"),
        REFUSED(shape, nn::gated_unit(f, f32({3})), "needs two equal halves along the last axis"),
        REFUSED(shape, nn::gated_unit(f, f32({})), "needs two equal halves"),
    };
  }
  using Softmax = std::pair<const char*, Tensor (*)(const Tensor&)>;
  for (const auto& [name, f] : {Softmax{"softmax", nn::softmax}, Softmax{"log_softmax", nn::log_softmax}}) {
    const std::string says = std::string(name) + ": needs at least one value along the last axis, got shape ";
    rows += {{fmt::format("{} of a number", name), [g = f] { g(f32({})); }, Raises::shape, says + "[]"},
             {fmt::format("{} of no values", name), [g = f] { g(f32({2, 0})); }, Raises::shape, says + "[2, 0]"}};
  }
  rows += bad_values("leaky_relu", kNegative, "leaky_relu: the slope must be finite and not negative, got ", nn::act::leaky_relu);
  rows += bad_values("elu", kNegative, "elu: alpha must be finite and not negative, got ", nn::act::elu);
  rows += bad_values("celu", kNotPositive, "celu: alpha must be finite and positive, got ", nn::act::celu);
  rows += bad_values("softplus_beta", {kNaN, kInfinity, -1, 0, 1e-38, 1e38},
                     "softplus_beta: beta must be in [1.1754943508222875e-38, 8.507059173023462e+37], got ", nn::act::softplus_beta);
  rows += bad_values("swish", kNotFinite, "swish: beta must be finite, got ", nn::act::swish);
  rows += bad_values("Swish", kNotFinite, "Swish: beta must be finite, got ", [](double beta) { nn::Swish{beta}; });
  rows += bad_values("PReLU", kNotFinite, "PReLU: the slope must be finite, got ",
                     [](double slope) { nn::PReLU({.slope = slope}); });
  rows += bad_sizes("PReLU", {0, -1, INT64_MIN}, "PReLU: the number of channels must be positive, got ",
                    [](int64_t channels) { nn::PReLU({.channels = channels}); });
  const auto prelu = [](const Tensor& x, int axis) { nn::PReLU({.channels = 3, .axis = axis})(x); };
  rows += {
      REFUSED(shape, prelu(f32({4, 2}), 1), "PReLU: expected 3 channels along axis 1"),
      REFUSED(shape, prelu(f32({4, 3}), 5), "PReLU: expected 3 channels along axis 5"),
      REFUSED(shape, prelu(f32({4, 3}), -9), "PReLU: expected 3 channels along axis -9"),
      REFUSED(dtype, prelu(f64({4, 3}), 1), "PReLU: x is f64, but slope is f32"),
      REFUSED(graph, nn::prelu(f32({2}), {}), "prelu: slope is undefined"),
      REFUSED(shape, nn::prelu(f32({2}), f32({3})), "prelu: the slope's shape [3] does not broadcast to x's [2]"),
      REFUSED(graph, nn::learned_swish(f32({2}), {}), "learned_swish: beta is undefined"),
      REFUSED(shape, nn::learned_swish(f32({2}), f32({2})), "learned_swish: beta must have shape [], got [2]"),
      REFUSED(dtype, nn::learned_swish(f32({2}), f64({})),
              "learned_swish: x is f32, but beta is f64; use cast(x, DType::f64) first"),
      REFUSED(value, nn::Activation(nullptr, "A", any_formula), "Activation: its name, title and formula must not be nullptr"),
      REFUSED(value, nn::Activation("a", nullptr, any_formula), "Activation: its name"),
      REFUSED(value, nn::Activation("a", "A", nullptr), "Activation: its name"),
      REFUSED(value, without_formula(ones({1})), "Activation: its name"),
      REFUSED(value, nn::Activation("a", "A", nullptr, {}, 1), "Activation: its name"),
      REFUSED(value, nn::Activation("a", nullptr, any_parametric, {}, 1), "Activation: its name"),
      REFUSED(value, nn::activations().find("relv"), "unknown activation 'relv'; did you mean 'relu'?"),
  };
  return rows;
}

}  // namespace gradus::test
