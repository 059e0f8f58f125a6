// The number of threads changes no bit of any op's value or gradients, at sizes where loops are shared.
#include "core/composites/composites.h"
#include "core/tensor/random.h"
#include "tests/support/check.h"
#include "tests/support/op_table.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// The row's inputs, every axis of two or more `factor` times as long.
Tensors enlarged(const OpRow& row, int64_t factor) {
  Generator generator(1);
  Tensors inputs;
  for (const Input& input : row.inputs) {
    Shape shape = input.shape;
    for (int axis = 0; axis < shape.rank(); ++axis) shape[axis] *= shape[axis] > 1 ? factor : 1;
    Tensor x = uniform(shape, input.low, input.high, DType::f32, generator);
    auto* values = x.mutable_data<float>();
    for (std::size_t i = 0; i < static_cast<std::size_t>(x.numel()) && !input.values.empty(); ++i) {
      values[i] = static_cast<float>(input.values[i % input.values.size()]);
    }
    inputs.push_back(x.set_requires_grad());
  }
  return inputs;
}

// Some 60,000 elements, or a product of some millions.
int64_t factor_of(const OpRow& row) {
  if (row.name == "outer") return 80;
  int rank = 0;
  for (const Input& input : row.inputs) rank = std::max(rank, input.shape.rank());
  return rank <= 1 ? 15'000 : rank == 2 ? 100 : rank == 3 ? 14 : 7;
}

// Rows whose masks, ids or shapes fit no other size: their kernels' loops are in the case below.
bool is_bound_to_its_size(const OpRow& row) {
  const Tensors inputs = enlarged(row, factor_of(row));
  try {
    row.function(inputs);
    return false;
  } catch (const ShapeError&) {
    return true;
  }
}

Tensor random(const Shape& shape) {
  Generator generator(2);
  return randn(shape, DType::f32, generator).set_requires_grad();
}

// Tensors cut from random numbers that are drawn once.
struct Drawn {
  Tensor operator()(const Shape& shape, int64_t from = 0) const { return reshape(slice(numbers, 0, from, from + shape.numel()), shape); }
  Tensor numbers = random({1'500'000}).detach();
};

std::string dependence(const char* name, const std::function<Tensor(const Tensors&)>& f, const Tensors& leaves) {
  return thread_dependence(name, [&] { return value_and_gradients([&] { return f(leaves); }, leaves); });
}

}  // namespace

TEST_CASE("ops: the same bits, forward and backward, on 1, 2 and 3 threads") {
  int large = 0;
  for (const OpRow& row : op_table()) {
    if (is_bound_to_its_size(row)) continue;
    const Tensors leaves = enlarged(row, factor_of(row));
    ++large;
    CHECK(thread_dependence(row.name, [&] {
            if (row.smooth == Smooth::none || row.name == "cast") return Tensors{row.function(leaves).detach()};
            return value_and_gradients([&] { return row.function(leaves); }, leaves);
          }) == "");
  }
  CHECK(large > 120);
}

TEST_CASE("ops with masks and ids: the same bits on 1, 2 and 3 threads") {
  using In = const Tensors&;
  Generator generator(3);
  const Tensor x = random({300, 200}), y = random({300, 200}), ids = randint(0, 300, {500}, generator);
  const Tensor mask = randint(0, 2, {300, 200}, generator), places = randint(0, 200, {300, 150}, generator);
  CHECK(dependence("where", [&](In in) { return where(mask, in[0], in[1]); }, {x, y}) == "");
  CHECK(dependence("masked_fill", [&](In in) { return masked_fill(in[0], mask, -7); }, {x}) == "");
  CHECK(dependence("expand", [](In in) { return expand(in[0], {3, 300, 200}); }, {x}) == "");
  CHECK(dependence("sum_to", [](In in) { return sum_to(in[0], {300, 1}); }, {x}) == "");
  CHECK(dependence("index_select", [&](In in) { return index_select(in[0], 0, ids); }, {x}) == "");
  CHECK(dependence("index_add", [&](In in) { return index_add(in[0], 0, ids, index_select(in[1], 0, ids)); }, {x, y}) == "");
  CHECK(dependence("gather", [&](In in) { return gather(in[0], 1, places); }, {x}) == "");
  CHECK(dependence("scatter_add", [&](In in) { return scatter_add(in[0], 1, places, gather(in[1], 1, places)); }, {x, y}) == "");
  CHECK(dependence("pad", [](In in) { return pad(in[0], {{1, 3}, {2, 0}}, -1.5); }, {x}) == "");
  CHECK(dependence("split", [](In in) { return split(in[0], {50, 150}, -1)[1]; }, {x}) == "");
}

// Where oneDNN, left to itself, divides the inner axis or the edges by the number of threads.
TEST_CASE("matmul: the same bits on 1, 2 and 3 threads, of one row, one column, and of long and narrow matrices") {
  struct Sizes { int64_t m, n, k; };
  const Drawn drawn;
  for (const auto& [m, n, k] : {Sizes{1, 1, 1'200'000},
                                {2, 1, 600'000},
                                {1, 64, 20'000},
                                {64, 1, 20'000},
                                {1, 3000, 400},
                                {3000, 1, 400},
                                {128, 128, 4200},
                                {2, 1024, 1024},
                                {4, 2048, 512},
                                {700, 530, 17}}) {
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        const Tensor a = drawn(ta ? Shape{k, m} : Shape{m, k}), b = drawn(tb ? Shape{n, k} : Shape{k, n}, 1000);
        CHECK(thread_dependence(fmt::format("[{}, {}, {}]", m, n, k), [&, ta = ta, tb = tb] { return Tensors{matmul(a, b, {ta, tb})}; }) ==
              "");
      }
    }
  }
}

TEST_CASE("matmul: the same bits on 1, 2 and 3 threads in f64") {
  const Drawn drawn;
  for (const auto& [m, n, k] : {std::tuple{300, 290, 310}, {1, 64, 20'000}, {64, 1, 20'000}, {128, 128, 4200}, {700, 530, 17}}) {
    const Tensor a = cast(drawn({m, k}), DType::f64), b = cast(drawn({k, n}, 1000), DType::f64);
    const Tensor a_t = transpose(a), b_t = transpose(b);
    CHECK(thread_dependence(fmt::format("f64 [{}, {}, {}]", m, n, k), [&] {
            return Tensors{matmul(a, b), matmul(a_t, b, {.transpose_a = true}), matmul(a, b_t, {.transpose_b = true})};
          }) == "");
  }
}

TEST_CASE("matmul: tiles and layers make the product of the whole") {
  const Drawn drawn;
  for (const Shape& sizes : {Shape{600, 530, 40}, Shape{3, 5, 70'001}, Shape{1, 1100, 1000}, Shape{1030, 1, 1100}}) {
    const int64_t m = sizes[0], n = sizes[1], k = sizes[2];
    const Tensor a = drawn({m, k}), b = drawn({k, n}, 1000);
    const Tensor expected = matmul(cast(a, DType::f64), cast(b, DType::f64));
    for (const bool ta : {false, true}) {
      for (const bool tb : {false, true}) {
        const Tensor y = matmul(ta ? transpose(a) : a, tb ? transpose(b) : b, {ta, tb});
        CHECK(difference(cast(y, DType::f64), expected, 1e-5) == "");
      }
    }
  }
}
