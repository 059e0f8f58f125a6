#include "core/inspect/compare.h"
#include "tests/nn/bad_input/tables.h"

namespace gradus::test {
namespace {

// What the norm of a row says of itself: the class that is made, who looks at x first, and of an x of three features where it
// takes four, and of a number.
struct NormWords {
  const char *row, *made, *looks, *of_three, *of_number;
};
const std::vector<NormWords> kNormWords{
    {"layer", "LayerNorm", "LayerNorm", "layer_norm: normalized_shape [4] must be the last axes of x, which has shape [2, 3]",
     "layer_norm: normalized_shape [4] must be the last axes of x, which has shape []"},
    {"layer-nobias", "LayerNorm", "LayerNorm", "layer_norm: normalized_shape [4] must be", "layer_norm: normalized_shape [4] must be"},
    {"layer-std", "LayerNormStd", "LayerNormStd", "LayerNormStd: expected [..., 4], got [2, 3]", "LayerNormStd: expected [..., 4], got []"},
    {"center-only", "CenterOnlyNorm", "CenterOnlyNorm", "CenterOnlyNorm: expected [..., 4], got [2, 3]",
     "CenterOnlyNorm: expected [..., 4], got []"},
    {"scale-only", "ScaleOnlyNorm", "ScaleOnlyNorm", "ScaleOnlyNorm: expected [..., 4], got [2, 3]",
     "ScaleOnlyNorm: expected [..., 4], got []"},
    {"rms", "RMSNorm", "RMSNorm", "RMSNorm: expected [..., 4], got [2, 3]", "RMSNorm: expected [..., 4], got []"},
    {"rms-noeps", "RMSNormNoEps", "RMSNormNoEps", "RMSNormNoEps: expected [..., 4], got [2, 3]",
     "RMSNormNoEps: expected [..., 4], got []"},
    {"rms-l2", "RMSNormL2", "RMSNormL2", "RMSNormL2: expected [..., 4], got [2, 3]", "RMSNormL2: expected [..., 4], got []"},
    {"rms-upcast", "RMSNormUpcast", "RMSNormUpcast", "RMSNormUpcast: expected [..., 4], got [2, 3]",
     "RMSNormUpcast: expected [..., 4], got []"},
    {"scale", "ScaleNorm", "ScaleNorm", "ScaleNorm: expected [..., 4], got [2, 3]", "ScaleNorm: expected [..., 4], got []"},
    {"dyt", "DynamicTanh", "dynamic_tanh", "dynamic_tanh: x has shape [2, 3], so the gain must have shape [3], got [4]",
     "dynamic_tanh: needs at least one value along the last axis, got shape []"},
    {"group", "GroupNorm", "PerToken", "GroupNorm: expected [N, 4, ...], got [2, 3]",
     "PerToken: expected [..., C] with two axes or more, got []"},
    {"batch", "BatchNorm1d", "PerToken", "BatchNorm1d: expected [N, C] or [N, C, L] with C = 4, got [2, 3]",
     "PerToken: expected [..., C] with two axes or more, got []"},
};

}  // namespace

BadCalls norm_calls() {
  BadCalls rows;
  for (const NormWords& words : kNormWords) {
    const std::string row = words.row, made = words.made, looks = words.looks;
    const auto make = [row](int64_t width, std::optional<double> eps = {}) {
      return nn::norms().find(row).value({.width = width, .eps = eps});
    };
    const auto apply = [make](const Tensor& x) { (*make(4))(x); };
    rows += {
        {row + " of nothing", [=] { apply({}); }, Raises::graph, looks + ": x is undefined"},
        {row + " of three features", [=] { apply(f32({2, 3})); }, Raises::shape, words.of_three},
        {row + " of a number", [=] { apply(f32({})); }, Raises::shape, words.of_number},
        {row + " of f64", [=] { apply(f64({2, 4})); }, Raises::dtype, ": x is f64, but "},
        {row + " of i64", [=] { apply(i64({2, 4})); }, Raises::dtype, ": needs a floating dtype, got i64; use cast(x, DType::f32)"},
        {row + " of width 0", [=] { make(0); }, Raises::value, made + ": "},
        {row + " of width -1", [=] { make(-1); }, Raises::value, made + ": "},
        {row + " of a huge width", [=] { make(INT64_MAX); }, Raises::value, made + ": "},
    };
    if (row == "center-only" || row == "rms-noeps" || row == "dyt") continue;  // they have no ε
    rows += bad_values(row + " with an eps", kNegative, made + ": eps must be finite and not negative, got ",
                       [make](double eps) { make(4, eps); });
  }
  rows += {
      REFUSED(value, nn::norms().find("lyer"), "unknown norm 'lyer'; did you mean 'layer'?"),
      REFUSED(value, nn::LayerNorm(Shape{}), "LayerNorm: normalized_shape needs one size or more"),
      REFUSED(value, nn::LayerNorm(Shape{2, 0}), "LayerNorm: normalized_shape needs one size or more"),
      REFUSED(value, nn::LayerNorm({-1}), "LayerNorm: the width must be positive, got -1"),
      REFUSED(value, nn::LayerNormStd(1), "LayerNormStd: the unbiased deviation needs a width of 2"),
      REFUSED(value, nn::GroupNorm(3, 4), "GroupNorm: 3 groups do not divide 4 channels"),
      REFUSED(value, nn::GroupNorm(0, 4), "GroupNorm: 0 groups do not divide 4 channels"),
      REFUSED(value, nn::GroupNorm(-2, 4), "GroupNorm: -2 groups do not divide 4 channels"),
      REFUSED(value, nn::GroupNorm(4, 4)(f32({2, 4})), "GroupNorm: one value has no variance"),
      REFUSED(value, nn::BatchNorm1d(4)(f32({1, 4})), "BatchNorm1d: one value has no variance"),
      REFUSED(shape, nn::BatchNorm1d(4)(f32({2, 4, 1, 1})), "BatchNorm1d: expected [N, C] or"),
      REFUSED(shape, nn::BatchNorm2d(4)(f32({2, 4})), "BatchNorm2d: expected [N, C, H, W]"),
      REFUSED(shape, nn::InstanceNorm(4)(f32({2, 4})), "InstanceNorm: expected [N, C, L] or"),
      REFUSED(shape, nn::ChannelLayerNorm(4)(f32({4})), "ChannelLayerNorm: expected [N, C,"),
      REFUSED(graph, nn::ChannelLayerNorm(4)({}), "ChannelLayerNorm: x is undefined"),
      REFUSED(value, nn::ChannelLayerNorm(-3), "ChannelLayerNorm: the number of channels must be"),
  };
  rows += {"BatchNorm1d of running values of three channels",
           [] {
             nn::BatchNorm1d norm(4);
             norm.running->variance = f32({3});
             const Tensor before = norm.running->mean.detached_copy();
             try {
               norm(ones({2, 4}));
             } catch (const ShapeError&) {
               if (equal(norm.running->mean, before) && norm.running->batches.item() == 0) throw;
             }
           },
           Raises::shape, "RunningStatistics: of [3] channels, but x has [4]"};
  rows += bad_values("BatchNorm1d with a momentum", {kNaN, kInfinity, -0.1, 1.5}, "BatchNorm1d: momentum must be in [0, 1], got ",
                     [](double momentum) { nn::BatchNorm1d(4, {.running = {.momentum = momentum}}); });
  rows += bad_values("DynamicTanh with a slope", kNotFinite, "DynamicTanh: the slope must be finite, got ",
                     [](double slope) { nn::DynamicTanh(4, slope); });
  rows += bad_sizes("AdaptiveNorm", {0, -4}, "AdaptiveNorm: width must be positive, got ",
                    [](int64_t width) { nn::AdaptiveNorm(width, 4); });
  rows += bad_sizes("AdaptiveNorm", {INT64_MAX}, "AdaptiveNorm: width must be at most 2⁴⁰, got ",
                    [](int64_t width) { nn::AdaptiveNorm(width, 4); });
  rows += bad_values("AdaptiveNorm with an eps", kNegative, "AdaptiveNorm: eps must be finite and not negative, got ",
                     [](double eps) { nn::AdaptiveNorm(4, 4, {.eps = eps}); });
  const auto adapt = [](const Tensor& x, const Tensor& condition) { nn::AdaptiveNorm(4, 3)(x, condition); };
  rows += {
      REFUSED(graph, adapt({}, f32({2, 3})), "AdaptiveNorm: x is undefined"),
      REFUSED(graph, adapt(f32({2, 4}), {}), "AdaptiveNorm: condition is undefined"),
      REFUSED(dtype, adapt(f64({2, 4}), f64({2, 3})), "AdaptiveNorm: x is f64, but modulation.weight"),
      REFUSED(shape, adapt(f32({2, 4}), f32({5, 3})), "AdaptiveNorm: expected x [B, ..., 4]"),
      REFUSED(shape, adapt(f32({2, 4}), f32({2, 4})), "and a condition [B, 3]"),
  };
  return rows;
}

BadCalls norm_function_calls() {
  BadCalls rows;
  // Functions of x, γ and ε alike.
  using Function = std::function<Tensor(const Tensor& x, const Tensor& gain, double eps)>;
  const std::vector<std::pair<const char*, Function>> functions{
      {"rms_norm", [](const Tensor& x, const Tensor& g, double eps) { return nn::rms_norm(x, g, eps); }},
      {"rms_norm_l2", [](const Tensor& x, const Tensor& g, double eps) { return nn::rms_norm_l2(x, g, eps); }},
      {"rms_norm_upcast", [](const Tensor& x, const Tensor& g, double eps) { return nn::rms_norm_upcast(x, g, eps); }},
      {"layer_norm", [](const Tensor& x, const Tensor& g, double eps) { return nn::layer_norm(x, {4}, g, {}, eps); }},
      {"layer_norm_std", [](const Tensor& x, const Tensor& g, double eps) { return nn::layer_norm_std(x, g, {}, eps); }},
      {"scale_only_norm", [](const Tensor& x, const Tensor& g, double eps) { return nn::scale_only_norm(x, g, eps); }},
      {"batch_norm", [](const Tensor& x, const Tensor& g, double eps) { return nn::batch_norm(x, g, {}, eps); }},
      {"group_norm", [](const Tensor& x, const Tensor& g, double eps) { return nn::group_norm(x, 2, g, {}, eps); }},
      {"instance_norm", [](const Tensor& x, const Tensor& g, double eps) { return nn::instance_norm(x, g, {}, eps); }},
  };
  for (const auto& [name, function] : functions) {
    const std::string who = name;
    const Shape shape = who == "instance_norm" ? Shape{2, 4, 3} : Shape{2, 4};
    const auto f = function;
    rows += {
        {who + " of nothing", [=] { f({}, {}, 1e-5); }, Raises::graph, who + ": x is undefined"},
        {who + " of a number", [=] { f(f32({}), {}, 1e-5); }, Raises::shape, who + ": "},
        {who + " of no values", [=] { f(f32({2, 0}), {}, 1e-5); }, Raises::shape, who + ": "},
        {who + " of i64", [=] { f(i64(shape), {}, 1e-5); }, Raises::dtype, who + ": needs a floating dtype, got i64"},
        {who + " with a gain of f64", [=] { f(f32(shape), f64({4}), 1e-5); }, Raises::dtype, who + ": x is f32, but gain is f64"},
        {who + " with a gain of 3", [=] { f(f32(shape), f32({3}), 1e-5); }, Raises::shape, "so the gain must have shape [4], got [3]"},
    };
    rows += bad_values(who + " with an eps", kNegative, who + ": eps must be finite and not negative, got ",
                       [=](double eps) { f(f32(shape), {}, eps); });
  }
  rows += {
      REFUSED(dtype, nn::layer_norm(f32({2, 4}), {4}, f32({4}), f64({4})), "layer_norm: x is f32, but bias is f64"),
      REFUSED(shape, nn::layer_norm(f32({2, 4}), {}), "layer_norm: needs at least one value"),
      REFUSED(shape, nn::group_norm(f32({2, 4}), 3), "group_norm: 3 groups do not divide the 4 channels"),
      REFUSED(shape, nn::group_norm(f32({2, 4}), 0), "group_norm: 0 groups do not divide the 4 channels"),
      REFUSED(graph, nn::rms_norm_noeps({}), "rms_norm_noeps: x is undefined"),
      REFUSED(graph, nn::center_only_norm({}), "center_only_norm: x is undefined"),
      REFUSED(graph, nn::scale_norm(f32({4}), {}), "scale_norm: radius is undefined"),
      REFUSED(shape, nn::scale_norm(f32({4}), f32({2})), "scale_norm: the radius is one number"),
      REFUSED(value, nn::scale_norm(f32({4}), f32({}), kNaN), "scale_norm: eps must be finite"),
      REFUSED(graph, nn::dynamic_tanh(f32({4}), f32({}), f32({4}), {}), "dynamic_tanh: bias is undefined"),
      REFUSED(shape, nn::dynamic_tanh(f32({4}), f32({2}), f32({4}), f32({4})), "dynamic_tanh: the slope is one number"),
      REFUSED(graph, nn::adaptive_norm(f32({2, 4}), f32({4}), {}), "adaptive_norm: shift is undefined"),
      REFUSED(shape, nn::adaptive_norm(f32({2, 4}), f32({3}), f32({4})),
              "adaptive_norm: the scale of shape [3] does not broadcast to x's [2, 4]"),
      REFUSED(value, nn::adaptive_norm(f32({2, 4}), f32({4}), f32({4}), kInfinity),
              "adaptive_norm: eps must be finite and not negative, got inf"),
      REFUSED(shape, nn::normalize_by(f32({2, 4}), f32({3}), f32({4}), {}, {}, 0),
              "normalize_by: x has shape [2, 4], so mean and variance must have shape [4], got [3] and [4]"),
      REFUSED(shape, nn::normalize_by(f32({4}), f32({4}), f32({4}), {}, {}, 0),
              "normalize_by: expected x [N, C, ...], got [4]"),
      REFUSED(graph, nn::normalize_by(f32({2, 4}), f32({4}), {}, {}, {}, 0), "normalize_by: variance is undefined"),
      REFUSED(graph, nn::weight_norm(f32({2, 4}), {}), "weight_norm: length is undefined"),
      REFUSED(shape, nn::weight_norm(f32({2, 4}), f32({4})), "weight_norm: expected directions"),
      REFUSED(dtype, nn::weight_norm(i64({2, 4}), i64({2})), "weight_norm: needs a floating dtype"),
      REFUSED(graph, nn::spectral_norm(f32({2, 4}), {}, f32({4})), "spectral_norm: u is undefined"),
      REFUSED(shape, nn::spectral_norm(f32({2, 4}), f32({4}), f32({2})),
              "spectral_norm: expected a weight [out, in], u [out] and v [in]"),
      {"power_iteration -1 times",
       [] { Tensor u = f32({2}), v = f32({4}); nn::power_iteration(f32({2, 4}), u, v, -1); }, Raises::value,
       "power_iteration: the number of times must not be negative, got -1"},
      {"power_iteration without u",
       [] { Tensor u, v = f32({4}); nn::power_iteration(f32({2, 4}), u, v, 1); }, Raises::graph, "power_iteration: u is undefined"},
  };
  return rows;
}

}  // namespace gradus::test
