#include "nn/position/position.h"
#include "nn/position/rope.h"

namespace gradus::nn {

const Family<MakePosition>& positions() {
  static const Family<MakePosition> family{
      "position",
      {
          {"rope", "pos-rope", [](const PositionOptions& o) { return std::make_unique<RoPE>(o); }},
      }};
  return family;
}

}  // namespace gradus::nn
