#include <exception>
#include <new>
#include <stdexcept>

#include "core/composites/composites.h"
#include "core/tape/grad_mode.h"
#include "core/tape/record.h"
#include "tests/support/check.h"

using namespace gradus;

TEST_CASE("backward: what a rule throws names the op once; an Error keeps its class, another exception is nested in a GraphError") {
  const auto mine = [](const auto& rule) {
    const Tensor x = tensor(2).set_requires_grad();
    record("mine", x.detach(), {x}, [rule](const Step& step) { return rule(step), step.grad; }).backward();
  };
  const auto shape = [](const Step&) { zeros({2}) + zeros({3}); };
  CHECK_THROWS_WITH_AS(mine(shape),
                       "backward of mine: add: shapes [2] and [3] do not broadcast: 2 against 3 (sizes must be "
                       "equal or 1, matched from the last axis)",
                       ShapeError);
  CHECK_THROWS_WITH_AS(mine([](const Step&) { throw ValueError("oops"); }), "backward of mine: oops", ValueError);
  CHECK_THROWS_WITH_AS(mine([](const Step& step) { step.input(1); }), "mine: there is no input 1, for the op has 1, counted from 0",
                       GraphError);
  const auto inner = [&](const Step&) {
    const GradMode on(true);
    mine(shape);
  };
  CHECK_THROWS_WITH_AS(mine(inner),
                       "backward of mine: add: shapes [2] and [3] do not broadcast: 2 against 3 (sizes must be "
                       "equal or 1, matched from the last axis)",
                       ShapeError);
  CHECK_THROWS_WITH_AS(mine([](const Step&) { throw std::bad_alloc(); }), "backward of mine: no memory", MemoryError);
  try {
    mine([](const Step&) { throw std::out_of_range("oops"); });
    FAIL("nothing was thrown");
  } catch (const GraphError& error) {
    CHECK(std::string(error.what()) == "backward of mine: oops");
    CHECK_THROWS_AS(std::rethrow_if_nested(error), std::out_of_range);
  }
}

TEST_CASE("backward: a gradient by rows that its input does not have is the rule's error, and leaves no gradient") {
  const Tensor x = ones({3, 2}).set_requires_grad();
  const auto mine = [&](const Tensor& values, const Tensor& indices, int axis) {
    sum(record("mine", x.detach(), {x}, [=](const Step&) { return Gradient(values, indices, axis); })).backward();
  };
  const Tensor rows = ones({1, 2}), first = tensor({0}, DType::i64);
  CHECK_THROWS_WITH_AS(mine(rows, tensor({3}, DType::i64), 0), "mine: id 3 is out of range; expected 0 … 2", ValueError);
  CHECK_THROWS_WITH_AS(mine(rows, first, 2), doctest::Contains("mine: "), ShapeError);
  CHECK_THROWS_WITH_AS(mine(rows, first, 1), "mine: the backward rule gave rows of shape [1, 2], expected [3, 1]", ShapeError);
  CHECK_THROWS_WITH_AS(mine(rows, reshape(first, {1, 1}), 0), "mine: the backward rule gave indices of shape [1, 1], not a vector",
                       ShapeError);
  CHECK_THROWS_WITH_AS(mine(rows, ones({1}), 0), doctest::Contains("mine: indices must be i64"), DTypeError);
  CHECK(!x.grad().defined());
  mine(rows, first, 0);
  CHECK(to_vector(x.grad()) == std::vector<double>{1, 1, 0, 0, 0, 0});
}
