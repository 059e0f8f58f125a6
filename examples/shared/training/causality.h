// The causality map: which outputs of a sequence model depend on which inputs, found by the tape. Unlike the loss it cannot
// be fooled: a model that sees the future has a number above the diagonal. No Observer sees these walks, so a program's first
// walk, as GRADUS_TRACE writes it, is its own.
#pragma once

#include <functional>
#include <vector>

#include "core/tensor/generator.h"
#include "core/tensor/tensor.h"

namespace gradus::examples {

// ‖∂out_t/∂in_s‖, the Frobenius norm, in row t and column s. `f` takes x [1, S, C] to [1, T, D]; it is walked T·D times.
std::vector<std::vector<double>> causality_map(const std::function<Tensor(const Tensor&)>& f, const Tensor& x);

// The greatest entry above the diagonal, so of an output by an input after it: 0, exactly, if the model is causal.
double greatest_of_future(const std::vector<std::vector<double>>& map);

// The same question for T walks instead of T·D: what a random direction of out_t depends on. Where ∂out_t/∂in_s is 0 that
// is 0, exactly, and where it is not, only by a chance of measure 0.
struct FutureSeen {
  double derivative = 0;          // the greatest ‖∂(v · out_t)/∂in_s‖ with s > t …
  int64_t output = 0, input = 0;  // … and its t and s
};
FutureSeen probe_future(const std::function<Tensor(const Tensor&)>& f, const Tensor& x, Generator& generator);

}  // namespace gradus::examples
