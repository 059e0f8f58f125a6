// The gradient of a sum.
#pragma once

#include "core/autograd/engine.h"
#include "core/composites/composites.h"

namespace gradus::test {

inline Tensor gradient(const Tensor& y, const Tensor& x) { return grad({sum(y)}, {x})[0]; }

}  // namespace gradus::test
