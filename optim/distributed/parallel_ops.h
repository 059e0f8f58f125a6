// Ops whose forward or backward is a message: what splits one model over ranks.
#pragma once

#include "core/tensor/tensor.h"
#include "optim/distributed/link.h"

namespace gradus::distributed {

Message message_of(Tensor x);  // its values, which receive() may overwrite

// Calls f(numbers) with x's own numbers, a span of floats or doubles. DTypeError unless f32 or f64.
template <typename F> void with_numbers(Tensor& x, const F& f) {
  check<DTypeError>(x.dtype() == DType::f32 || x.dtype() == DType::f64, "ranks sum f32 or f64, got {}; use cast(x, DType::f32) first",
                    x.dtype());
  const auto count = static_cast<std::size_t>(x.numel());
  if (x.dtype() == DType::f32) f(std::span(x.mutable_data<float>(), count));
  if (x.dtype() == DType::f64) f(std::span(x.mutable_data<double>(), count));
}

// x becomes its sum over all ranks, the same bits on each, in place: tree_all_reduce. DTypeError unless f32 or f64.
void all_reduce(Link& link, Tensor& x);

// Two conjugate ops (Shoeybi et al., 2019): the gradient of each is the other. All ranks call them, and their walks, in the same
// order.
//
// y = x, before a part of the work that is split: every rank uses x, so
//   dL/dx = Σ_r dL/dy_r
Tensor copy_to_ranks(Link& link, const Tensor& x);
// y = Σ_r x_r, after it: every rank has the whole y, and the same L, so
//   dL/dx_r = dL/dy
Tensor sum_over_ranks(Link& link, const Tensor& x);

}  // namespace gradus::distributed
