// op-mul-saddle: y = a b and its gradient at 81 points, by the tape, as JSON.
#include <fmt/format.h>

#include "core/core.h"

using namespace gradus;

int main() {
  const char* before = "[";
  for (int row = -4; row <= 4; ++row) {
    for (int column = -4; column <= 4; ++column) {
      const Tensor a = tensor(column / 2.0, DType::f64).set_requires_grad(), b = tensor(row / 2.0, DType::f64).set_requires_grad();
      const Tensor y = a * b;
      y.backward();
      fmt::print("{}\n {{\"a\": {}, \"b\": {}, \"y\": {}, \"da\": {}, \"db\": {}}}", before, a.item(), b.item(), y.item(), a.grad().item(),
                 b.grad().item());
      before = ",";
    }
  }
  fmt::print("\n]\n");
}
