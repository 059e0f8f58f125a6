#include "nn/norm/spectral_norm.h"

#include <limits>

#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "nn/check_inputs.h"

namespace gradus::nn {
namespace {

void check_singular(const Tensor& weight, const Tensor& u, const Tensor& v, OpName op = {}) {
  check_inputs({{"weight", weight}, {"u", u}, {"v", v}}, op);
  check<ShapeError>(weight.rank() == 2 && u.shape() == Shape{weight.size(0)} && v.shape() == Shape{weight.size(1)},
                    "{}: expected a weight [out, in], u [out] and v [in], got {}, {} and {}", op, weight.shape(), u.shape(), v.shape());
}

}  // namespace

// #region norm-spectral
Tensor formula::spectral_norm(const Tensor& weight, const Tensor& u, const Tensor& v) {
  const Tensor sigma = dot(u, matmul(weight, v));
  return weight / sigma;
}

void power_iteration(const Tensor& weight, Tensor& u, Tensor& v, int64_t times) {
  check_singular(weight, u, v);
  check<ValueError>(times >= 0, "power_iteration: the number of times must not be negative, got {}", times);
  const NoGrad off;
  const DType wide = weight.dtype() == DType::f16 ? DType::f32 : weight.dtype();  // squares of f16 overflow
  const auto unit = [](const Tensor& x) { return x / clamp(sqrt(sum(square(x))), 1e-12, std::numeric_limits<double>::infinity()); };
  const Tensor w = cast(weight, wide);
  for (int64_t i = 0; i < times; ++i) {
    u.assign(unit(matmul(w, cast(v, wide))));
    v.assign(unit(matmul(cast(u, wide), w)));
  }
}
// #endregion norm-spectral

Tensor spectral_norm(const Tensor& weight, const Tensor& u, const Tensor& v) {
  check_singular(weight, u, v);
  return in_f32({weight, u, v}, [](const Tensors& in) { return formula::spectral_norm(in[0], in[1], in[2]); });
}

SpectralNormLinear::SpectralNormLinear(int64_t in, int64_t out, LinearOptions options) : role_(options.role) {
  check_map_sizes(in, out);
  const Linear plain(in, out, options);
  weight = plain.weight;
  bias = plain.bias;
  u = zeros({out});
  v = zeros({in});
}

Tensor SpectralNormLinear::forward(const Tensor& x) {
  const bool first_call = max(abs(v)).item() == 0;
  // Copies: this call may fail, and the next may change u and v before this one's backward.
  Tensor new_u = u.detached_copy(), new_v = v.detached_copy();
  if (first_call) new_v.assign(randn(v.shape()));
  power_iteration(weight, new_u, new_v, first_call ? 15 : training() ? 1 : 0);
  const Tensor y = linear(x, spectral_norm(weight, new_u, new_v), bias);
  u.assign(new_u);
  v.assign(new_v);
  return y;
}

void SpectralNormLinear::members(Members& m) {
  m.parameter("weight", weight, role_);
  m.parameter("bias", bias, Role::bias);
  m.buffer("u", u);
  m.buffer("v", v);
}

}  // namespace gradus::nn
