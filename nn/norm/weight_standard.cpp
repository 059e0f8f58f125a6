#include "nn/norm/weight_standard.h"

#include <cmath>

#include "core/tape/grad_mode.h"
#include "nn/check_inputs.h"
#include "nn/norm/affine.h"
#include "nn/norm/layer_norm.h"

namespace gradus::nn {

// #region norm-weight-standard
Tensor formula::weight_standard(const Tensor& weight, double eps) {
  const Tensor rows = normalize(flatten(weight, 1), -1, eps);  // [out, n]
  return reshape(rows, weight.shape());
}
// #endregion norm-weight-standard

Tensor weight_standard(const Tensor& weight, double eps) {
  check_inputs({{"weight", weight}});
  check<ShapeError>(weight.rank() >= 2 && weight.size(0) > 0 && weight.numel() > weight.size(0),
                    "weight_standard: expected a weight [out, in, ...] with two numbers or more in a row, got {}", weight.shape());
  check_eps(eps);
  if (formula_only()) return in_f32({weight}, [eps](const Tensors& in) { return formula::weight_standard(in[0], eps); });
  const int64_t n = weight.numel() / weight.size(0);
  return reshape(layer_norm(flatten(weight, 1), {n}, {}, {}, eps), weight.shape());
}

WeightStandardLinear::WeightStandardLinear(int64_t in, int64_t out, LinearOptions options) : role_(options.role) {
  check_map_sizes(in, out);
  check<ValueError>(in > 1, "WeightStandardLinear: a row of one number has no variance; take two inputs or more");
  const Linear plain(in, out, options);
  weight = plain.weight;
  gain = full({out}, 1 / std::sqrt(static_cast<double>(in)));
  bias = plain.bias;
}

Tensor WeightStandardLinear::forward(const Tensor& x) { return linear(x, unsqueeze(gain, 1) * weight_standard(weight), bias); }

void WeightStandardLinear::members(Members& m) {
  m.parameter("weight", weight, role_);
  m.parameter("gain", gain, Role::gain);
  m.parameter("bias", bias, Role::bias);
}

}  // namespace gradus::nn
