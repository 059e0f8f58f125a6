// Exercise 28, tensor-parallel.
#pragma once

#include <utility>

#include "core/tensor/tensor.h"
#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

using OverRanks = std::pair<Tensors, Tensors>(const Tensors& x, const Tensors& g);  // {y, dL/dx}
using PartOfLayer = Tensor(const Tensor& x, const Tensor& u, const Tensor& a, const Tensor& v, const Tensor& b, int64_t rank, int64_t ranks);

Functions tensor_parallel(OverRanks* copy_to_ranks, OverRanks* sum_over_ranks, PartOfLayer* part_of_layer,
                          double (*gradient_length)(const Tensors& split, const Tensors& whole));

}  // namespace gradus::exercises::set
