// No encoding: without a mask, attention is then permutation-equivariant: order is lost.
#pragma once

#include "nn/position/position.h"

namespace gradus::nn {

// #region pos-none
class NoPosition : public Position {
 public:
  void members(Members&) override {}
  std::string name() const override { return "NoPosition"; }
};
// #endregion pos-none

}  // namespace gradus::nn
