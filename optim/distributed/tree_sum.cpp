#include "optim/distributed/tree_sum.h"

#include "core/ops/ops.h"
#include "core/tape/grad_mode.h"

namespace gradus::distributed {
namespace {

// #region dist-tree-sum
// How many subtrees end with leaf i of `count`?
int complete_after(int64_t i, int64_t count) {
  int complete = 0;
  for (int64_t begin = 0, end = count; end - begin > 1;) {
    const int64_t middle = begin + (end - begin) / 2;
    const bool right = i >= middle;
    (right ? begin : end) = middle;
    complete = right ? complete + 1 : 0;
  }
  return complete;
}

Tensor sum_of(Tensor left, Tensor right) {
  if (!left.defined() || !right.defined()) return left.defined() ? left : right;
  left += right;
  return left;
}

}  // namespace

void TreeSum::add(Tensor g) {
  check<ValueError>(added_ < count_, "TreeSum: all {} tensors have been added", count_);
  const NoGrad off;
  for (int left = complete_after(added_++, count_); left > 0; --left) {
    g = sum_of(std::move(open_.back()), std::move(g));
    open_.pop_back();
  }
  open_.push_back(std::move(g));
}
// #endregion dist-tree-sum

Tensor TreeSum::total() const {
  check<ValueError>(added_ == count_, "TreeSum: {} of {} tensors have been added", added_, count_);
  return open_.front();
}

}  // namespace gradus::distributed
