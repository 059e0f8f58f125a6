// What optimizers, clipping and averages ask of their parameters. Each error begins with `op`.
#pragma once

#include <string>
#include <vector>

#include "core/io/named_tensors.h"
#include "core/options/range.h"

namespace gradus::optim {

// ValueError for a parameter given twice, for two of one name, and as of check_apart(); GraphError for one that is undefined
// or made by an op; DTypeError unless each is f32 or f64.
void check_parameters(const NamedTensors& parameters, OpName op = {});

// A tensor that a step changes. Errors call it `what` and its name, as "the average of w"; `what` may be empty.
struct Changed {
  const char* what;
  const NamedTensor& named;
};

// ValueError if two of the tensors, or a tensor and a gradient, share a storage.
void check_apart(const std::vector<Changed>& tensors, OpName op = {});

// GraphError unless it is a leaf that requires a gradient; and if it requires none any more since `what` was built.
void check_trained(const NamedTensor& parameter, OpName op = {});
void check_still_trained(const char* what, const NamedTensor& parameter, OpName op = {});

}  // namespace gradus::optim
