// What ops say to a wrong shape, here for the readers of chapter 00; all that an op refuses is in tests/core/bad_input.
#include "core/composites/composites.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("elementwise ops: shapes that do not broadcast") {
  CHECK_THROWS_WITH_AS(ones({2, 3}) + ones({4}),
                       "add: shapes [2, 3] and [4] do not broadcast: 3 against 4 (sizes must be equal or 1, "
                       "matched from the last axis)",
                       ShapeError);
}

TEST_CASE("matmul: inner sizes, ranks, batches and dtypes must fit") {
  CHECK_THROWS_WITH_AS(matmul(ones({3}), ones({4})), "matmul: inner dimensions differ: [3] @ [4] (3 against 4)", ShapeError);
  CHECK_THROWS_WITH_AS(matmul(ones({2, 5, 3}), ones({4, 2})), "matmul: inner dimensions differ: [2, 5, 3] @ [4, 2] (3 against 4)",
                       ShapeError);
}

TEST_CASE("cat, chunk, slice: the largest sizes that are no error") {
  constexpr int64_t most = INT64_MAX;
  const Tensor none = zeros({int64_t{1} << 47, 0});
  CHECK(cat({none, none}, 0).shape() == Shape{int64_t{1} << 48, 0});
  CHECK_THROWS_AS(zeros({0, most, most}), ShapeError);  // its strides
  CHECK(chunk(ones({3}), most).size() == 3);
  CHECK(to_vector(slice(ones({3, 3}), 0, 1, kToEnd, most)) == Values{1, 1, 1});
}

TEST_CASE("an error leaves no trace: tensors and tape are as before") {
  const Tensor x = ones({2, 3}).set_requires_grad();
  const Tensor y = x * 2;
  CHECK_THROWS_AS(y + ones({5}), ShapeError);
  sum(y).backward();
  CHECK(to_vector(x.grad()) == Values(6, 2));
}
