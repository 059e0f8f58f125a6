// What backward reads of the inputs of every op is what forward read: a change in between is refused, or does not matter.
#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/tape/grad_mode.h"
#include "tests/support/check.h"
#include "tests/support/op_table.h"

using namespace gradus;
using namespace gradus::test;

namespace {

using Change = std::function<void(Tensor& input)>;

// The gradients of the row's op, where input i is changed between forward and backward; empty if that was refused, or if the
// op had nothing to do and gave its input itself.
Tensors gradients(const OpRow& row, std::size_t i, const Change& change) {
  Tensors inputs = make_inputs(row, DType::f64, true);
  const Tensor y = row.function(inputs);
  if (y.same_as(inputs[i])) return {};
  const Tensor cotangent = make_cotangent(row, y);
  change(inputs[i]);
  try {
    return grad({y}, inputs, {.seeds = {cotangent}, .allow_unused = true});
  } catch (const GraphError&) {
    return {};
  }
}

// How often the change was refused. A gradient that it made another is a failed check.
int refused(const Change& change) {
  int count = 0;
  for (const OpRow& row : op_table()) {
    if (row.smooth == Smooth::none) continue;
    for (std::size_t i = 0; i < row.inputs.size(); ++i) {
      const Tensors expected = gradients(row, i, [](Tensor&) {}), found = gradients(row, i, change);
      CAPTURE(row.name);
      if (found.empty()) ++count;
      for (std::size_t k = 0; k < found.size(); ++k) {
        if (expected.at(k).defined()) CHECK(difference(found[k], expected[k], 0) == "");
      }
    }
  }
  return count;
}

}  // namespace

TEST_CASE("every op: an input that is changed in place before backward is refused, or the gradient does not change") {
  CHECK(refused([](Tensor& x) { x.fill(0.75); }) >= 60);
  CHECK(refused([](Tensor& x) { x.detach().mutable_data<double>()[0] += 1; }) >= 60);
}

TEST_CASE("every op: an input that takes other values before backward is refused, or the gradient does not change") {
  CHECK(refused([](Tensor& x) { x.assign(full_like(x, 0.75)); }) >= 60);
}
