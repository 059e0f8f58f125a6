#include "examples/ch02_activations/curves.h"

#include "core/core.h"

namespace gradus::examples {

Curve curve(const nn::Activation& f, double from, double to, int points) {
  const Tensor x = linspace(from, to, points, DType::f64).set_requires_grad();
  const Tensor y = f(x);
  return {to_vector(x), to_vector(y), to_vector(grad({sum(y)}, {x})[0])};
}

}  // namespace gradus::examples
