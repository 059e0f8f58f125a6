// Walks that begin inside of the rules and hooks of another, and where a walk ends.
#include <utility>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/tape/grad_mode.h"
#include "core/tape/record.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// y = x, by a rule that walks a graph of its own, whose rule does the same: `walks` of them, counting that of y.
Tensor nested(const Tensor& x, int walks) {
  return record("nested", x.detach(), {x}, [walks](const Step& step) {
    if (walks == 1) return step.grad;
    const GradMode on(true);
    const Tensor inner = leaf(1);
    return step.grad * grad({nested(inner, walks - 1)}, {inner})[0];
  });
}

}  // namespace

TEST_CASE("walks within walks: 100 of them are walked, one more is refused, and then they count anew") {
  const Tensor x = leaf(3);
  for (int round = 0; round < 2; ++round) {
    CHECK(grad({nested(x, 100)}, {x})[0].item() == 1);
    CHECK_THROWS_WITH_AS(grad({nested(x, 101)}, {x}),
                         "backward of nested: grad: 100 walks inside one another; a rule or a "
                         "hook walks the graph that it is part of",
                         GraphError);
  }
}

TEST_CASE("walks within walks: a hook may free the op whose rule has run") {
  const Tensor x = leaf(3), y = x * x;
  bool first = true;
  x.add_hook([&](const Tensor&) {
    if (std::exchange(first, false)) backward({y});
    return Tensor();
  });
  backward({y}, {}, true);
  CHECK(y.graph_freed());
  CHECK(x.grad().item() == 12);  // of both
}

TEST_CASE("grad: an output older than all inputs is not visited") {
  const Tensor x = leaf(3), old = x * x, young = leaf(5);
  int heard = 0;
  old.add_hook([&](const Tensor&) { return ++heard, Tensor(); });
  CHECK_FALSE(grad({old}, {young}, {.allow_unused = true})[0].defined());
  CHECK(heard == 0);
}

TEST_CASE("hook: what backward keeps is off the tape, also where nobody else holds what the hook recorded") {
  const Tensor w = leaf(5), x = leaf(1);
  x.add_hook([=](const Tensor& gradient) {
    const GradMode on(true);
    return gradient * w;
  });
  (x * 2).backward();
  CHECK(x.grad().item() == 10);
  CHECK(x.grad().is_leaf());
  CHECK_FALSE(x.grad().requires_grad());
}
