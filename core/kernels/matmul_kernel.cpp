#include "core/kernels/elementwise.h"
#include "core/kernels/gemm.h"
#include "core/kernels/kernels.h"

namespace gradus::kernels {
namespace {

// One product a leading index; each of a and b is repeated along the leading axes it broadcasts over.
template <typename T> void batched(const Tensor& a, const Tensor& b, bool transpose_a, bool transpose_b, Tensor& y) {
  const int64_t m = y.size(-2), n = y.size(-1), k = a.size(transpose_a ? -2 : -1), row_a = a.size(-1), row_b = b.size(-1);
  const T *from_a = a.data<T>(), *from_b = b.data<T>();
  T* to = y.mutable_data<T>();
  const auto leading = [](const Tensor& t) { return t.shape().slice(0, t.rank() - 2); };
  const Shape batch = leading(y);
  const StridedWalk<2> walk(batch, {broadcast_strides(leading(a), batch), broadcast_strides(leading(b), batch)});
  // With enough products for every thread, each is done by one; otherwise each is shared among all.
  const int64_t grain_of_one = kGrain / std::max<int64_t>(m * n * k, 1) + 1;
  const int64_t grain = batch.numel() >= num_threads() ? grain_of_one : batch.numel();
  walk.for_each_row(grain, [&](const auto& offsets, int64_t first, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      const T *left = from_a + (offsets[0] + i * walk.step(0)) * m * k, *right = from_b + (offsets[1] + i * walk.step(1)) * k * n;
      gemm(m, n, k, T(1), {left, row_a, transpose_a}, {right, row_b, transpose_b}, T(0), to + (first + i) * m * n, n);
    }
  });
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b, bool transpose_a, bool transpose_b) {
  if (a.dtype() != b.dtype()) {
    Tensor left = a, right = b;
    promote(left, right);
    return matmul(left, right, transpose_a, transpose_b);
  }
  if (a.dtype() == DType::f16) {  // widened, multiplied in f32, rounded once
    return cast(matmul(cast(a, DType::f32), cast(b, DType::f32), transpose_a, transpose_b), DType::f16);
  }
  check_floating(a);
  Shape shape = broadcast_shapes(a.shape().slice(0, a.rank() - 2), b.shape().slice(0, b.rank() - 2));
  shape.push_back(a.size(transpose_a ? -1 : -2));
  shape.push_back(b.size(transpose_b ? -2 : -1));
  Tensor y(shape, a.dtype(), "matmul");
  dispatch_real(a.dtype(), [&]<typename T>() { batched<T>(a, b, transpose_a, transpose_b, y); });
  return y;
}

}  // namespace gradus::kernels
