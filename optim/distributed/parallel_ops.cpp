#include "optim/distributed/parallel_ops.h"

#include "core/tape/record.h"
#include "optim/distributed/collectives.h"

namespace gradus::distributed {

Message message_of(Tensor x) {
  return {static_cast<std::byte*>(x.mutable_bytes()), static_cast<std::size_t>(x.numel()) * size_of(x.dtype())};
}

void all_reduce(Link& link, Tensor& x) {
  with_numbers(x, [&](auto numbers) { tree_all_reduce(link, numbers); });
}

// #region dist-tensor-parallel
Tensor copy_to_ranks(Link& link, const Tensor& x) {
  return record("copy_to_ranks", x.detach(), {x}, [&link](const Step& step) { return sum_over_ranks(link, step.grad); });
}

Tensor sum_over_ranks(Link& link, const Tensor& x) {
  Tensor sum = x.detached_copy();
  all_reduce(link, sum);
  return record("sum_over_ranks", sum, {x}, [&link](const Step& step) { return copy_to_ranks(link, step.grad); });
}
// #endregion dist-tensor-parallel

}  // namespace gradus::distributed
