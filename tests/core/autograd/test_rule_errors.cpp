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
  CHECK_THROWS_WITH_AS(mine(shape), "backward of mine: add: shapes [2] and [3] do not broadcast: 2 against 3 (sizes must be "
                       "equal or 1, matched from the last axis)", ShapeError);
  CHECK_THROWS_WITH_AS(mine([](const Step&) { throw ValueError("oops"); }), "backward of mine: oops", ValueError);
  CHECK_THROWS_WITH_AS(mine([](const Step& step) { step.input(1); }), "mine: there is no input 1, for the op has 1, counted from 0",
                       GraphError);
  const auto inner = [&](const Step&) {
    const GradMode on(true);
    mine(shape);
  };
  CHECK_THROWS_WITH_AS(mine(inner), "backward of mine: add: shapes [2] and [3] do not broadcast: 2 against 3 (sizes must be "
                       "equal or 1, matched from the last axis)", ShapeError);
  CHECK_THROWS_WITH_AS(mine([](const Step&) { throw std::bad_alloc(); }), "backward of mine: no memory", MemoryError);
  try {
    mine([](const Step&) { throw std::out_of_range("oops"); });
    FAIL("nothing was thrown");
  } catch (const GraphError& error) {
    CHECK(std::string(error.what()) == "backward of mine: oops");
    CHECK_THROWS_AS(std::rethrow_if_nested(error), std::out_of_range);
  }
}
