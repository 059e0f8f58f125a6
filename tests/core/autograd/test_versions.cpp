// In-place changes and the tape: caught where backward needs the old value, and only there.
#include <cmath>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/tape/grad_mode.h"
#include "core/tape/record.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("versions: an input that was changed in place is caught") {
  Tensor w = leaf({1, 2});
  const Tensor x = leaf({3, 4});
  const Tensor y = sum(w * x);
  w.fill(0);
  CHECK_THROWS_WITH_AS(y.backward(),
                       "mul: the input (shape [2]) was changed in place after it was recorded, but backward needs its "
                       "old value; change a copy, or run backward first, before optimizer.step()",
                       GraphError);
}

TEST_CASE("versions: masks and ids that were changed in place are caught") {
  const Tensor x = leaf({1, 2});
  Tensor mask = tensor({1, 0}, DType::i64), ids = tensor({0, 1}, DType::i64);
  const Tensors results = {where(mask, x, x * 2), index_select(x, 0, ids), gather(x, 0, ids), scatter_add(x, 0, ids, x),
                           index_add(x, 0, ids, x)};
  mask.fill(0);
  ids.fill(1);
  for (const Tensor& y : results) CHECK_THROWS_AS(sum(y).backward(), GraphError);
}

TEST_CASE("versions: a change through a view of the same storage is caught") {
  const Tensor x = leaf({1, 2});
  const Tensor y = sum(square(x));
  x.detach().mutable_data<double>()[0] = 5;
  CHECK_THROWS_AS(y.backward(), GraphError);
}

TEST_CASE("versions: an output that was changed in place is caught where the rule needs it") {
  const Tensor x = leaf({1, 2});
  const Tensor y = exp(x);
  y.detach().fill(0);
  CHECK_THROWS_WITH_AS(sum(y).backward(),
                       "exp: the output (shape [2]) was changed in place after it was recorded, but backward needs its "
                       "old value; change a copy, or run backward first, before optimizer.step()",
                       GraphError);
}

TEST_CASE("versions: a change that backward does not need is no error") {
  Tensor a = leaf({1, 2});
  const Tensor b = leaf({3, 4});
  const Tensor y = sum(a + b) + sum(a * 2);
  a.fill(0);
  y.backward();
  CHECK(to_vector(a.grad()) == Values{3, 3});
}

TEST_CASE("versions: a gradient that is not wanted needs no value either") {
  Tensor x = tensor({1, 2}, DType::f64);
  const Tensor w = leaf({3, 4});
  const Tensor y = sum(x * w);
  Tensor(w).detach().fill(0);  // w is only needed for dL/dx
  y.backward();
  CHECK(to_vector(w.grad()) == Values{1, 2});
}

TEST_CASE("versions: a change after backward is the optimizer's business") {
  Tensor w = leaf({1, 2});
  for (int step = 0; step < 3; ++step) {
    w.zero_grad();
    sum(square(w)).backward();
    w.assign(w.detach() - 0.25 * w.grad());
  }
  CHECK(to_vector(w) == Values{0.125, 0.25});
}
