#include "core/kernels/kernels.h"
#include "core/ops/ops.h"
#include "core/tape/record.h"

namespace gradus {

// #region op-exp
// y = e^x      dL/dx = dL/dy ⊙ y
Tensor exp(const Tensor& x) {
  return record("exp", kernels::exp(x), {x}, [](const Step& step) { return step.grad * step.output(); });
}
// #endregion op-exp

// y = e^x - 1      dL/dx = dL/dy ⊙ e^x, of which y + 1 has lost the digits where y is nearly -1
Tensor expm1(const Tensor& x) {
  return record("expm1", kernels::expm1(x), {x}, [](const Step& step) { return step.grad * exp(step.input(0)); });
}

// y = log x      dL/dx = dL/dy / x
Tensor log(const Tensor& x) {
  return record("log", kernels::log(x), {x}, [](const Step& step) { return step.grad / step.input(0); });
}

// y = log(1 + x)      dL/dx = dL/dy / (1 + x)
Tensor log1p(const Tensor& x) {
  return record("log1p", kernels::log1p(x), {x}, [](const Step& step) { return step.grad / (step.input(0) + 1); });
}

// y = √x      dL/dx = dL/dy / (2 ⊙ y)
Tensor sqrt(const Tensor& x) {
  return record("sqrt", kernels::sqrt(x), {x}, [](const Step& step) { return step.grad / (2 * step.output()); });
}

// y = sin x      dL/dx = dL/dy ⊙ cos x
Tensor sin(const Tensor& x) {
  return record("sin", kernels::sin(x), {x}, [](const Step& step) { return step.grad * cos(step.input(0)); });
}

// y = cos x      dL/dx = -dL/dy ⊙ sin x
Tensor cos(const Tensor& x) {
  return record("cos", kernels::cos(x), {x}, [](const Step& step) { return -step.grad * sin(step.input(0)); });
}

// y = tanh x      dL/dx = dL/dy ⊙ (1 - y²)
Tensor tanh(const Tensor& x) {
  return record("tanh", kernels::tanh(x), {x}, [](const Step& step) { return step.grad * (1 - square(step.output())); });
}

// y = 1 / (1 + e^-x)      dL/dx = dL/dy ⊙ y ⊙ (1 - y)
Tensor sigmoid(const Tensor& x) {
  return record("sigmoid", kernels::sigmoid(x), {x}, [](const Step& step) { return step.grad * step.output() * (1 - step.output()); });
}

// y = erf x      dL/dx = dL/dy ⊙ 2/√π ⊙ e^(-x²)
Tensor erf(const Tensor& x) {
  constexpr double two_over_root_pi = 1.12837916709551257390;
  return record("erf", kernels::erf(x), {x}, [](const Step& step) { return step.grad * exp(-square(step.input(0))) * two_over_root_pi; });
}

// y = max(0, x)      dL/dx = [x ≤ 0] ? 0 : dL/dy
Tensor relu(const Tensor& x) {
  return record("relu", kernels::relu(x), {x}, [](const Step& step) { return where(step.input(0) <= 0, 0, step.grad); });
}

// y = x, rounded to another dtype      dL/dx = dL/dy, in x's dtype
Tensor cast(const Tensor& x, DType dtype) {
  check_defined({{"x", x}});
  if (x.dtype() == dtype) return x;
  return record("cast", kernels::cast(x, dtype), {x}, [from = x.dtype()](const Step& step) { return cast(step.grad, from); });
}

Tensor Tensor::to(DType dtype) const { return cast(*this, dtype); }

Tensor in_f32(const Tensors& inputs, const std::function<Tensor(const Tensors&)>& f) {
  check<ValueError>(f != nullptr, "in_f32: the function is empty");
  Tensors wide = inputs;
  bool narrow = false;
  for (Tensor& x : wide) {
    if (!x.defined() || x.dtype() != DType::f16) continue;
    x = cast(x, DType::f32);
    narrow = true;
  }
  return narrow ? cast(f(wide), DType::f16) : f(inputs);
}

}  // namespace gradus
