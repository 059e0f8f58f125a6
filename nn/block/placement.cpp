#include "nn/block/placement.h"

namespace gradus::nn {

// #region block-pre
Tensor PreNorm::forward(const Tensor& x) { return x + (*sublayer_)((*norm_)(x)); }
// #endregion block-pre

void PreNorm::members(Members& m) {
  m.child("norm", *norm_);
  m.child("sublayer", *sublayer_);
}

const Family<MakePlacement>& placements() {
  static const Family<MakePlacement> family{
      "placement",
      {
          {"pre", "block-pre",
           [](LayerPtr f, LayerPtr norm) { return std::make_unique<PreNorm>(std::move(f), std::move(norm)); }},
      }};
  return family;
}

}  // namespace gradus::nn
