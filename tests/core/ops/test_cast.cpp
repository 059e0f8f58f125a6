// cast: between dtypes, with the gradient back in the dtype it came from.
#include <cmath>

#include "core/autograd/engine.h"
#include "core/ops/ops.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("cast: rounds to nearest even in f16") {
  // Neighbours of 1 in f16 are 2⁻¹⁰ apart; a tie goes to the even one.
  const Tensor x = tensor({1 + 0x1p-11, 1 + 3 * 0x1p-11, 1 + 0x1.8p-11});
  CHECK(to_vector(cast(x, DType::f16)) == Values{1, 1 + 0x1p-9, 1 + 0x1p-10});
}

TEST_CASE("cast: f16 overflows to infinity, keeps subnormal numbers and NaN") {
  const Tensor x = cast(tensor({65504, 65536, -1e9, 0x1p-24, 0x1p-26, std::nan("")}), DType::f16);
  CHECK(difference(x, tensor({65504, INFINITY, -INFINITY, 0x1p-24, 0, std::nan("")}), 0) == "");
}

TEST_CASE("cast: to i64 cuts off the fraction") {
  CHECK(to_vector(cast(tensor({1.9, -1.9, 0.5}), DType::i64)) == Values{1, -1, 0});
}

TEST_CASE("cast: to its own dtype is the tensor itself") {
  const Tensor x = tensor({1, 2});
  CHECK(cast(x, DType::f32).same_as(x));
}

TEST_CASE("cast: the gradient comes back in the dtype of the input") {
  Tensor x = tensor({1, 2, 3}, DType::f16).set_requires_grad();
  const Tensor y = square(cast(x, DType::f32));
  CHECK(y.dtype() == DType::f32);
  sum(y).backward();
  CHECK(x.grad().dtype() == DType::f16);
  CHECK(to_vector(x.grad()) == Values{2, 4, 6});
}

TEST_CASE("cast: to i64 leaves the tape") {
  const Tensor x = tensor({1, 2}).set_requires_grad();
  CHECK_FALSE(cast(x, DType::i64).requires_grad());
}

TEST_CASE("mixed dtypes: an i64 operand is read in the dtype of the floating one") {
  const Tensor ids = tensor({1, 2, 3}, DType::i64), x = tensor({0.5, 0.5, 0.5}, DType::f16);
  for (const Tensor& y : {ids * x, x * ids}) {
    CHECK(y.dtype() == DType::f16);
    CHECK(to_vector(y) == Values{0.5, 1, 1.5});
  }
  CHECK((ids + ids).dtype() == DType::i64);
  CHECK(to_vector(maximum(ids, 4 - ids)) == Values{3, 2, 3});
}

TEST_CASE("mixed dtypes: where reads the i64 one of its two operands in the dtype of the floating one") {
  const Tensor mask = tensor({1, 0}, DType::i64), ids = tensor({3, 4}, DType::i64), x = tensor({0.5, 1.5});
  CHECK(where(mask, ids, x).dtype() == DType::f32);
  CHECK(to_vector(where(mask, ids, x)) == Values{3, 1.5});
  CHECK(to_vector(where(mask, x, ids)) == Values{0.5, 4});
}

TEST_CASE("mixed dtypes: a mask times a tensor passes the gradient where it is 1") {
  Tensor x = tensor({-1, 2, 3}).set_requires_grad();
  sum(x * (x > 0)).backward();
  CHECK(to_vector(x.grad()) == Values{0, 1, 1});
}

TEST_CASE("mixed dtypes: i64 base and exponent of pow, on either side of the tape") {
  Tensor x = tensor({1, 2}).set_requires_grad();
  sum(pow(x, tensor({2, 3}, DType::i64))).backward();
  CHECK(to_vector(x.grad()) == Values{2, 12});
  Tensor exponent = tensor({1, 2}).set_requires_grad();
  sum(pow(tensor({1, 1}, DType::i64), exponent)).backward();
  CHECK(to_vector(exponent.grad()) == Values{0, 0});
}

TEST_CASE("==, !=: element by element, with a tensor or a number") {
  const Tensor x = tensor({1, 2, 3}), y = tensor({1, 5, 3});
  CHECK((x == y).dtype() == DType::i64);
  CHECK(to_vector(x == y) == Values{1, 0, 1});
  CHECK(to_vector(x != y) == Values{0, 1, 0});
  CHECK(to_vector(x == 2) == Values{0, 1, 0});
  CHECK(to_vector(x != 2) == Values{1, 0, 1});
}

TEST_CASE("mean: of an i64 tensor in f32, of a sum that f32 could not hold") {
  const Tensor share = mean(tensor({1, 2, 3, 4}) == tensor({1, 2, 0, 4}));
  CHECK(share.dtype() == DType::f32);
  CHECK(share.item() == 0.75);
  CHECK(to_vector(mean(tensor({{1, 2}, {3, 5}}, DType::i64), 1)) == Values{1.5, 4});
  CHECK(var(tensor({1, 2, 3}, DType::i64)).item() == 1);
  const int64_t large = int64_t{1} << 24;
  CHECK(mean(from_vector(std::vector<int64_t>{large, 1, -large, 2}, {4})).item() == 0.75);
}
