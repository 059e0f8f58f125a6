#include "optim/clip_kernel.h"

#include <vector>

#include "core/kernels/rows.h"

namespace gradus::kernels {

// Blocks of a fixed size, each summed in its own dtype and their sums in f64.
double sum_of_squares(const Tensor& x) {
  constexpr int64_t block = 4096;
  const int64_t blocks = (x.numel() + block - 1) / block;
  std::vector<double> parts(static_cast<std::size_t>(blocks));
  dispatch_real("sum_of_squares", x.dtype(), [&]<typename T>() {
    const T* values = x.data<T>();
    double* part = parts.data();
    parallel_for(blocks, 8, [=, n = x.numel()](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; ++b) {
        const T* start = values + b * block;
        part[b] = static_cast<double>(row_dot(start, start, std::min(block, n - b * block)));
      }
    });
  });
  return row_sum(parts.data(), blocks);
}

}  // namespace gradus::kernels
