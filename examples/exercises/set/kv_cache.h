// Exercise 19, kv-cache.
#pragma once

#include <functional>

#include "core/tensor/tensor.h"
#include "examples/exercises/grader/function.h"

namespace gradus::exercises::set {

using Rotate = std::function<Tensor(const Tensor& x, const Tensor& positions)>;

using Attend = Tensor(const Tensor& q, const Tensor& k, const Tensor& v, const Rotate& rotate, int64_t most, Tensor& kept_k, Tensor& kept_v,
                      int64_t& read);

Functions kv_cache(Attend* attend);

}  // namespace gradus::exercises::set
