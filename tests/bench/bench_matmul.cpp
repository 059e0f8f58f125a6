// Matrix products: floating point operations in a second, 2 m n k of them in a product [m, k] @ [k, n].
#include <fmt/format.h>

#include "core/kernels/kernels.h"
#include "tests/bench/bench.h"

namespace gradus::bench {
namespace {

struct Product {
  int64_t m, k, n;
  int64_t batch = 1;
  bool transpose_a = false, transpose_b = false;
};

void run(benchmark::State& state, const Product& p, DType dtype) {
  const auto matrices = [&](int64_t rows, int64_t columns, bool transposed) {
    return transposed ? randn({p.batch, columns, rows}, dtype) : randn({p.batch, rows, columns}, dtype);
  };
  const Tensor a = matrices(p.m, p.k, p.transpose_a), b = matrices(p.k, p.n, p.transpose_b);
  for (auto _ : state) benchmark::DoNotOptimize(kernels::matmul(a, b, p.transpose_a, p.transpose_b));
  rate_of(state, "flop", 2.0 * static_cast<double>(p.batch * p.m * p.k * p.n));
}

bool add_product(const std::string& name, const Product& product, DType dtype = DType::f32) {
  return add_benchmark(fmt::format("matmul/{}_{}", dtype, name), [=](benchmark::State& state) { run(state, product, dtype); });
}

bool add_products() {
  for (DType dtype : {DType::f32, DType::f64}) {
    for (int64_t n : {64, 256, 1024}) add_product(fmt::format("{}", n), {n, n, n}, dtype);
  }
  add_product("768", {768, 768, 768});  // beside the ladder's
  add_product("256_transpose_a", {256, 256, 256, 1, true, false});
  add_product("256_transpose_b", {256, 256, 256, 1, false, true});
  add_product("256_transpose_both", {256, 256, 256, 1, true, true});
  add_product("batch_96x_64x32x64", {64, 32, 64, 96, false, true});
  add_product("batch_96x_128x128x32", {128, 128, 32, 96});
  // One projection of a small model: y = x Wᵀ, dL/dx = g W, dL/dW = gᵀ x.
  add_product("768x128x384_forward", {768, 128, 384, 1, false, true});
  add_product("768x128x384_input_gradient", {768, 384, 128});
  add_product("768x128x384_weight_gradient", {384, 768, 128, 1, true, false});
  return true;
}

const bool added = add_products();

}  // namespace
}  // namespace gradus::bench
