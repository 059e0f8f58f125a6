// KERPLE: kernelised relative positions (Chi et al., 2022): a learned, conditionally positive definite kernel of |i -
// j|.
#pragma once

#include "nn/position/position_encoding.h"

namespace gradus::nn {

enum class KerpleForm {
  logarithmic,  // score - r₁ log(1 + r₂ |i - j|), r₁, r₂ > 0
  power,        // score - r₁ |i - j|^r₂, r₁ > 0, 0 < r₂ <= 2
};

// r₁ and r₂ of each head, [H], are trained as any numbers and taken by their size, the r₂ of the power as if 0 and 2
// were mirrors: the slope is 1 or -1 everywhere, so that none leaves its range and none is stuck at the end of it.
// They start uniform: of the logarithm r₁ in [0, 2), r₂ in [0, 1), of the power r₁ in [0, 1), r₂ in [0, 2). All layers
// share them, as in the authors' code.
class KerplePosition : public PositionEncoding {
 public:
  explicit KerplePosition(const PositionOptions& options, KerpleForm form = KerpleForm::logarithmic);

  Tensor on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double scale) override;
  void members(Members& m) override;
  std::string describe() const override;

  Parameter r1, r2;

 private:
  KerpleForm form_;
};

}  // namespace gradus::nn
