// ch00_tape: the tape on one page: compute, look at what was recorded, walk it back, check it by finite differences.
#include <fmt/format.h>

#include "core/core.h"

using namespace gradus;

int main() {
  // Two leaves: tensors that nobody computed, whose gradients we want.
  Tensor a = tensor(2, DType::f64).set_requires_grad();
  Tensor b = tensor(3, DType::f64).set_requires_grad();

  // Forward. Each op computes its value and leaves a node on the tape: who made me, from what, and by which rule
  // gradients go back.
  Tensor product = a * b;
  Tensor wave = sin(a);
  Tensor y = product + wave;
  fmt::print("y = a b + sin a = {}\n\nThe tape, newest first:\n{}\n", y, inspect::tape(y, {.names = {{"a", a}, {"b", b}}}));

  // Backward. The engine takes the newest tensor first, asks its op's rule for the gradients of the inputs, and adds
  // them up where they meet: a is used twice, so two gradients reach it.
  y.backward();
  fmt::print("dy/da = b + cos a = {}\ndy/db = a         = {}\n\n", a.grad(), b.grad());

  // Rules are made of ops themselves, so a gradient can be differentiated again.
  y = a * b + sin(a);
  const Tensor slope = grad({y}, {a}, {.create_graph = true})[0];
  const Tensor bend = grad({slope}, {a})[0];
  fmt::print("d²y/da² = -sin a  = {}\n\n", bend);

  // Are the rules right? Compare them with the slope measured between y(a + h) and y(a - h).
  const TensorFunction f = [](const Tensors& x) { return x[0] * x[1] + sin(x[0]); };
  fmt::print("first derivatives, by finite differences: {}\n", gradcheck(f, {a, b}).text);
  fmt::print("second derivatives:                       {}\n", gradgradcheck(f, {a, b}).text);
  return 0;
}
