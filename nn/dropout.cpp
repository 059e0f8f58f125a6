#include "nn/dropout.h"

#include "core/tensor/random.h"

namespace gradus::nn {

// #region regular-dropout
Tensor dropout(const Tensor& x, double p) {
  check<ValueError>(p >= 0 && p < 1, "dropout: p must be in [0, 1), got {}", p);
  if (p == 0) return x;
  const Tensor kept = uniform(x.shape()) >= p;
  return in_f32({x}, [&](const Tensors& in) { return in[0] * (cast(kept, in[0].dtype()) / (1 - p)); });
}
// #endregion regular-dropout

Dropout::Dropout(double p) : p_(p) {
  check<ValueError>(p >= 0 && p < 1, "Dropout: p must be in [0, 1), got {}", p);
}

}  // namespace gradus::nn
