#include "nn/block/placement.h"
#include "nn/block/pre_norm.h"

namespace gradus::nn {

const Family<MakePlacement>& placements() {
  static const Family<MakePlacement> family{
      "placement",
      {
          {"pre", "block-pre", [](const PlacementOptions& o) { return std::make_unique<PreNorm>(o); }},
      }};
  return family;
}

}  // namespace gradus::nn
