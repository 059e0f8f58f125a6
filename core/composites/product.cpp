#include "core/composites/composites.h"
#include "core/kernels/check_operands.h"

namespace gradus {
namespace {

void check_vectors(const Tensor& a, const Tensor& b, OpName op = {}) {
  check_defined({{"a", a}, {"b", b}}, op);
  common_dtype(std::array{a, b}, op);
  check<ShapeError>(a.rank() == 1 && b.rank() == 1, "{}: needs two vectors, got shapes {} and {}", op, a.shape(), b.shape());
}

}  // namespace

Tensor rsqrt(const Tensor& x) {
  check_floating(x);
  return 1 / sqrt(x);
}

Tensor dot(const Tensor& a, const Tensor& b) {
  check_vectors(a, b);
  check_floating(a, b);
  check<ShapeError>(a.shape() == b.shape(), "dot: the lengths differ: {} and {}", a.shape(), b.shape());
  return in_f32({a, b}, [](const Tensors& in) { return sum(in[0] * in[1]); });
}

Tensor outer(const Tensor& a, const Tensor& b) {
  check_vectors(a, b);
  return unsqueeze(a, 1) * unsqueeze(b, 0);
}

}  // namespace gradus
