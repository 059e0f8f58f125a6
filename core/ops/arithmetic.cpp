#include "core/kernels/kernels.h"
#include "core/ops/ops.h"
#include "core/tape/record.h"

namespace gradus {
// clang-format off: a line for each rule
// #region op-add
// y = a + b      dL/da = dL/dy      dL/db = dL/dy
Tensor add(const Tensor& a, const Tensor& b) {
  return record("add", kernels::add(a, b), {a, b},
                [](const Step& step) { return step.grad; },   // dL/da
                [](const Step& step) { return step.grad; });  // dL/db
}
// #endregion op-add

// y = -x      dL/dx = -dL/dy
Tensor neg(const Tensor& x) {
  return record("neg", kernels::neg(x), {x}, [](const Step& step) { return -step.grad; });
}

Tensor sub(const Tensor& a, const Tensor& b) {
  check_operands(a, b);  // so that the error names sub
  return add(a, neg(b));
}

// #region op-mul
// y = a ⊙ b      dL/da = dL/dy ⊙ b      dL/db = dL/dy ⊙ a
Tensor mul(const Tensor& a, const Tensor& b) {
  return record("mul", kernels::mul(a, b), {a, b},
                [](const Step& step) { return step.grad * step.input(1); },   // dL/da
                [](const Step& step) { return step.grad * step.input(0); });  // dL/db
}
// #endregion op-mul

// y = a / b      dL/da = dL/dy / b      dL/db = -dL/dy ⊙ y / b
Tensor div(const Tensor& a, const Tensor& b) {
  return record("div", kernels::div(a, b), {a, b},
                [](const Step& step) { return step.grad / step.input(1); },                    // dL/da
                [](const Step& step) { return -step.grad * step.output() / step.input(1); });  // dL/db
}
// clang-format on

// y = a^b      dL/da = dL/dy ⊙ b ⊙ a^(b-1)      dL/db = dL/dy ⊙ y ⊙ log a
// dL/da is 0 where b = 0, even where a^(b-1) is ∞ or NaN. dL/db is 0 where a = 0 and b >= 0: y is 0 for every b > 0. There a is
// replaced by 1. For b < 0 it is ∞·(-∞) at a = 0.
Tensor pow(const Tensor& a, const Tensor& b) {
  return record(
      "pow", kernels::pow(a, b), {a, b},
      [](const Step& step) {  // dL/da
        const Tensor &base = step.input(0), &exponent = step.input(1);
        const Tensor zero = logical_and(eq(exponent, 0), logical_not(isfinite(1 / base.detach())));
        return step.grad * where(zero, 0, exponent * pow(where(zero, 1, base), exponent - 1));
      },
      [](const Step& step) {  // dL/db; a may be i64
        const Tensor base = cast(step.input(0), step.grad.dtype());
        const Tensor zero = logical_and(eq(base, 0), step.input(1) >= 0);
        return step.grad * step.output() * log(where(zero, 1, base));
      });
}

Tensor square(const Tensor& x) {
  check_defined({{"x", x}});
  return x * x;
}

// y = |x|      dL/dx = dL/dy ⊙ sign(x)
Tensor abs(const Tensor& x) {
  return record("abs", kernels::abs(x), {x}, [](const Step& step) { return step.grad * sign(step.input(0)); });
}

Tensor sign(const Tensor& x) { return constant(kernels::sign(x), {x}); }

namespace {

// The gradient where a is the larger, 0 where b is, half of it where neither is: they are equal, or one is NaN.
Tensor share_of_larger(const Tensor& grad, const Tensor& a, const Tensor& b) { return where(a > b, grad, where(a < b, 0, grad / 2)); }

}  // namespace

// y = max(a, b)      dL/da = dL/dy ⊙ [a > b]      dL/db = dL/dy ⊙ [b > a]      half to each where neither is the larger
Tensor maximum(const Tensor& a, const Tensor& b) {
  return record(
      "maximum", kernels::maximum(a, b), {a, b},
      [](const Step& step) { return share_of_larger(step.grad, step.input(0), step.input(1)); },   // dL/da
      [](const Step& step) { return share_of_larger(step.grad, step.input(1), step.input(0)); });  // dL/db
}

// y = min(a, b)      dL/da = dL/dy ⊙ [b > a]      dL/db = dL/dy ⊙ [a > b]      half to each where neither is the larger
Tensor minimum(const Tensor& a, const Tensor& b) {
  return record(
      "minimum", kernels::minimum(a, b), {a, b},
      [](const Step& step) { return share_of_larger(step.grad, step.input(1), step.input(0)); },   // dL/da
      [](const Step& step) { return share_of_larger(step.grad, step.input(0), step.input(1)); });  // dL/db
}

namespace {

// a ← function(a, b), in place. `op` is "+=" or its like.
Tensor& update(const char* op, Tensor& a, const Operand& operand, Tensor (*function)(const Tensor&, const Tensor&)) {
  const Tensor b = operand.beside(a, op);
  check_defined({{"a", a}, {"b", b}}, op);
  check<GraphError>(!grad_enabled() || !(a.requires_grad() || b.requires_grad()),
                    "{}: changes a tensor in place, which the tape cannot record. To update a parameter, write "
                    "{{ NoGrad off; p {} …; }}; otherwise a = a {} b",
                    op, op, op[0]);
  check<DTypeError>(is_floating(a.dtype()) || !is_floating(b.dtype()), "{}: an {} tensor cannot hold {} values; use cast", op, a.dtype(),
                    b.dtype());
  check<ShapeError>(broadcasts_to(b.shape(), a.shape()), "{}: shape {} does not broadcast to {}, which is changed in place", op, b.shape(),
                    a.shape());
  check_operands(a, b, op);
  a.assign(function(a, b), op);
  return a;
}

}  // namespace

Tensor& operator+=(Tensor& a, const Operand& b) { return update("+=", a, b, add); }
Tensor& operator-=(Tensor& a, const Operand& b) { return update("-=", a, b, sub); }
Tensor& operator*=(Tensor& a, const Operand& b) { return update("*=", a, b, mul); }
Tensor& operator/=(Tensor& a, const Operand& b) {
  check_floating(a, b.beside(a, "/="), "/=");
  return update("/=", a, b, div);
}

}  // namespace gradus
