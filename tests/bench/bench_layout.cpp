// Moving elements: the time for each that arrives.
#include "tests/bench/bench.h"

namespace gradus::bench {
namespace {

template <typename Op> bool add_move(const char* name, const Shape& shape, Op op) {
  return add_benchmark(std::string("layout/") + name, [=](benchmark::State& state) {
    const Tensor x = randn(shape);
    for (auto _ : state) benchmark::DoNotOptimize(op(x));
    time_for_each(state, "element", op(x).numel());
  });
}

const bool added[] = {
    add_move("clone", {1024, 1024}, [](const Tensor& x) { return x.detached_copy(); }),
    add_move("transpose", {1024, 1024}, [](const Tensor& x) { return transpose(x); }),
    add_move("heads_first", {16, 128, 8, 64}, [](const Tensor& x) { return permute(x, {0, 2, 1, 3}); }),
    add_move("slice_rows", {1024, 1024}, [](const Tensor& x) { return slice(x, 0, 256, 768); }),
    add_move("slice_columns", {1024, 1024}, [](const Tensor& x) { return slice(x, 1, 256, 768); }),
    add_move("slice_step", {1024, 1024}, [](const Tensor& x) { return slice(x, 1, 0, kToEnd, 2); }),
    add_move("expand_row", {1024}, [](const Tensor& x) { return expand(x, {1024, 1024}); }),
    add_move("cat_columns", {1024, 512}, [](const Tensor& x) { return cat({x, x}, 1); }),
    add_move("embedding", {256, 128},
             [](const Tensor& x) {
               static const Tensor ids = randint(0, 256, {2048});
               return index_select(x, 0, ids);
             }),
};

}  // namespace
}  // namespace gradus::bench
