#include "nn/model/compatibility.h"

#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "nn/model/language_model.h"
#include "nn/norm/norm_table.h"

namespace gradus::nn {
namespace {

constexpr int64_t kWidth = 8;  // of the probes: any will do

Tensor probe(const Shape& shape) {
  Generator generator(0);
  return uniform(shape, -1, 1, DType::f32, generator);
}

// Does a change of one token change the norm of another, in training?
bool mixes_tokens(const MakeNorm& make) {
  const LayerPtr norm = make({.width = kWidth});
  const Tensor x = probe({1, 2, kWidth}), first = slice(x, 1, 0, 1);
  const Tensor other = cat({first, slice(x, 1, 1) + 1}, 1);
  return max_difference(slice((*norm)(x), 1, 0, 1), slice((*norm)(other), 1, 0, 1)) > 0;
}

// Is the norm of 1000 x some hundred times that of x?
bool lets_scale_through(const MakeNorm& make) {
  const LayerPtr norm = make({.width = kWidth});
  const Tensor x = probe({1, 1, kWidth});
  const auto size = [&](double scale) { return max(abs((*norm)(scale * x))).item(); };
  return size(1000) > 100 * size(1);
}

bool relies_on_rescaling(const std::string& name, const MakeNorm& make) {
  const PlacementPtr placement = placements().find(name).value({
      .make_norm = [&] { return make({.width = kWidth}); },
      .d_model = kWidth,
      .sublayers = {SublayerKind::attention, SublayerKind::feed_forward},
      .stack = {.layers = 1},
  });
  return placement->relies_on_rescaling();
}

}  // namespace

std::string why_not(const StackVariants& o) {
  const NoGrad off;
  for (const auto& [what, name] : {std::pair{"norm", o.norm}, {"qk_norm", o.qk_norm}}) {
    const bool mixes = !name.empty() && mixes_tokens(norms().find(name).value);
    if (o.causal && mixes) {
      return fmt::format("{} '{}' mixes tokens, so that each would see those it is to predict; take 'layer' or 'rms'",
                         what, name);
    }
  }
  const MakeNorm& norm = norms().find(o.norm).value;
  if (relies_on_rescaling(o.placement, norm) && lets_scale_through(norm)) {
    return fmt::format("placement '{}' multiplies the stream in every block, and norm '{}' does not take the scale out, "
                       "so that it would grow exponentially with depth; take norm 'layer' or 'rms'",
                       o.placement, o.norm);
  }
  return "";
}

std::string why_not(const LanguageModelOptions& o) {
  position_encodings().find(o.position);
  feed_forwards().find(o.feed_forward);
  return why_not(StackVariants{.norm = o.norm, .placement = o.placement, .qk_norm = o.qk_norm});
}

}  // namespace gradus::nn
