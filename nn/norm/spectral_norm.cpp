#include "nn/norm/spectral_norm.h"

#include <limits>

#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"

namespace gradus::nn {

// #region norm-spectral
Tensor formula::spectral_norm(const Tensor& weight, const Tensor& u, const Tensor& v) {
  const Tensor sigma = dot(u, matmul(weight, v));
  return weight / sigma;
}

void power_iteration(const Tensor& weight, Tensor& u, Tensor& v, int64_t times) {
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
  check<ShapeError>(weight.rank() == 2 && u.shape() == Shape{weight.size(0)} && v.shape() == Shape{weight.size(1)},
                    "spectral_norm: expected a weight [out, in], u [out] and v [in], got {}, {} and {}", weight.shape(), u.shape(),
                    v.shape());
  return in_f32({weight, u, v}, [](const Tensors& in) { return formula::spectral_norm(in[0], in[1], in[2]); });
}

SpectralNormLinear::SpectralNormLinear(int64_t in, int64_t out, LinearOptions options) : role_(options.role) {
  const Linear plain(in, out, options);
  weight = plain.weight;
  bias = plain.bias;
  u = zeros({out});
  v = zeros({in});
}

Tensor SpectralNormLinear::forward(const Tensor& x) {
  check<ShapeError>(x.rank() > 0 && x.size(-1) == weight.size(1), "SpectralNormLinear: expected [..., {}], got {}", weight.size(1),
                    x.shape());
  const bool first_call = max(abs(v)).item() == 0;
  if (first_call) v.assign(randn(v.shape()));
  power_iteration(weight, u, v, first_call ? 15 : training() ? 1 : 0);
  // Copies: the next call may change u and v before this one's backward.
  return linear(x, spectral_norm(weight, u.detached_copy(), v.detached_copy()), bias);
}

void SpectralNormLinear::members(Members& m) {
  m.parameter("weight", weight, role_);
  m.parameter("bias", bias, Role::bias);
  m.buffer("u", u);
  m.buffer("v", v);
}

std::string SpectralNormLinear::describe() const {
  return fmt::format("SpectralNormLinear({} -> {}{})", weight.size(1), weight.size(0), bias.defined() ? "" : ", no bias");
}

}  // namespace gradus::nn
