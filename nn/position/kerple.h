// KERPLE: a learned, conditionally positive definite kernel of the distance |i - j| (Chi et al., 2022).
#pragma once

#include "nn/position/position_encoding.h"

namespace gradus::nn {

// What becomes of the scaled score of query i and key j.
enum class KerpleForm {
  logarithmic,  // score - r₁ log(1 + r₂ |i - j|), r₁, r₂ > 0
  power,        // score - r₁ |i - j|^r₂, r₁ > 0, 0 < r₂ <= 2
};

// Subtracts a kernel of the distance |i - j| from the scaled score of query i and key j, as KerpleForm says. Each head has
// its own r₁ and r₂; all layers share them, as in the authors' code. They start uniform: in the logarithmic form r₁
// in [0, 2) and r₂ in [0, 1), in the power r₁ in [0, 1) and r₂ in [0, 2).
//
// The parameters are any real numbers; the kernel reads their absolute values, the power's r₂ mirrored at 2, too. This map's
// slope is 1 or -1, so none gets stuck near an end of its range; but one set to 0 stays.
class KerplePosition : public PositionEncoding {
 public:
  explicit KerplePosition(const PositionOptions& options, KerpleForm form = KerpleForm::logarithmic);

  Tensor on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double scale) override;
  void members(Members& m) override;
  std::string describe() const override;

  Parameter r1, r2;  // [heads]

 private:
  KerpleForm form_;
};

}  // namespace gradus::nn
