#include "core/kernels/elementwise.h"
#include "core/kernels/gemm.h"
#include "core/kernels/kernels.h"

namespace gradus::kernels {
namespace {

struct Sizes {
  int64_t m, n, k;
};

Sizes product_sizes(const Tensor& a, const Tensor& b, bool transpose_a, bool transpose_b) {
  return {a.size(transpose_a ? -1 : -2), b.size(transpose_b ? -2 : -1), a.size(transpose_a ? -2 : -1)};
}

// One product a leading index; each of a and b is repeated along the leading axes it broadcasts over.
template <typename T>
void batched(const Tensor& a, const Tensor& b, bool transpose_a, bool transpose_b, const Sizes& s, Tensor& y) {
  const T *from_a = a.data<T>(), *from_b = b.data<T>();
  T* to = y.mutable_data<T>();
  const auto leading = [](const Tensor& t) { return t.shape().slice(0, t.rank() - 2); };
  const Shape batch = leading(y);
  const int64_t row_a = a.size(-1), row_b = b.size(-1);
  const auto product = [=](int64_t index_a, int64_t index_b, int64_t index) {
    gemm(s.m, s.n, s.k, T(1), {from_a + index_a * s.m * s.k, row_a, transpose_a},
         {from_b + index_b * s.k * s.n, row_b, transpose_b}, T(0), to + index * s.m * s.n, s.n);
  };
  const StridedWalk<2> walk(batch, {broadcast_strides(leading(a), batch), broadcast_strides(leading(b), batch)});
  // With enough products for every thread, each is done by one; otherwise each is shared among all.
  const int64_t grain_of_one = kGrain / std::max<int64_t>(s.m * s.n * s.k, 1) + 1;
  const int64_t grain = batch.numel() >= num_threads() ? grain_of_one : batch.numel();
  walk.for_each_row(grain, [&](const auto& offsets, int64_t first, int64_t n) {
    for (int64_t i = 0; i < n; ++i) {
      product(offsets[0] + i * walk.step(0), offsets[1] + i * walk.step(1), first + i);
    }
  });
}

}  // namespace

Tensor matmul(const Tensor& a, const Tensor& b, bool transpose_a, bool transpose_b) {
  if (a.dtype() != b.dtype()) {
    Tensor left = a, right = b;
    promote("matmul", left, right);
    return matmul(left, right, transpose_a, transpose_b);
  }
  if (a.dtype() == DType::f16) {  // widened, multiplied in f32, rounded once
    return cast(matmul(cast(a, DType::f32), cast(b, DType::f32), transpose_a, transpose_b), DType::f16);
  }
  const Sizes s = product_sizes(a, b, transpose_a, transpose_b);
  Shape shape = broadcast_shapes("matmul", a.shape().slice(0, a.rank() - 2), b.shape().slice(0, b.rank() - 2));
  shape.push_back(s.m);
  shape.push_back(s.n);
  Tensor y(shape, a.dtype(), "matmul");
  if (a.dtype() == DType::f32) {
    batched<float>(a, b, transpose_a, transpose_b, s, y);
  } else {
    check<DTypeError>(a.dtype() == DType::f64, "matmul: needs a floating dtype, got {}; use cast(x, DType::f32) first",
                      a.dtype());
    batched<double>(a, b, transpose_a, transpose_b, s, y);
  }
  return y;
}

}  // namespace gradus::kernels
