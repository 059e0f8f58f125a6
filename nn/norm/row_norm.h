// RowNorm: what the norms over the last axis share: all but the formula.
#pragma once

#include "nn/norm/affine.h"

namespace gradus::nn {

// ShapeError that names `op` unless x is [..., n] with n >= `least`, and γ and β are each [n] or undefined.
void check_row(const Tensor& x, const Tensor& gain, const Tensor& bias, int64_t least = 1, OpName op = {});

struct RowNormOptions {
  double eps = 1e-5;
  bool gain = true;
  bool bias = true;
};

// A norm over the last axis of x [..., width], with γ and β [width]. Its subclass has the formula.
class RowNorm : public AffineNorm {
 public:
  std::string describe() const override;

 protected:
  // `type` is the class's name. ValueError unless width > 0 and eps >= 0.
  RowNorm(const char* type, int64_t width, RowNormOptions options);

  virtual Tensor apply(const Tensor& x) const = 0;  // the formula
  double eps() const { return eps_; }

 private:
  Tensor forward(const Tensor& x) final;  // ShapeError unless x is [..., width]

  const char* type_;
  int64_t width_;
  double eps_;
};

}  // namespace gradus::nn
