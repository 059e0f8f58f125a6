#include "core/inspect/compare.h"
#include "tests/nn/bad_input/tables.h"

namespace gradus::test {

BadCalls norm_calls() {
  BadCalls rows;
  for (const auto& variant : norms().variants) {
    const std::string row(variant.name);
    const auto make = [row](int64_t width, std::optional<double> eps = {}) {
      return norms().find(row).value({.width = width, .eps = eps});
    };
    const auto apply = [make](const Tensor& x) { (*make(4))(x); };
    const std::string described = make(4)->describe();
    rows += of(row, {
                        REFUSED(graph, apply({}), described + ": forward: x is undefined"),
                        REFUSED(shape, apply(f32({2, 3})), "[2, 3]"),
                        REFUSED(shape, apply(f32({})), "[]"),
                        REFUSED(dtype, apply(f64({2, 4})), ": x is f64, but "),
                        REFUSED(dtype, apply(i64({2, 4})), ": needs a floating dtype, got i64; use cast(x, DType::f32)"),
                        REFUSED(value, make(0), " 0"),
                        REFUSED(value, make(-1), " -1"),
                        REFUSED(value, make(INT64_MAX), "must be at most 2⁴⁰"),
                    });
    if (row == "center-only" || row == "rms-noeps" || row == "dyt" || row == "derf") continue;  // they have no ε
    rows += of(row, REFUSED_EACH(make(4, bad), "eps", kNegative));
  }
  const auto with_three_running_values = [] {
    BatchNorm1d norm(4);
    norm.running->variance = f32({3});
    const Tensor before = norm.running->mean.detached_copy();
    try {
      norm(ones({2, 4}));
    } catch (const ShapeError&) {
      if (equal(norm.running->mean, before) && norm.running->batches.item() == 0) throw;
    }
  };
  const auto adapt = [](const Tensor& x, const Tensor& condition) { AdaptiveNorm(4, 3)(x, condition); };
  rows += {
      REFUSED(value, norms().find("lyer"), "unknown norm 'lyer'; did you mean 'layer'?"),
      REFUSED(value, LayerNorm(Shape{}), "LayerNorm: normalized_shape needs one size or more"),
      REFUSED(value, LayerNorm(Shape{2, 0}), "LayerNorm: normalized_shape needs one size or more"),
      REFUSED(value, LayerNorm({-1}), "LayerNorm: the width must be positive, got -1"),
      REFUSED(value, LayerNormStd(1), "LayerNormStd: the unbiased deviation needs a width of 2"),
      REFUSED(value, GroupNorm(3, 4), "GroupNorm: 3 groups do not divide 4 channels"),
      REFUSED(value, GroupNorm(0, 4), "GroupNorm: 0 groups do not divide 4 channels"),
      REFUSED(value, GroupNorm(-2, 4), "GroupNorm: -2 groups do not divide 4 channels"),
      REFUSED(value, GroupNorm(4, 4)(f32({2, 4})), "one value has no variance"),
      REFUSED(value, BatchNorm1d(4)(f32({1, 4})), "one value has no variance"),
      REFUSED(shape, BatchNorm1d(4)(f32({2, 4, 1, 1})), "expected [N, C] or"),
      REFUSED(shape, BatchNorm2d(4)(f32({2, 4})), "expected [N, C, H, W]"),
      REFUSED(shape, InstanceNorm(4)(f32({2, 4})), "expected [N, C, L] or"),
      REFUSED(shape, ChannelLayerNorm(4)(f32({4})), "ChannelLayerNorm: expected [N, C, ...], got [4]"),
      REFUSED(graph, ChannelLayerNorm(4)({}), "ChannelLayerNorm: forward: x is undefined"),
      REFUSED(value, ChannelLayerNorm(-3), "ChannelLayerNorm: the number of channels must be"),
      REFUSED(shape, with_three_running_values(), "RunningStatistics: of [3] channels, but x has [4]"),
      REFUSED_EACH(BatchNorm1d(4, {.running = {.momentum = bad}}), "BatchNorm1d: momentum must be in [0, 1]", kNaN, kInfinity, -0.1, 1.5),
      REFUSED_EACH(DynamicTanh(4, bad), "DynamicTanh: the slope", kNotFinite),
      REFUSED_EACH(DynamicErf(4, bad), "DynamicErf: the slope", kNotFinite),
      REFUSED(value, WeightStandardLinear(1, 4), "WeightStandardLinear: a row of one number has no variance"),
      REFUSED_EACH(AdaptiveNorm(bad, 4), "AdaptiveNorm: width must be positive", 0, -4),
      REFUSED_EACH(AdaptiveNorm(bad, 4), "AdaptiveNorm: width must be at most 2⁴⁰", INT64_MAX),
      REFUSED_EACH(AdaptiveNorm(4, 4, {.eps = bad}), "AdaptiveNorm: eps", kNegative),
      undefined_rows("forward", {"x", "condition"}, {f32({2, 4}), f32({2, 3})}, [=](const Tensors& t) { adapt(t[0], t[1]); }),
      REFUSED(dtype, adapt(f64({2, 4}), f64({2, 3})), "x is f64, but weight is f32"),
      REFUSED(shape, adapt(f32({2, 4}), f32({5, 3})), "expected x [B, ..., 4]"),
      REFUSED(shape, adapt(f32({2, 4}), f32({2, 4})), "and a condition [B, 3]"),
  };
  return rows;
}

BadCalls norm_function_calls() {
  BadCalls rows;
  // Functions of x, γ and ε alike.
#define NORM(name, call)                                                \
  {                                                                     \
    name, [](const Tensor& x, const Tensor& gain, double eps) { call; } \
  }
  const std::vector<std::pair<const char*, std::function<void(const Tensor&, const Tensor&, double)>>> functions{
      NORM("rms_norm", rms_norm(x, gain, eps)),
      NORM("rms_norm_l2", rms_norm_l2(x, gain, eps)),
      NORM("rms_norm_upcast", rms_norm_upcast(x, gain, eps)),
      NORM("layer_norm", layer_norm(x, {4}, gain, {}, eps)),
      NORM("layer_norm_std", layer_norm_std(x, gain, {}, eps)),
      NORM("scale_only_norm", scale_only_norm(x, gain, eps)),
      NORM("batch_norm", batch_norm(x, gain, {}, eps)),
      NORM("group_norm", group_norm(x, 2, gain, {}, eps)),
      NORM("instance_norm", instance_norm(x, gain, {}, eps))};
#undef NORM
  for (const auto& [name, function] : functions) {
    const std::string who = name;
    const Shape shape = who == "instance_norm" ? Shape{2, 4, 3} : Shape{2, 4};
    const auto f = function;
    rows += no_floating_x(who, [=](const Tensor& x) { f(x, {}, 1e-5); }, shape);
    rows += by(who, {
                        REFUSED(shape, f(f32({}), {}, 1e-5), ""),
                        REFUSED(shape, f(f32({2, 0}), {}, 1e-5), ""),
                        REFUSED(dtype, f(f32(shape), f64({4}), 1e-5), "x is f32, but gain is f64"),
                    });
    rows += REFUSED(shape, f(f32(shape), f32({3}), 1e-5), "so the gain must have shape [4], got [3]");
    rows += REFUSED_EACH(f(f32(shape), {}, bad), who + ": eps", kNegative);
  }
  const auto iterate = [](Tensor u, Tensor v, int64_t times) { power_iteration(f32({2, 4}), u, v, times); };
  rows += {
      REFUSED(dtype, layer_norm(f32({2, 4}), {4}, f32({4}), f64({4})), "layer_norm: x is f32, but bias is f64"),
      REFUSED(shape, layer_norm(f32({2, 4}), {}), "layer_norm: needs at least one value"),
      REFUSED(shape, group_norm(f32({2, 4}), 3), "group_norm: 3 groups do not divide the 4 channels"),
      REFUSED(shape, group_norm(f32({2, 4}), 0), "group_norm: 0 groups do not divide the 4 channels"),
      REFUSED(graph, rms_norm_noeps({}), "rms_norm_noeps: x is undefined"),
      REFUSED(graph, center_only_norm({}), "center_only_norm: x is undefined"),
      REFUSED(graph, scale_norm(f32({4}), {}), "scale_norm: radius is undefined"),
      REFUSED(shape, scale_norm(f32({4}), f32({2})), "scale_norm: the radius is one number"),
      REFUSED(value, scale_norm(f32({4}), f32({}), kNaN), "scale_norm: eps must be finite"),
      REFUSED(graph, dynamic_tanh(f32({4}), f32({}), f32({4}), {}), "dynamic_tanh: bias is undefined"),
      REFUSED(shape, dynamic_tanh(f32({4}), f32({2}), f32({4}), f32({4})), "dynamic_tanh: the slope is one number"),
      REFUSED(graph, dynamic_erf(f32({4}), f32({}), f32({}), f32({4}), {}), "dynamic_erf: bias is undefined"),
      REFUSED(shape, dynamic_erf(f32({4}), f32({}), f32({2}), f32({4}), f32({4})), "dynamic_erf: slope and shift are one number each"),
      REFUSED(graph, weight_standard({}), "weight_standard: weight is undefined"),
      REFUSED(shape, weight_standard(f32({4})), "weight_standard: expected a weight [out, in, ...]"),
      REFUSED(shape, weight_standard(f32({4, 1})), "with two numbers or more in a row, got [4, 1]"),
      REFUSED_EACH(weight_standard(f32({2, 4}), bad), "weight_standard: eps", kNegative),
      REFUSED(graph, adaptive_norm(f32({2, 4}), f32({4}), {}), "adaptive_norm: shift is undefined"),
      REFUSED(shape, adaptive_norm(f32({2, 4}), f32({3}), f32({4})),
              "adaptive_norm: the scale of shape [3] does not broadcast to x's [2, 4]"),
      REFUSED(value, adaptive_norm(f32({2, 4}), f32({4}), f32({4}), kInfinity),
              "adaptive_norm: eps must be finite and not negative, got inf"),
      REFUSED(shape, normalize_by(f32({2, 4}), f32({3}), f32({4}), {}, {}, 0),
              "normalize_by: x has shape [2, 4], so mean and variance must have shape [4], got [3] and [4]"),
      REFUSED(shape, normalize_by(f32({4}), f32({4}), f32({4}), {}, {}, 0), "normalize_by: expected x [N, C, ...], got [4]"),
      REFUSED(graph, normalize_by(f32({2, 4}), f32({4}), {}, {}, {}, 0), "normalize_by: variance is undefined"),
      REFUSED(graph, weight_norm(f32({2, 4}), {}), "weight_norm: length is undefined"),
      REFUSED(shape, weight_norm(f32({2, 4}), f32({4})), "weight_norm: expected directions"),
      REFUSED(dtype, weight_norm(i64({2, 4}), i64({2})), "weight_norm: needs a floating dtype"),
      REFUSED(graph, spectral_norm(f32({2, 4}), {}, f32({4})), "spectral_norm: u is undefined"),
      REFUSED(shape, spectral_norm(f32({2, 4}), f32({4}), f32({2})), "spectral_norm: expected a weight [out, in], u [out] and v [in]"),
      REFUSED(value, iterate(f32({2}), f32({4}), -1), "power_iteration: the number of times must not be negative, got -1"),
      REFUSED(graph, iterate({}, f32({4}), 1), "power_iteration: u is undefined"),
  };
  return rows;
}

}  // namespace gradus::test
