// The tape of the tape: y = x³ at x = 2, differentiated three times.
#include <fmt/format.h>

#include "core/core.h"
#include "core/inspect/tape.h"

using namespace gradus;

int main() {
  const Tensor x = tensor(2, DType::f64).set_requires_grad();
  const Tensor y = x * x * x;
  fmt::print("y    = {}\n{}\n", y, inspect::tape(y, {.names = {{"x", x}}}));

  const Tensor first = grad({y}, {x}, {.create_graph = true})[0];
  fmt::print("y'   = {}\n{}\n", first, inspect::tape(first, {.names = {{"x", x}}}));

  const Tensor second = grad({first}, {x}, {.create_graph = true})[0];
  const Tensor third = grad({second}, {x})[0];
  fmt::print("y''  = {}\ny''' = {}\n", second, third);
}
