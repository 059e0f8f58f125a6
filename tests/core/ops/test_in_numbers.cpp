// The rows of the op table that say in plain numbers what one element of the result is. The tensors are long enough for
// whole vectors, a partial one and more than one thread.
#include "core/composites/composites.h"
#include "core/tensor/random.h"
#include "tests/support/check.h"
#include "tests/support/op_table.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr int64_t kElements = 37 * 501;

// Numbers of the kind that the row asks for.
Tensor drawn(const Input& input, std::uint64_t seed) {
  Generator generator(seed);
  Tensor x = uniform({kElements}, input.low, input.high, DType::f64, generator);
  auto* values = x.mutable_data<double>();
  for (std::size_t i = 0; i < kElements && !input.values.empty(); ++i) values[i] = input.values[i % input.values.size()];
  return x;
}

}  // namespace

TEST_CASE("every elementwise op that says its element in plain numbers: the values are those, at any place of a long tensor") {
  int rows = 0;
  for (const OpRow& row : op_table()) {
    if (!row.in_numbers) continue;
    CAPTURE(row.name);
    ++rows;
    Tensors inputs;
    for (const Input& input : row.inputs) inputs.push_back(drawn(input, inputs.size()));
    std::vector<double> expected;
    for (std::size_t i = 0; i < kElements; ++i) {
      std::vector<double> numbers;
      for (const Tensor& x : inputs) numbers.push_back(x.data<double>()[i]);
      expected.push_back(row.in_numbers(numbers));
    }
    // Two ways to one function, in f64: a few roundings.
    CHECK(difference(cast(row.function(inputs), DType::f64), from_vector(expected, {kElements}), 1e-14) == "");
  }
  CHECK(rows >= 2);
}
