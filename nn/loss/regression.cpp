#include "nn/loss/regression.h"

#include <limits>

#include "core/options/range.h"
#include "nn/check_inputs.h"

namespace gradus::nn {
namespace {

// The loss f(x - y), reduced.
template <typename F> Tensor loss_of_difference(const Tensor& x, const Tensor& y, Reduction reduction, F f, OpName op = {}) {
  check_pair(x, y, {"prediction", "has", "target"}, op);
  return in_f32({x, y}, [&](const Tensors& in) { return reduce(f(in[0] - in[1]), reduction); });
}

}  // namespace

Tensor mse(const Tensor& x, const Tensor& y, Reduction reduction) {
  // #region loss-mse
  return loss_of_difference(x, y, reduction, [](const Tensor& d) { return square(d); });
  // #endregion loss-mse
}

Tensor l1(const Tensor& x, const Tensor& y, Reduction reduction) {
  // #region loss-l1
  return loss_of_difference(x, y, reduction, [](const Tensor& d) { return abs(d); });
  // #endregion loss-l1
}

Tensor smooth_l1(const Tensor& x, const Tensor& y, double beta, Reduction reduction) {
  check_range("beta", beta, range::not_negative);
  // #region loss-smooth-l1
  return loss_of_difference(x, y, reduction, [=](const Tensor& d) {
    if (beta < std::numeric_limits<float>::min()) return abs(d);  // 1 / β would be ∞ in f32
    const Tensor t = clamp(d / beta, -1, 1);                      // c / β of huber: nothing is so small that it becomes 0
    return t * (d - 0.5 * beta * t);
  });
  // #endregion loss-smooth-l1
}

Tensor huber(const Tensor& x, const Tensor& y, double delta, Reduction reduction) {
  check_range("delta", delta, {0, range::infinity, false});
  // #region loss-huber
  return loss_of_difference(x, y, reduction, [=](const Tensor& d) {
    const Tensor c = clamp(d, -delta, delta);  // d, or ±δ: no branch, whose gradient would be 0·∞
    return c * (d - 0.5 * c);
  });
  // #endregion loss-huber
}

}  // namespace gradus::nn
