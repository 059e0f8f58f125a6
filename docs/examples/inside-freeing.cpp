// A chain of a million ops is built, walked and freed without recursion.
#include <fmt/format.h>

#include "core/core.h"

using namespace gradus;

namespace {

constexpr int kDepth = 1'000'000;

Tensor chain(const Tensor& x) {
  Tensor y = x;
  for (int i = 0; i < kDepth; ++i) y = -y;  // each step holds the one before
  return y;
}

}  // namespace

int main() {
  const Tensor x = tensor(1).set_requires_grad();

  Tensor y = chain(x);
  fmt::print("built:    {} nodes\n", live_nodes());
  y.backward();
  fmt::print("walked:   {} nodes, dy/dx = {}\n", live_nodes(), x.grad());

  y = chain(x);
  fmt::print("built:    {} nodes\n", live_nodes());
  y = Tensor();  // the last handle on the newest tensor goes, and the whole chain with it
  fmt::print("let go:   {} nodes\n", live_nodes());
}
