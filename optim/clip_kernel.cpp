#include "optim/clip_kernel.h"

#include <vector>

#include "core/kernels/rows.h"

namespace gradus::kernels {

// In f64, which the squares of f32 do not overflow; by blocks of a fixed size.
double sum_of_squares(const Tensor& x) {
  constexpr int64_t block = 4096;
  const int64_t blocks = (x.numel() + block - 1) / block;
  std::vector<double> parts(static_cast<std::size_t>(blocks));
  dispatch_real(x.dtype(), "sum_of_squares", [&]<typename T>() {
    const T* values = x.data<T>();
    double* part = parts.data();
    parallel_for(blocks, 8, [=, n = x.numel()](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        const T* start = values + b * block;
        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int64_t i = 0; i < std::min(block, n - b * block); ++i) {
          const auto value = static_cast<double>(start[i]);
          sum += value * value;
        }
        part[b] = sum;
      }
    });
  });
  return row_sum(parts.data(), blocks);
}

}  // namespace gradus::kernels
