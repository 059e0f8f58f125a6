// y = x₁² + x₂² + x₃², and so dy/dx = 2x: Gradus as an installed library.
#include <fmt/core.h>

#include "core/core.h"
#include "core/inspect/gradcheck.h"

int main() {
  gradus::Tensor x = gradus::tensor({1, 2, 3});
  x.set_requires_grad(true);
  gradus::Tensor y = gradus::sum(x * x);
  y.backward();
  fmt::print("y = {}\ndy/dx = {}\n", y, x.grad());

  double wrong = gradus::sum(x.grad() - 2 * x).item();
  const auto report = gradus::gradcheck([](const gradus::Tensors& in) { return square(in[0]); }, {cast(x.detach(), gradus::DType::f64)});
  return y.item() == 14 && wrong == 0 && report.passed ? 0 : 1;
}
