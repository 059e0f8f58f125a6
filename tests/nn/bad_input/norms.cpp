#include "tests/nn/bad_input/tables.h"

namespace gradus::test {
namespace {

// What the norm of a row says of itself: the class that is made, who looks at x first, and of an x of three features where it
// takes four, and of a number.
struct NormWords {
  const char *row, *made, *looks, *of_three, *of_number;
};
const std::vector<NormWords> kWords{
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
  for (const NormWords& words : kWords) {
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
      {"the norm lyer", [] { nn::norms().find("lyer"); }, Raises::value, "unknown norm 'lyer'; did you mean 'layer'?"},
      {"LayerNorm({})", [] { nn::LayerNorm(Shape{}); }, Raises::value, "LayerNorm: normalized_shape needs one size or more"},
      {"LayerNorm({2, 0})", [] { nn::LayerNorm(Shape{2, 0}); }, Raises::value, "LayerNorm: normalized_shape needs one size or more"},
      {"LayerNorm({-1})", [] { nn::LayerNorm({-1}); }, Raises::value, "LayerNorm: the width must be positive, got -1"},
      {"LayerNormStd(1)", [] { nn::LayerNormStd(1); }, Raises::value, "LayerNormStd: the unbiased deviation needs a width of 2"},
      {"GroupNorm(3, 4)", [] { nn::GroupNorm(3, 4); }, Raises::value, "GroupNorm: 3 groups do not divide 4 channels"},
      {"GroupNorm(0, 4)", [] { nn::GroupNorm(0, 4); }, Raises::value, "GroupNorm: 0 groups do not divide 4 channels"},
      {"GroupNorm(-2, 4)", [] { nn::GroupNorm(-2, 4); }, Raises::value, "GroupNorm: -2 groups do not divide 4 channels"},
      {"GroupNorm of one value", [] { nn::GroupNorm(4, 4)(f32({2, 4})); }, Raises::value, "GroupNorm: one value has no variance"},
      {"BatchNorm1d of one sample", [] { nn::BatchNorm1d(4)(f32({1, 4})); }, Raises::value, "BatchNorm1d: one value has no variance"},
      {"BatchNorm1d of images", [] { nn::BatchNorm1d(4)(f32({2, 4, 1, 1})); }, Raises::shape, "BatchNorm1d: expected [N, C] or"},
      {"BatchNorm2d of vectors", [] { nn::BatchNorm2d(4)(f32({2, 4})); }, Raises::shape, "BatchNorm2d: expected [N, C, H, W]"},
      {"InstanceNorm of vectors", [] { nn::InstanceNorm(4)(f32({2, 4})); }, Raises::shape, "InstanceNorm: expected [N, C, L] or"},
      {"ChannelLayerNorm of a vector", [] { nn::ChannelLayerNorm(4)(f32({4})); }, Raises::shape, "ChannelLayerNorm: expected [N, C,"},
      {"ChannelLayerNorm of nothing", [] { nn::ChannelLayerNorm(4)({}); }, Raises::graph, "ChannelLayerNorm: x is undefined"},
      {"ChannelLayerNorm(-3)", [] { nn::ChannelLayerNorm(-3); }, Raises::value, "ChannelLayerNorm: the number of channels must be"},
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
      {"AdaptiveNorm without x", [=] { adapt({}, f32({2, 3})); }, Raises::graph, "AdaptiveNorm: x is undefined"},
      {"AdaptiveNorm without a condition", [=] { adapt(f32({2, 4}), {}); }, Raises::graph, "AdaptiveNorm: condition is undefined"},
      {"AdaptiveNorm of f64", [=] { adapt(f64({2, 4}), f64({2, 3})); }, Raises::dtype, "AdaptiveNorm: x is f64, but modulation.weight"},
      {"AdaptiveNorm of another batch", [=] { adapt(f32({2, 4}), f32({5, 3})); }, Raises::shape, "AdaptiveNorm: expected x [B, ..., 4]"},
      {"AdaptiveNorm of a wide condition", [=] { adapt(f32({2, 4}), f32({2, 4})); }, Raises::shape, "and a condition [B, 3]"},
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
      {"layer_norm with a bias of f64", [] { nn::layer_norm(f32({2, 4}), {4}, f32({4}), f64({4})); }, Raises::dtype,
       "layer_norm: x is f32, but bias is f64"},
      {"layer_norm over nothing", [] { nn::layer_norm(f32({2, 4}), {}); }, Raises::shape, "layer_norm: needs at least one value"},
      {"group_norm by 3", [] { nn::group_norm(f32({2, 4}), 3); }, Raises::shape, "group_norm: 3 groups do not divide the 4 channels"},
      {"group_norm by 0", [] { nn::group_norm(f32({2, 4}), 0); }, Raises::shape, "group_norm: 0 groups do not divide the 4 channels"},
      {"rms_norm_noeps of nothing", [] { nn::rms_norm_noeps({}); }, Raises::graph, "rms_norm_noeps: x is undefined"},
      {"center_only_norm of nothing", [] { nn::center_only_norm({}); }, Raises::graph, "center_only_norm: x is undefined"},
      {"scale_norm without a radius", [] { nn::scale_norm(f32({4}), {}); }, Raises::graph, "scale_norm: radius is undefined"},
      {"scale_norm with two radii", [] { nn::scale_norm(f32({4}), f32({2})); }, Raises::shape, "scale_norm: the radius is one number"},
      {"scale_norm with eps NaN", [] { nn::scale_norm(f32({4}), f32({}), kNaN); }, Raises::value, "scale_norm: eps must be finite"},
      {"dynamic_tanh without a bias", [] { nn::dynamic_tanh(f32({4}), f32({}), f32({4}), {}); }, Raises::graph,
       "dynamic_tanh: bias is undefined"},
      {"dynamic_tanh with two slopes", [] { nn::dynamic_tanh(f32({4}), f32({2}), f32({4}), f32({4})); }, Raises::shape,
       "dynamic_tanh: the slope is one number"},
      {"adaptive_norm without a shift", [] { nn::adaptive_norm(f32({2, 4}), f32({4}), {}); }, Raises::graph,
       "adaptive_norm: shift is undefined"},
      {"adaptive_norm with a scale of 3", [] { nn::adaptive_norm(f32({2, 4}), f32({3}), f32({4})); }, Raises::shape,
       "adaptive_norm: the scale of shape [3] does not broadcast to x's [2, 4]"},
      {"adaptive_norm with an infinite eps", [] { nn::adaptive_norm(f32({2, 4}), f32({4}), f32({4}), kInfinity); }, Raises::value,
       "adaptive_norm: eps must be finite and not negative, got inf"},
      {"normalize_by a mean of 3", [] { nn::normalize_by(f32({2, 4}), f32({3}), f32({4}), {}, {}, 0); }, Raises::shape,
       "normalize_by: x has shape [2, 4], so mean and variance must have shape [4], got [3] and [4]"},
      {"normalize_by of a vector", [] { nn::normalize_by(f32({4}), f32({4}), f32({4}), {}, {}, 0); }, Raises::shape,
       "normalize_by: expected x [N, C, ...], got [4]"},
      {"normalize_by without a variance", [] { nn::normalize_by(f32({2, 4}), f32({4}), {}, {}, {}, 0); }, Raises::graph,
       "normalize_by: variance is undefined"},
      {"weight_norm without lengths", [] { nn::weight_norm(f32({2, 4}), {}); }, Raises::graph, "weight_norm: length is undefined"},
      {"weight_norm of 4 lengths", [] { nn::weight_norm(f32({2, 4}), f32({4})); }, Raises::shape, "weight_norm: expected directions"},
      {"weight_norm of i64", [] { nn::weight_norm(i64({2, 4}), i64({2})); }, Raises::dtype, "weight_norm: needs a floating dtype"},
      {"spectral_norm without u", [] { nn::spectral_norm(f32({2, 4}), {}, f32({4})); }, Raises::graph, "spectral_norm: u is undefined"},
      {"spectral_norm of swapped u, v", [] { nn::spectral_norm(f32({2, 4}), f32({4}), f32({2})); }, Raises::shape,
       "spectral_norm: expected a weight [out, in], u [out] and v [in]"},
      {"power_iteration -1 times",
       [] {
         Tensor u = f32({2}), v = f32({4});
         nn::power_iteration(f32({2, 4}), u, v, -1);
       },
       Raises::value, "power_iteration: the number of times must not be negative, got -1"},
      {"power_iteration without u",
       [] {
         Tensor u, v = f32({4});
         nn::power_iteration(f32({2, 4}), u, v, 1);
       },
       Raises::graph, "power_iteration: u is undefined"},
  };
  return rows;
}

}  // namespace gradus::test
