// From a product's definition to a fast one: what each rung changes, and what it gives.
#include <algorithm>
#include <vector>
#include <xsimd/xsimd.hpp>

#include "core/kernels/kernels.h"
#include "core/machine/parallel.h"
#include "tests/bench/bench.h"
#include "tests/bench/peak.h"

namespace gradus::bench {
namespace {

// #region bench-ladder
using Vector = xsimd::batch<float>;

constexpr int64_t n = 768;                              // C = A B, all of them [n, n]
constexpr int64_t kWidth = 2 * Vector::size;            // columns of a block of C: two vectors
constexpr int64_t kRows = Vector::size >= 16 ? 12 : 6;  // its rows: 2 · 12 sums, 2 vectors of B and a number of A in 32 registers
static_assert(n % kWidth == 0 && n % kRows == 0);

// The definition. Each addition waits for the one before, and the next number of B lies a whole row further.
void by_definition(const float* a, const float* b, float* c) {
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < n; ++p) sum += a[i * n + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
  }
}

// The two inner loops swapped: along the rows of B and C, additions do not wait, and the compiler does them by vectors.
void by_rows(const float* a, const float* b, float* c) {
  std::fill_n(c, n * n, 0.0F);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t p = 0; p < n; ++p) {
      for (int64_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + p] * b[p * n + j];
    }
  }
}

// A block of C, kRows × kWidth: its sums stay in registers, and what is read of A and B serves many of them.
void block(const float* a, const float* b, int64_t row_stride, float* c) {
  Vector sums[kRows][2] = {};
  for (int64_t p = 0; p < n; ++p) {
    const Vector b0 = Vector::load_unaligned(b + p * row_stride), b1 = Vector::load_unaligned(b + p * row_stride + Vector::size);
    for (int64_t i = 0; i < kRows; ++i) {
      sums[i][0] = xsimd::fma(Vector(a[i * n + p]), b0, sums[i][0]);
      sums[i][1] = xsimd::fma(Vector(a[i * n + p]), b1, sums[i][1]);
    }
  }
  for (int64_t i = 0; i < kRows; ++i) {
    sums[i][0].store_unaligned(c + i * n);
    sums[i][1].store_unaligned(c + i * n + Vector::size);
  }
}

void by_blocks(const float* a, const float* b, float* c) {
  for (int64_t i = 0; i < n; i += kRows) {
    for (int64_t j = 0; j < n; j += kWidth) block(a + i * n, b + j, n, c + i * n + j);
  }
}

// The two loops swapped: a strip of B stays in the cache while all of A goes by.
void by_strips(const float* a, const float* b, float* c) {
  for (int64_t j = 0; j < n; j += kWidth) {
    for (int64_t i = 0; i < n; i += kRows) block(a + i * n, b + j, n, c + i * n + j);
  }
}

// The strips are shared by all threads. Each is packed first: copied, so that its rows are neighbours.
void by_threads(const float* a, const float* b, float* c) {
  kernels::for_each(n / kWidth, kernels::kGrain, [=](int64_t strip) {
    const int64_t j = strip * kWidth;
    std::vector<float> packed(n * kWidth);
    for (int64_t p = 0; p < n; ++p) std::copy_n(b + p * n + j, kWidth, packed.data() + p * kWidth);
    for (int64_t i = 0; i < n; i += kRows) block(a + i * n, packed.data(), kWidth, c + i * n + j);
  });
}
// #endregion bench-ladder

bool add_rung(const std::string& name, void (*multiply)(const float*, const float*, float*)) {
  return add_benchmark("matmul/ladder_" + name, [=](benchmark::State& state) {
    const Tensor a = randn({n, n}), b = randn({n, n});
    Tensor c = zeros({n, n});
    for (auto _ : state) multiply(a.data<float>(), b.data<float>(), c.mutable_data<float>());
    if (!(max(abs(c - matmul(a, b))).item() < 1e-3)) state.SkipWithError("this is not the product");
    rate_of(state, "flop", 2.0 * n * n * n);
  });
}

bool add_peak() {
  return add_benchmark("matmul/ladder_peak", [](benchmark::State& state) {
    double most = 0;
    for (auto _ : state) most = std::max(most, peak_gflops());
    state.counters["flop"] = 1e9 * most;
  });
}

const bool added = add_rung("by_definition", by_definition) && add_rung("by_rows", by_rows) && add_rung("by_blocks", by_blocks) &&
                   add_rung("by_strips", by_strips) && add_rung("by_threads", by_threads) && add_peak();

}  // namespace
}  // namespace gradus::bench
