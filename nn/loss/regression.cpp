#include "nn/loss/regression.h"

namespace gradus::nn {
namespace {

Tensor difference(const char* op, const Tensor& x, const Tensor& y) {
  check<ShapeError>(x.shape() == y.shape(), "{}: the prediction has shape {}, the target {}", op, x.shape(),
                    y.shape());
  return x - y;
}

}  // namespace

Tensor mse(const Tensor& x, const Tensor& y, Reduction reduction) {
  // #region loss-mse
  return reduce(square(difference("mse", x, y)), reduction);
  // #endregion loss-mse
}

Tensor l1(const Tensor& x, const Tensor& y, Reduction reduction) {
  // #region loss-l1
  return reduce(abs(difference("l1", x, y)), reduction);
  // #endregion loss-l1
}

Tensor smooth_l1(const Tensor& x, const Tensor& y, double beta, Reduction reduction) {
  check<ValueError>(beta >= 0, "smooth_l1: beta must not be negative, got {}", beta);
  // #region loss-smooth-l1
  const Tensor d = difference("smooth_l1", x, y), far = abs(d) - 0.5 * beta;
  if (beta == 0) return reduce(far, reduction);
  const Tensor near = 0.5 * square(d) / beta;
  return reduce(where(abs(d) < beta, near, far), reduction);
  // #endregion loss-smooth-l1
}

Tensor huber(const Tensor& x, const Tensor& y, double delta, Reduction reduction) {
  check<ValueError>(delta > 0, "huber: delta must be positive, got {}", delta);
  // #region loss-huber
  const Tensor d = difference("huber", x, y);
  const Tensor near = 0.5 * square(d), far = delta * (abs(d) - 0.5 * delta);
  return reduce(where(abs(d) <= delta, near, far), reduction);
  // #endregion loss-huber
}

}  // namespace gradus::nn
