// Parameters and optimizers for the tests of the family.
#pragma once

#include <functional>
#include <memory>

#include "optim/optimizer.h"

namespace gradus::test {

using OptimizerPtr = std::unique_ptr<optim::Optimizer>;
using Make = std::function<OptimizerPtr(optim::ParameterGroups)>;

inline Tensor parameter(const Tensor& values) { return values.detached_copy().set_requires_grad(); }

// An optimizer with options that are not its defaults.
template <typename T, typename Options> Make with(Options options) {
  return [options](optim::ParameterGroups parameters) { return std::make_unique<T>(std::move(parameters), options); };
}

}  // namespace gradus::test
