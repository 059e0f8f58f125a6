// What optimizers, clipping and averages ask of their parameters. Each error begins with `who`.
#pragma once

#include <string>
#include <vector>

#include "core/io/named_tensors.h"
#include "core/options/range.h"

namespace gradus::optim {

// ValueError if two of the parameters have one name or are one tensor, and as check_apart() says; GraphError for one that is
// undefined or made by an op; DTypeError for one that is neither f32 nor f64.
void check_parameters(const char* who, const NamedTensors& parameters);

// A tensor that a step changes. Errors call it `what` and its name, as "the average of w"; `what` may be empty.
struct Changed {
  const char* what;
  const NamedTensor& named;
};

// ValueError if two of the tensors share a storage, or one of them shares it with the gradient of one: a change of the one
// would be the other's, too.
void check_apart(const char* who, const std::vector<Changed>& tensors);

// GraphError unless it is a leaf that requires a gradient; and if it requires none any more, since `what` was built for it.
void check_trained(const char* who, const NamedTensor& parameter);
void check_still_trained(const char* who, const char* what, const NamedTensor& parameter);

}  // namespace gradus::optim
