#include "examples/shared/study/norm_axes.h"

#include "core/autograd/engine.h"
#include "core/tensor/random.h"

namespace gradus::examples {

// #region norm-axes
Tensor norm_footprint(nn::Layer& norm, const Shape& shape, const Shape& index) {
  Generator generator(0);
  const Tensor x = uniform(shape, -1, 1, DType::f32, generator).set_requires_grad();
  Tensor seed = zeros(shape);
  seed.set(index.vector(), 1);
  const Tensor dx = grad({norm(x)}, {x}, {.seeds = {seed}})[0];
  return ne(dx, 0);
}
// #endregion norm-axes

Shape norm_extent(nn::Layer& norm, const Shape& shape) {
  Shape origin = shape;
  for (int axis = 0; axis < shape.rank(); ++axis) origin[axis] = 0;
  const Tensor footprint = norm_footprint(norm, shape, origin);
  Shape extent = shape;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    Axes others;
    for (int other = 0; other < shape.rank(); ++other) {
      if (other != axis) others.push_back(other);
    }
    const Tensor touched = others.empty() ? footprint : max(footprint, others);
    extent[axis] = static_cast<int64_t>(sum(touched).item());
  }
  return extent;
}

}  // namespace gradus::examples
