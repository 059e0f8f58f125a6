#include "nn/position/rope.h"

#include <cmath>

#include "core/autograd/record.h"
#include "core/kernels/rope.h"

namespace gradus::nn {

// #region pos-rope
Tensor formula::rope(const Tensor& x, const Tensor& cosines, const Tensor& sines) {
  const int64_t pairs = x.size(-1) / 2;
  const Tensor paired = reshape(x, x.shape().slice(0, 3).concat({pairs, 2}));  // [B, T, H, d/2, 2]
  const Tensor even = select(paired, -1, 0), odd = select(paired, -1, 1);
  const Tensor cosine = unsqueeze(cosines, -2), sine = unsqueeze(sines, -2);   // [T, 1, d/2], the same for each head
  return reshape(stack({even * cosine - odd * sine, even * sine + odd * cosine}, -1), x.shape());
}
// #endregion pos-rope

Tensor rope(const Tensor& x, const Tensor& cosines, const Tensor& sines) {
  check<ShapeError>(x.rank() == 4 && x.size(3) % 2 == 0, "rope: needs x [B, T, H, d] with even d, got {}", x.shape());
  const Shape shared{x.size(1), x.size(3) / 2}, own{x.size(0), x.size(1), x.size(3) / 2};
  check<ShapeError>(cosines.shape() == sines.shape() && (cosines.shape() == shared || cosines.shape() == own),
                    "rope: x has shape {}, so cosines and sines must have shape {} or {}, got {} and {}", x.shape(), shared,
                    own, cosines.shape(), sines.shape());
  if (formula_only()) return formula::rope(x, cosines, sines);
  return record_fused("rope", kernels::rope(x, cosines, sines, false), {x},
                      [=](const Tensors& in) { return formula::rope(in[0], cosines, sines); },
                      [=](const Step& s) { return Tensors{kernels::rope(s.grad, cosines, sines, true)}; });
}

RoPE::RoPE(const PositionOptions& options, double theta) : theta_(theta) {
  check<ValueError>(options.head_dim > 0 && options.head_dim % 2 == 0,
                    "RoPE: turns pairs, so the head width must be even, got {}", options.head_dim);
  const int64_t pairs = options.head_dim / 2;
  const Tensor exponent = arange(0, static_cast<double>(pairs), 1, DType::f64) / static_cast<double>(pairs);
  const Tensor frequency = exp(exponent * -std::log(theta));                                           // θ^(-2k/d)
  const Tensor position = arange(0, static_cast<double>(options.max_length), 1, DType::f64);
  const Tensor angle = outer(position, frequency);
  cosines_ = cos(angle);
  sines_ = sin(angle);
}

Tensor RoPE::turn(const Tensor& x, const Tensor& places) const {
  const auto last = static_cast<int64_t>(max(places).item());
  check<ValueError>(last < cosines_.size(0), "RoPE: position {} is beyond the table's {}; build it with a larger max_length",
                    last, cosines_.size(0) - 1);
  const Shape shape = places.shape().concat({cosines_.size(1)});
  const auto rows = [&](const Tensor& table) {
    return cast(reshape(index_select(table, 0, flatten(places)), shape), x.dtype());
  };
  return rope(x, rows(cosines_), rows(sines_));
}

void RoPE::members(Members& m) {
  m.buffer("cosines", cosines_, false);
  m.buffer("sines", sines_, false);
}

std::string RoPE::name() const { return fmt::format("RoPE(theta {})", theta_); }

}  // namespace gradus::nn
