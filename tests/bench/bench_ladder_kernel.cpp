// From a product's definition to a fast one: each rung changes one thing of the rung before.
#include <algorithm>
#include <xsimd/xsimd.hpp>

#include "core/kernels/kernels.h"
#include "core/machine/parallel.h"
#include "tests/bench/bench.h"

namespace gradus::bench {
namespace {

using Vector = xsimd::batch<float>;

constexpr int64_t n = 768;                              // C = A B, all of them [n, n]
constexpr int64_t kWidth = 2 * Vector::size;            // columns of a strip of B and C: two vectors
constexpr int64_t kRows = Vector::size >= 16 ? 12 : 6;  // rows of C whose sums fit into the registers beside them

// #region bench-ladder
// The definition. From one p to the next, B's number lies a whole row further.
void by_definition(const float* a, const float* b, float* c) {
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t p = 0; p < n; ++p) sum += a[i * n + p] * b[p * n + j];
      c[i * n + j] = sum;
    }
  }
}

// The two inner loops swapped: B and C are read and written along their rows, which the compiler does by vectors.
void by_rows(const float* a, const float* b, float* c) {
  std::fill_n(c, n * n, 0.0F);
  for (int64_t i = 0; i < n; ++i) {
    for (int64_t p = 0; p < n; ++p) {
      for (int64_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + p] * b[p * n + j];
    }
  }
}

// A block of C, kRows × kWidth: its sums stay in registers, and each vector of B that is read serves kRows of them.
void block(const float* a, const float* b, float* c) {
  Vector sums[kRows][2] = {};
  for (int64_t p = 0; p < n; ++p) {
    const Vector left = Vector::load_unaligned(b + p * n), right = Vector::load_unaligned(b + p * n + Vector::size);
    for (int64_t i = 0; i < kRows; ++i) {
      sums[i][0] = xsimd::fma(Vector(a[i * n + p]), left, sums[i][0]);
      sums[i][1] = xsimd::fma(Vector(a[i * n + p]), right, sums[i][1]);
    }
  }
  for (int64_t i = 0; i < kRows; ++i) {
    sums[i][0].store_unaligned(c + i * n);
    sums[i][1].store_unaligned(c + i * n + Vector::size);
  }
}

// Block after block down a strip of kWidth columns, so that B's part of it stays in the cache while all of A goes by.
void strip(const float* a, const float* b, float* c, int64_t j) {
  for (int64_t i = 0; i < n; i += kRows) block(a + i * n, b + j, c + i * n + j);
}

void in_registers(const float* a, const float* b, float* c) {
  for (int64_t j = 0; j < n; j += kWidth) strip(a, b, c, j);
}

// The strips are shared by all threads.
void by_threads(const float* a, const float* b, float* c) {
  kernels::for_each(n / kWidth, kernels::kGrain, [=](int64_t i) { strip(a, b, c, i * kWidth); });
}
// #endregion bench-ladder

bool add_rung(const std::string& name, void (*multiply)(const float*, const float*, float*)) {
  return add_benchmark("matmul/ladder_" + name, [=](benchmark::State& state) {
    const Tensor a = randn({n, n}), b = randn({n, n});
    Tensor c = zeros({n, n});
    for (auto _ : state) multiply(a.data<float>(), b.data<float>(), c.mutable_data<float>());
    if (max(abs(c - matmul(a, b))).item() > 1e-3) state.SkipWithError("this is not the product");
    rate_of(state, "flop", 2.0 * n * n * n);
  });
}

const bool added = add_rung("definition", by_definition) && add_rung("rows", by_rows) && add_rung("registers", in_registers) &&
                   add_rung("threads", by_threads);

}  // namespace
}  // namespace gradus::bench
