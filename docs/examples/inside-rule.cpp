// An op of your own: its value, its rule, and what finds a wrong rule.
#include <fmt/format.h>

#include "core/core.h"
#include "core/inspect/gradcheck.h"

using namespace gradus;

namespace {

// The value of an op: plain numbers, without a trace on the tape.
Tensor cubed(const Tensor& x) {
  const NoGrad off;
  return x * x * x;
}

// y = x³      dL/dx = 3 x² ⊙ dL/dy
Tensor cube(const Tensor& x) {
  return record("cube", cubed(x), {x}, [](const Step& step) { return step.grad * 3 * square(step.input(0)); });
}

// The same with a mistake in the rule: 2 for 3.
Tensor wrong_cube(const Tensor& x) {
  return record("wrong_cube", cubed(x), {x}, [](const Step& step) { return step.grad * 2 * square(step.input(0)); });
}

}  // namespace

int main() {
  const Tensor x = tensor({1, -2}, DType::f64).set_requires_grad();
  const Tensor y = cube(x);
  fmt::print("y = {}\nits node: {}, with {} input\n", y, y.node()->name(), y.node()->input_count());
  sum(y).backward();
  fmt::print("dL/dx = {}\n", x.grad());

  // Central differences of the value, and of the gradient, say whether the rule is right, and whether its own derivative is.
  const auto verdict = [](const GradcheckReport& report) { return report.passed ? "passed" : "FAILED"; };
  const TensorFunction right = [](const Tensors& in) { return cube(in[0]); };
  const TensorFunction wrong = [](const Tensors& in) { return wrong_cube(in[0]); };
  fmt::print("cube:       gradcheck {}\n", verdict(gradcheck(right, {x})));
  fmt::print("cube:       gradgradcheck {}\n", verdict(gradgradcheck(right, {x})));
  fmt::print("wrong_cube: gradcheck {}\n", verdict(gradcheck(wrong, {x})));
}
