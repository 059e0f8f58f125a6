// Every row of the op table in a smaller dtype against the same numbers in a larger one.
#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "tests/support/check.h"
#include "tests/support/op_table.h"

using namespace gradus;
using namespace gradus::test;

namespace {

struct Result {
  Tensor output;
  Tensors gradients;
};

Result run(const OpRow& row, DType dtype) {
  const Tensors inputs = make_inputs(row, dtype, row.smooth != Smooth::none);
  const Tensor y = row.function(inputs);
  if (row.smooth == Smooth::none) return {y, {}};
  return {y.detach(), grad({y}, inputs, {.seeds = {make_cotangent(row, y)}})};
}

void compare(DType narrow, DType wide, double tolerance) {
  for (const OpRow& row : op_table()) {
    CAPTURE(row.name);
    const Result actual = run(row, narrow), expected = run(row, wide);
    CHECK(difference(actual.output, expected.output, tolerance) == "");
    for (std::size_t i = 0; i < expected.gradients.size(); ++i) {
      CAPTURE(i);
      CHECK(actual.gradients[i].dtype() == narrow);
      CHECK(difference(actual.gradients[i], expected.gradients[i], tolerance) == "");
    }
  }
}

}  // namespace

// The inputs are exact in f16, hence in all dtypes. What remains is each op's own rounding, relative to the largest
// element: half a unit (2⁻²⁴ in f32, 2⁻¹¹ in f16) an operation, about ten operations with the gradient, and the
// condition of the op: x^y and e^x amplify by |y log x|, up to 3 here.
TEST_CASE("every op: f32 agrees with f64") { compare(DType::f32, DType::f64, 16 * 0x1p-24); }
TEST_CASE("every op: f16 agrees with f32") { compare(DType::f16, DType::f32, 8 * 0x1p-11); }

TEST_CASE("every op: the result has the dtype of the inputs") {
  for (const OpRow& row : op_table()) {
    if (row.smooth == Smooth::none || row.name == "cast") continue;
    CAPTURE(row.name);
    for (DType dtype : {DType::f16, DType::f32, DType::f64}) {
      CHECK(row.function(make_inputs(row, dtype)).dtype() == dtype);
    }
  }
}

// Many elements, or large ones, have counts, squares and sums on the way that f16 cannot hold.
TEST_CASE("f16: mean, var, std and sums compute in f32 and round once") {
  const auto f16 = [](const Tensor& x) { return cast(x, DType::f16); };
  CHECK(mean(f16(full({100'000}, 0.1))).item() == doctest::Approx(0.1).epsilon(1e-3));
  CHECK(mean(f16(full({1000}, 100))).item() == 100);
  const Tensor ten = f16(arange(300, 600, 30, DType::f32));
  CHECK(var(ten).item() == doctest::Approx(8250).epsilon(1e-3));
  CHECK(stddev(ten * 20).item() == doctest::Approx(20 * 90.83).epsilon(1e-3));
  CHECK(sum(f16(tensor({{{40'000.0, 40'000.0}}, {{-40'000.0, -40'000.0}}})), {0, 2}).item() == 0);
  const Tensor ids = zeros({4096}, DType::i64), many = f16(ones({4096}));
  CHECK(index_add(f16(zeros({1})), 0, ids, many).item() == 4096);
  CHECK(scatter_add(f16(zeros({1})), 0, ids, many).item() == 4096);
}
