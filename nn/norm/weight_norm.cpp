#include "nn/norm/weight_norm.h"

#include "nn/check_inputs.h"

namespace gradus::nn {

// #region norm-weight
Tensor formula::weight_norm(const Tensor& direction, const Tensor& length) {
  const Tensor unit = direction / sqrt(sum(square(direction), 1, true));
  return unsqueeze(length, 1) * unit;
}
// #endregion norm-weight

Tensor weight_norm(const Tensor& direction, const Tensor& length) {
  check_inputs({{"direction", direction}, {"length", length}});
  check<ShapeError>(direction.rank() == 2 && length.rank() == 1 && length.size(0) == direction.size(0),
                    "weight_norm: expected directions [out, in] and lengths [out], got {} and {}", direction.shape(), length.shape());
  return in_f32({direction, length}, [](const Tensors& in) { return formula::weight_norm(in[0], in[1]); });
}

WeightNormLinear::WeightNormLinear(int64_t in, int64_t out, LinearOptions options) : role_(options.role) {
  check_map_sizes(in, out);
  const Linear plain(in, out, options);
  direction = plain.weight;
  length = sqrt(sum(square(direction.detach()), 1));
  bias = plain.bias;
}

Tensor WeightNormLinear::forward(const Tensor& x) { return linear(x, weight_norm(direction, length), bias); }

void WeightNormLinear::members(Members& m) {
  m.parameter("direction", direction, role_);
  m.parameter("length", length, Role::gain);
  m.parameter("bias", bias, Role::bias);
}

}  // namespace gradus::nn
