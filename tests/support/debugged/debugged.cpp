// What the debuggers are tried on: a tensor of each kind, ops with each kind of rule, modules, and a tape of 10⁵ ops.
//
//   debugged TRACE      writes the trace of `loss`, for comparison
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include "core/autograd/fused.h"
#include "core/core.h"
#include "core/inspect/trace.h"
#include "nn/linear.h"

using namespace gradus;

namespace {

namespace formula {
Tensor tripled(const Tensor& x);
}

// y = 3x      dL/dx = 3 dL/dy
Tensor formula::tripled(const Tensor& x) { return 3 * x; }

struct FastTripled final : FastPath {
  Tensor forward(const Tensors& in) override {
    const NoGrad off;
    return formula::tripled(in[0]);
  }
  Tensors backward(const Tensor& g, const Tensors&, const Tensor&) const override { return {3 * g}; }
};

Tensor tripled(const Tensor& x) {
  return fused("tripled", {x}, [](const Tensors& in) { return formula::tripled(in[0]); }, std::make_unique<FastTripled>());
}

// y = sign x      dL/dx = 0
Tensor stepped(const Tensor& x) { return record("stepped", sign(x), {x}, nullptr); }

struct Scaled : nn::Layer {
  nn::Parameter gain = full({2}, 0.5);
  nn::Linear inner{2, 1};
  Tensor forward(const Tensor& x) override { return inner(x * gain); }
  void members(nn::Members& m) override {
    m.parameter("gain", gain);
    m.child("inner", inner);
  }
};

// Where a debugger stops.
void look(const Tensor& y) { check<GraphError>(y.defined(), "nothing to look at"); }

}  // namespace

int main(int argc, char** argv) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  Tensor undefined;
  Tensor narrow = cast(tensor({1.5, -2.25, 65504}), DType::f16);
  Tensor ids = tensor({-3, 0, 7}, DType::i64);
  ids.mutable_data<int64_t>()[1] = 9007199254740993;  // no double holds it
  Tensor many = arange(0, 100, 1, DType::f32).view({4, 25});
  Tensor odd = tensor({nan, 1, infinity, -1, 0, 2, -infinity, nan});
  Tensor empty = zeros({0, 3});
  Tensor large = ones({300000});
  Tensor moved = tensor({1, 2});
  const Tensor taken = std::move(moved);
  const int numbers[] = {5, 6, 7};
  [[maybe_unused]] const std::span<const int> some = numbers;
  [[maybe_unused]] const std::span<const int, 2> two(numbers, 2);
  Tensor patterns[2];  // bytes that are no tensor: an address that is none, and one at which something else lies
  const std::uint64_t nowhere = 0x4141414141414141, elsewhere = reinterpret_cast<std::uint64_t>(argv);
  std::memcpy(static_cast<void*>(&patterns[0]), &nowhere, sizeof(nowhere));
  std::memcpy(static_cast<void*>(&patterns[1]), &elsewhere, sizeof(elsewhere));

  Tensor x = tensor({3, 4}).set_requires_grad(), w = tensor({0.1, -2}).set_requires_grad();
  Tensor off_tape = tensor({10, 20});
  Tensor product = x * w;
  Tensor thrice = tripled(product);
  Tensor both = cat({thrice, x, off_tape}, 0);
  Tensor doubled = 2 * x;
  Tensor steps = stepped(doubled);
  Tensor loss = sum(both) + sum(steps * 0.0);
  Tensor mean_square = mean(x * x);
  Tensor late = tensor({5, 6});
  Tensor mixed = late * w;
  late.set_requires_grad();  // too late
  mean_square.backward();    // leaves a gradient in x, and a tape that is freed
  const nn::Linear linear{2, 3};
  const Scaled scaled;
  Tensor deep = tensor(1.0).set_requires_grad();
  for (int i = 0; i < 100000; ++i) deep = deep + 1;
  if (argc > 1) inspect::write_json(argv[1], inspect::trace(loss));
  look(loss);
  loss.backward();
  look(loss);
  Tensor again = sum(x * w);
  Tensor slope = grad({again}, {w}, {.retain_graph = true})[0];  // x is older: the walk does not come to it
  look(slope);

  std::memset(static_cast<void*>(patterns), 0, sizeof(patterns));
  return taken.defined() ? 0 : 1;
}
