// What may stand where a tensor can: numbers, and what converts to a tensor; and masks as indices.
#include <functional>

#include "core/composites/composites.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

using Values = std::vector<double>;

struct Holder {  // as a module's field that is more than a tensor
  Tensor value = tensor({1, 2});
  operator const Tensor&() const { return value; }
};

}  // namespace

TEST_CASE("operands: a number of any type takes the dtype of the tensor beside it, and no precision is lost in f64") {
  for (const DType dtype : {DType::f16, DType::f32, DType::f64}) {
    CAPTURE(dtype);
    const Tensor x = tensor({-1, 2}, dtype);
    for (const Tensor& y : {maximum(x, 0), minimum(0L, x), pow(2, x), x + 1u, 1 - x, x / 2.5f, where(x > 0, x, 0), where(x > 0, 1, x)}) {
      CHECK(y.dtype() == dtype);
    }
  }
  CHECK((tensor(0, DType::f64) + 0.1).item() == 0.1);
  CHECK(to_vector(1 - tensor({3, 5}, DType::i64)) == Values{-2, -4});
  CHECK(to_vector(pow(2, tensor({3, 0.5}, DType::f64))) == Values{8, std::sqrt(2.0)});
  CHECK(to_vector((tensor({1, 2, 3}) >= 2) & ~(tensor({1, 2, 3}) == 3)) == Values{0, 1, 0});
}

TEST_CASE("operands: what converts to a tensor is one, and an operand that is kept keeps its tensor alive") {
  Tensor x = tensor({3, 4});
  const Holder holder;
  CHECK(to_vector(x + holder) == Values{4, 6});
  CHECK(to_vector(std::ref(x) * 2) == Values{6, 8});
  CHECK(to_vector(maximum(holder, 1.5)) == Values{1.5, 2});
  x += holder;
  CHECK(to_vector(x) == Values{4, 6});
  const Operand kept = x * 2;
  CHECK(to_vector(kept + 1) == Values{9, 13});
}

TEST_CASE("masks as indices: x[mask] has the slices along the first axes, as in NumPy, with their gradient") {
  const Tensor x = f64({{1, 2}, {3, 4}, {5, 6}}).set_requires_grad();
  const Tensor rows = x[ids({1, 0, 1})];
  CHECK(rows.shape() == Shape{2, 2});
  CHECK(to_vector(rows) == Values{1, 2, 5, 6});
  sum(rows * rows).backward();
  CHECK(to_vector(x.grad()) == Values{2, 4, 0, 0, 10, 12});
  CHECK(x[zeros({3}, DType::i64)].shape() == Shape{0, 2});
  CHECK(to_vector(x.detach()[x.detach() > 4]) == Values{5, 6});
}

TEST_CASE("floor, round: numbers between 2⁵¹ and 2⁵², infinities, NaN and whole numbers") {
  const Tensor x = from_vector(Values{0x1p51 + 0.5, 0x1p51 + 1.5, -0x1p51 - 0.5, 0x1p52 + 1, kInfinity, -kInfinity}, {6});
  CHECK(to_vector(round(x)) == Values{0x1p51, 0x1p51 + 2, -0x1p51, 0x1p52 + 1, kInfinity, -kInfinity});
  CHECK(to_vector(floor(x)) == Values{0x1p51, 0x1p51 + 1, -0x1p51 - 1, 0x1p52 + 1, kInfinity, -kInfinity});
  CHECK(std::isnan(floor(tensor(kNaN)).item()));
  CHECK(to_vector(floor(tensor({3, -4}, DType::i64))) == Values{3, -4});
}

TEST_CASE("shapes at run time: reshape, view, expand, zeros, repeat and axes from vectors") {
  const std::vector<int64_t> sizes{3, -1}, shape{2, 3};
  const Tensor x = arange(6).to(DType::f32);
  CHECK(x.reshape(sizes).shape() == Shape{3, 2});
  CHECK(x.view(x.reshape({2, 3}).shape()).shape() == Shape{2, 3});
  CHECK(zeros(shape).shape() == Shape{2, 3});
  CHECK(expand(ones({1, 3}), std::vector<int64_t>{4, 2, -1}).shape() == Shape{4, 2, 3});
  const std::vector<int> axes{0, 1};
  CHECK(x.reshape(shape).sum(axes).item() == 15);
  CHECK(to_vector(repeat(tensor({1, 2}), {2, 2})) == Values{1, 2, 1, 2, 1, 2, 1, 2});
  CHECK(repeat(x, {0}).shape() == Shape{0});
  CHECK(x.reshape(shape).T().shape() == Shape{3, 2});
}
