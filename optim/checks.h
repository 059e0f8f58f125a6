// What optimizers, clipping and averages ask of their parameters. Each error begins with `who`.
#pragma once

#include <string>
#include <vector>

#include "core/io/named_tensors.h"
#include "core/tensor/range.h"

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

// ShapeError or DTypeError if the parameter has a gradient that does not fit it. set_grad() takes none that does not; it is
// the gradient's own set_data() that may change it later.
void check_gradient(const char* who, const std::string& name, const Tensor& parameter);

// The dtype and shape of a tensor when something was built for it, which fits no other.
class BuiltFor {
 public:
  BuiltFor(const Tensor& tensor) : dtype_(tensor.dtype()), shape_(tensor.shape()) {}

  // DTypeError or ShapeError if the tensor of this name, for which `what` was built, is another now.
  void check_still(const char* who, const char* what, const std::string& name, const Tensor& now) const;

 private:
  DType dtype_;
  Shape shape_;
};

}  // namespace gradus::optim
