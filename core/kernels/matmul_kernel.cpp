#include "core/kernels/elementwise.h"
#include "core/kernels/gemm.h"

namespace gradus::kernels {

// One product per leading index; each of a and b is repeated along the leading axes it broadcasts over.
Tensor matmul(const Tensor& a, const Tensor& b, bool transpose_a, bool transpose_b) {
  if (a.dtype() != b.dtype()) {
    const DType dtype = common_dtype(std::array{a, b});
    return matmul(in_dtype(a, dtype), in_dtype(b, dtype), transpose_a, transpose_b);
  }
  if (a.dtype() == DType::f16) return rounded(matmul(wide(a), wide(b), transpose_a, transpose_b));
  check_floating(a);
  const auto leading = [](const Tensor& t) { return t.shape().slice(0, t.rank() - 2); };
  const Shape batch = broadcast_shapes(leading(a), leading(b));
  const int64_t m = a.size(transpose_a ? -1 : -2), n = b.size(transpose_b ? -2 : -1), k = a.size(transpose_a ? -2 : -1);
  Tensor y(batch.concat({m, n}), a.dtype(), "matmul");
  const StridedWalk<2> walk(batch, {broadcast_strides(leading(a), batch), broadcast_strides(leading(b), batch)});
  // With enough products for every thread, each is done by one; otherwise each is shared among all.
  const int64_t grain_of_one = kGrain / std::max<int64_t>(m * n * k, 1) + 1;
  const int64_t grain = batch.numel() >= num_threads() ? grain_of_one : batch.numel();
  dispatch_real(a.dtype(), "matmul", [&]<typename T>() {
    const T *from_a = a.data<T>(), *from_b = b.data<T>();
    T* to = y.mutable_data<T>();
    walk.for_each_row(grain, [&](const auto& offsets, int64_t first, int64_t count) {
      for (int64_t i = 0; i < count; ++i) {
        const T *left = from_a + (offsets[0] + i * walk.step(0)) * m * k, *right = from_b + (offsets[1] + i * walk.step(1)) * k * n;
        gemm(m, n, k, T(1), {left, a.size(-1), transpose_a}, {right, b.size(-1), transpose_b}, {to + (first + i) * m * n, n});
      }
    });
  });
  return y;
}

}  // namespace gradus::kernels
