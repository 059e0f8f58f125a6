// TreeSum: a sum of tensors in an order that does not depend on how many ranks share the work.
#pragma once

#include "core/tensor/tensor.h"

namespace gradus::distributed {

// Σ g_i over count tensors, in the order of a binary tree: the sum of one half, plus the sum of the other. Sums in floating point
// depend on the order, so this is what gives the same bits on 1, 2, 4 … ranks: each owns a subtree, and doubling_all_reduce adds
// those. It holds at most ⌈log₂ count⌉ + 1 tensors.
class TreeSum {
 public:
  explicit TreeSum(int64_t count) : count_(count) {}

  // Takes g_0, g_1, … in turn, undefined for zero, and may change them. ValueError for more than count.
  void add(Tensor g);
  // The whole sum, once all have come (ValueError); undefined if all were.
  Tensor total() const;

 private:
  int64_t count_, added_ = 0;
  Tensors open_;  // sums of halves whose other half is not complete
};

}  // namespace gradus::distributed
