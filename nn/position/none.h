// No encoding: attention without a mask is then permutation-equivariant, so that order is lost.
#pragma once

#include "nn/position/position_encoding.h"

namespace gradus::nn {

// #region pos-none
class NoPosition : public PositionEncoding {
 public:
  void members(Members&) override {}
};
// #endregion pos-none

}  // namespace gradus::nn
