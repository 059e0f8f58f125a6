// Elementwise kernels on a million floats: the time an element.
#include "core/kernels/kernels.h"
#include "tests/bench/bench.h"

namespace gradus::bench {
namespace {

constexpr int64_t kSide = 1024;

bool add_unary(const char* name, Tensor (*kernel)(const Tensor&)) {
  return add_benchmark(std::string("elementwise/") + name, [=](benchmark::State& state) {
    const Tensor x = randn({kSide, kSide});
    for (auto _ : state) benchmark::DoNotOptimize(kernel(x));
    time_for_each(state, "element", kSide * kSide);
  });
}

bool add_binary(const char* name, const Shape& a_shape, const Shape& b_shape) {
  return add_benchmark(std::string("elementwise/") + name, [=](benchmark::State& state) {
    const Tensor a = randn(a_shape), b = randn(b_shape);
    for (auto _ : state) benchmark::DoNotOptimize(kernels::add(a, b));
    time_for_each(state, "element", kSide * kSide);
  });
}

const bool added[] = {
    add_binary("add", {kSide, kSide}, {kSide, kSide}),
    add_binary("add_row", {kSide, kSide}, {kSide}),
    add_binary("add_column", {kSide, kSide}, {kSide, 1}),
    add_binary("add_outer", {kSide, 1}, {kSide}),
    add_unary("neg", kernels::neg),
    add_unary("relu", kernels::relu),
    add_unary("sqrt", kernels::sqrt),
    add_unary("exp", kernels::exp),
    add_unary("log", kernels::log),
    add_unary("sin", kernels::sin),
    add_unary("tanh", kernels::tanh),
    add_unary("sigmoid", kernels::sigmoid),
    add_unary("erf", kernels::erf),
};

}  // namespace
}  // namespace gradus::bench
