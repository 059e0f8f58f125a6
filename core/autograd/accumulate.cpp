#include "core/autograd/accumulate.h"

#include <utility>

#include "core/kernels/kernels.h"
#include "core/ops/ops.h"

namespace gradus {
namespace {

// #region inside-in-full
// Rows among zeros, in the shape of x.
Tensor in_full(const Gradient& rows, const Tensor& x, bool create_graph) {
  if (create_graph) return index_add(zeros_like(x), rows.axis, rows.indices, rows.values);
  Tensor whole = kernels::zeroed(x.shape(), x.dtype());
  kernels::index_add_into(whole, rows.axis, rows.indices, rows.values);
  return whole;
}
// #endregion inside-in-full

}  // namespace

// #region inside-accumulate
Tensor accumulate(Tensor sum, Gradient contribution, const Tensor& x, bool create_graph) {
  const bool in_place = !create_graph && sum.defined() && sum.sole_owner();
  if (in_place && contribution.by_rows()) {  // no second tensor full of zeros
    kernels::index_add_into(sum, contribution.axis, contribution.indices, contribution.values);
    return sum;
  }
  Tensor whole = contribution.by_rows() ? in_full(contribution, x, create_graph) : sum_to(contribution.values, x.shape());
  if (!sum.defined()) return whole;
  if (!in_place) return add(sum, whole);
  kernels::add_into(sum, whole);
  return sum;
}
// #endregion inside-accumulate

}  // namespace gradus
