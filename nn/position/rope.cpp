#include "nn/position/rope.h"

#include <algorithm>
#include <cmath>

#include "core/options/range.h"
#include "nn/check_inputs.h"

namespace gradus::nn {
namespace {

// #region pos-rope-half
// #region pos-rope
// ω_k = θ^(-2k/width): at position p pair k is turned by φ = p ω_k radians
Tensor frequencies(int64_t width, double theta) {
  const Tensor k = cast(arange(width / 2), DType::f64);
  return exp(k / (width / 2) * -std::log(theta));  // θ^(-k/pairs), by way of its logarithm
}

std::pair<Tensor, Tensor> turned(const Tensor& a, const Tensor& b, const Tensor& cosine, const Tensor& sine) {
  return {a * cosine - b * sine, a * sine + b * cosine};
}

Tensor turn_pairs(const Tensor& x, const Tensor& cosine, const Tensor& sine) {
  const Tensor paired = reshape(x, x.shape().slice(0, 3).concat({x.size(-1) / 2, 2}));  // [B, T, H, w/2, 2]
  const auto [even, odd] = turned(select(paired, -1, 0), select(paired, -1, 1), cosine, sine);
  return reshape(stack({even, odd}, -1), x.shape());
}
// #endregion pos-rope

Tensor turn_halves(const Tensor& x, const Tensor& cosine, const Tensor& sine) {
  const int64_t half = x.size(-1) / 2;
  const auto [first, second] = turned(slice(x, -1, 0, half), slice(x, -1, half), cosine, sine);
  return cat({first, second}, -1);
}
// #endregion pos-rope-half

}  // namespace

// #region pos-rope-half-permutation
Tensor halves_from_pairs(int64_t width) {
  check<ValueError>(width >= 0 && width % 2 == 0, "halves_from_pairs: the width must be even, got {}", width);
  return flatten(transpose(reshape(arange(width), {-1, 2})));  // 0, 2, 4, …, 1, 3, 5, …
}

Tensor pairs_from_halves(int64_t width) {
  check<ValueError>(width >= 0 && width % 2 == 0, "pairs_from_halves: the width must be even, got {}", width);
  return flatten(transpose(reshape(arange(width), {2, -1})));  // 0, w/2, 1, w/2 + 1, …
}
// #endregion pos-rope-half-permutation

// #region pos-rope-partial
// y = x, each pair (a, b) turned by its φ: (a cos φ - b sin φ, a sin φ + b cos φ)      dL/dx = dL/dy, each pair turned back
Tensor formula::rope(const Tensor& x, const Tensor& cosines, const Tensor& sines, RopeLayout layout) {
  const int64_t width = 2 * cosines.size(-1);
  const Tensor cosine = unsqueeze(cosines, -2), sine = unsqueeze(sines, -2);  // [T, 1, w/2], the same for each head
  const Tensor turning = slice(x, -1, 0, width), passing = slice(x, -1, width);
  const Tensor y = layout == RopeLayout::pairs ? turn_pairs(turning, cosine, sine) : turn_halves(turning, cosine, sine);
  return cat({y, passing}, -1);
}
// #endregion pos-rope-partial

// #region pos-rope-relative
Tensor formula::rope_relative(const Tensor& q, const Tensor& k, double distance, double theta) {
  const Tensor angle = unsqueeze(rope_frequencies(k.numel(), {.theta = theta}, 0) * distance, 0);
  const Tensor turned_k = rope(reshape(k, {1, 1, 1, -1}), cast(cos(angle), k.dtype()), cast(sin(angle), k.dtype()));
  return dot(q, flatten(turned_k));
}
// #endregion pos-rope-relative

Tensor rope(const Tensor& x, const Tensor& cosines, const Tensor& sines, RopeLayout layout) {
  check_inputs({{"x", x}, {"cosines", cosines}, {"sines", sines}});
  check<ShapeError>(x.rank() == 4, "rope: needs x [B, T, H, d], got {}", x.shape());
  const int64_t pairs = cosines.rank() > 0 ? cosines.size(-1) : 0;
  const Shape shared{x.size(1), pairs}, own{x.size(0), x.size(1), pairs};
  const bool fit = cosines.shape() == sines.shape() && (cosines.shape() == shared || cosines.shape() == own);
  check<ShapeError>(fit && 2 * pairs <= x.size(3),
                    "rope: x has shape {0}, so cosines and sines must have shape [{2}, n] or [{1}, {2}, n] with 2n <= {3}, "
                    "got {4} and {5}",
                    x.shape(), x.size(0), x.size(1), x.size(3), cosines.shape(), sines.shape());
  if (cosines.requires_grad() || sines.requires_grad()) return formula::rope(x, cosines, sines, layout);
  return fused(
      "rope", {x, cosines, sines}, [layout](const Tensors& in) { return formula::rope(in[0], in[1], in[2], layout); }, fast::rope(layout));
}

namespace {

// #region pos-rope-interpolation
// ω/s: position p turns as p/s did
Tensor interpolated(const Tensor& frequency, double factor) { return frequency / factor; }
// #endregion pos-rope-interpolation

// #region pos-rope-ntk
// θ s^(w/(w-2)): the slowest pair is interpolated fully, ω/s, the fastest not at all
double ntk_theta(double theta, double factor, int64_t width) {
  const auto w = static_cast<double>(width);
  return width > 2 ? theta * std::pow(factor, w / (w - 2)) : theta;
}
// #endregion pos-rope-ntk

// #region pos-yarn
// #region pos-rope-bands
constexpr double kTwoPi = 6.28318530717958647692;

// A pair that turns r = ω · length / 2π times within the trained length (its wavelength is length / r) keeps its frequency
// if r >= high, is interpolated if r <= low, and between: smooth · ω + (1 - smooth) · ω/s, smooth = (r - low) / (high - low)
Tensor ramp_over_turns(const Tensor& frequency, double trained_length, double low, double high) {
  const Tensor turns = frequency * (trained_length / kTwoPi);
  return clamp((turns - low) / (high - low), 0, 1);
}

Tensor mixed(const Tensor& frequency, const Tensor& smooth, double factor) {
  return smooth * frequency + (1 - smooth) * interpolated(frequency, factor);
}
// #endregion pos-rope-bands

// The bands of YaRN.
constexpr double kYarnLow = 1, kYarnHigh = 32;

// smooth = (last - k) / (last - first), from the pair `first` of 32 turns to the pair `last` of one: r turns are those of
// k = w/2 · ln(length / 2πr) / ln θ. The limits 0, w - 1 and 0.001 are those of the authors' code.
Tensor ramp_over_pairs(int64_t width, double trained_length, double theta, YarnRamp ramp) {
  const auto pair_of = [=](double turns) {
    return static_cast<double>(width / 2) * std::log(trained_length / (kTwoPi * turns)) / std::log(theta);
  };
  double first = pair_of(kYarnHigh), last = pair_of(kYarnLow);
  if (ramp == YarnRamp::pairs) {
    first = std::floor(first);
    last = std::ceil(last);
  }
  first = std::max(first, 0.0);
  last = std::max(std::min(last, static_cast<double>(width - 1)), first + 0.001);
  return clamp((last - arange(0, static_cast<double>(width / 2), 1, DType::f64)) / (last - first), 0, 1);
}

Tensor yarn_ramp(const Tensor& frequency, const RopeOptions& o, double trained_length) {
  if (o.ramp == YarnRamp::turns) return ramp_over_turns(frequency, trained_length, kYarnLow, kYarnHigh);
  return ramp_over_pairs(2 * frequency.numel(), trained_length, o.theta, o.ramp);
}

// √(1/t) = 0.1 ln s + 1: q and k are each made longer by it, so that the scores are divided by the temperature t.
double yarn_length(double factor) { return 0.1 * std::log(factor) + 1; }
// #endregion pos-yarn

void check_rope(int64_t width, const RopeOptions& o, OpName op = {}) {
  check<ValueError>(width > 0 && width % 2 == 0, "{}: turns pairs, so the head width must be even, got {}", op, width);
  check_range("theta", o.theta, range::positive, op);
  check_range("the factor", o.factor, {1, range::infinity, true, false}, op);
  check<ValueError>(o.trained_length >= 0, "{}: trained_length must not be negative, got {}", op, o.trained_length);
  check<ValueError>(range::not_negative.holds(o.low) && range::finite.holds(o.high) && o.low < o.high,
                    "{}: the bands need 0 <= low < high, got {} and {}", op, o.low, o.high);
  check<ValueError>(o.ramp == YarnRamp::turns || o.theta > 1, "{}: a ramp over pairs needs theta > 1, got {}", op, o.theta);
}

int64_t checked_width(const PositionOptions& options, const RopeOptions& rope) {
  const int64_t width = rope.width == 0 ? options.head_dim : rope.width;
  check_rope(width, rope, "RoPE");
  check<ValueError>(width <= options.head_dim, "RoPE: width {} exceeds head_dim {}", width, options.head_dim);
  return width;
}

}  // namespace

Tensor rope_frequencies(int64_t width, const RopeOptions& o, double trained_length) {
  check_rope(width, o);
  check_range("the trained length", trained_length, range::not_negative);
  const double theta = o.scaling == RopeScaling::ntk ? ntk_theta(o.theta, o.factor, width) : o.theta;
  const Tensor frequency = frequencies(width, theta);
  switch (o.scaling) {
    case RopeScaling::interpolation: return interpolated(frequency, o.factor);
    case RopeScaling::bands: return mixed(frequency, ramp_over_turns(frequency, trained_length, o.low, o.high), o.factor);
    case RopeScaling::yarn: return mixed(frequency, yarn_ramp(frequency, o, trained_length), o.factor);
    default: return frequency;
  }
}

RoPE::RoPE(const PositionOptions& options, const RopeOptions& rope) : PositionEncoding("RoPE", options), rope_(rope) {
  const int64_t width = checked_width(options, rope);
  const auto length = static_cast<double>(options.max_length);
  const double trained = rope.trained_length > 0 ? static_cast<double>(rope.trained_length) : length / rope.factor;
  const Tensor angle = outer(arange(0, length, 1, DType::f64), rope_frequencies(width, rope, trained));
  const double stretch = rope.scaling == RopeScaling::yarn ? yarn_length(rope.factor) : 1;
  cosines_ = cos(angle) * stretch;
  sines_ = sin(angle) * stretch;
}

Tensor RoPE::turn(const Tensor& x, const Tensor& positions) const {
  check_defined({{"x", x}}, "RoPE");
  check<ShapeError>(x.rank() == 4 && x.size(3) == options().head_dim, "RoPE: expected [B, T, H, {}], got {}", options().head_dim,
                    x.shape());
  const auto rows = [&](const Tensor& table) { return rows_at(table, positions, x.dtype()); };
  return rope(x, rows(cosines_), rows(sines_), rope_.layout);
}

void RoPE::members(Members& m) {
  m.buffer("cosines", cosines_, false);
  m.buffer("sines", sines_, false);
}

std::string RoPE::describe() const { return fmt::format("RoPE(theta {})", rope_.theta); }

}  // namespace gradus::nn
