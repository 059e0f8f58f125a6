// Reductions of a million floats: the time an element.
#include "core/kernels/kernels.h"
#include "tests/bench/bench.h"

namespace gradus::bench {
namespace {

template <typename Kernel> bool add_reduction(const char* name, const Shape& shape, Kernel kernel) {
  return add_benchmark(std::string("reduce/") + name, [=](benchmark::State& state) {
    const Tensor x = randn(shape);
    for (auto _ : state) benchmark::DoNotOptimize(kernel(x));
    time_for_each(state, "element", x.numel());
  });
}

const Shape square{1024, 1024};

const bool added[] = {
    add_reduction("sum_rows", square, [](const Tensor& x) { return kernels::sum(x, {1}); }),
    add_reduction("sum_columns", square, [](const Tensor& x) { return kernels::sum(x, {0}); }),
    add_reduction("sum_all", square, [](const Tensor& x) { return kernels::sum(x, {0, 1}); }),
    add_reduction("sum_middle", {64, 128, 128}, [](const Tensor& x) { return kernels::sum(x, {1}); }),
    add_reduction("max_rows", square, [](const Tensor& x) { return kernels::max(x, {1}); }),
    add_reduction("max_columns", square, [](const Tensor& x) { return kernels::max(x, {0}); }),
    add_reduction("max_all", square, [](const Tensor& x) { return kernels::max(x, {0, 1}); }),
    add_reduction("argmax_rows", square, [](const Tensor& x) { return kernels::argmax(x, 1); }),
    add_reduction("cumsum_rows", square, [](const Tensor& x) { return kernels::cumsum(x, 1); }),
};

}  // namespace
}  // namespace gradus::bench
