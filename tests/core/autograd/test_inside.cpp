// The parts of core that the book walks through, each by a law that it alone keeps.
#include <algorithm>

#include "core/autograd/accumulate.h"
#include "core/autograd/engine.h"
#include "core/autograd/fused.h"
#include "core/autograd/vjp.h"
#include "core/composites/composites.h"
#include "core/tape/record.h"
#include "core/tensor/observer.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// y = 3x, with a rule that counts its calls.
Tensor triple(const Tensor& x, int& calls) {
  return record("triple", x.detach() * 3, {x}, [&calls](const Step& step) {
    ++calls;
    return 3 * step.grad;
  });
}

// The numbers of the tensors that a walk visits, in order.
struct Visits final : Observer {
  void visit(const Tensor& y, const Tensor&) override { numbers.push_back(y.number()); }
  std::vector<std::uint64_t> numbers;
};

Tensor cube(const Tensors& in) { return in[0] * in[0] * in[1]; }  // x² z

// Its kernel, which keeps what forward saw; its gradient is recognised by a factor that the formula's has not.
class CubeKernel final : public FastPath {
 public:
  Tensor forward(const Tensors& in) override {
    const NoGrad off;
    return square(in[0]) * in[1];
  }
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor&) const override {
    return {g * 2 * in[0] * in[1] * 1000, g * square(in[0]) * 1000};
  }
};

Tensor fused_cube(const Tensor& x, const Tensor& z) { return fused("cube", {x, z}, cube, std::make_unique<CubeKernel>()); }

}  // namespace

TEST_CASE("inside-tensor: handles share one tensor, reshape shares its storage, and later tensors have larger numbers") {
  const Tensor x = leaf({1, 2, 3, 4}), same = x, y = reshape(x, {2, 2});
  CHECK(same.same_as(x));
  CHECK(!y.same_as(x));
  CHECK(y.shares_storage(x));
  CHECK(y.number() > x.number());
  CHECK(x.is_leaf());
  CHECK(y.node() != nullptr);
}

TEST_CASE("inside-node: a node has the op's name and its inputs, an absent one among them, and goes with the tensor that it made") {
  const int64_t before = live_nodes();
  {
    const Tensor a = leaf(2), b = leaf(3), c = leaf(4);
    const Tensor y = record_joint("sum3", a.detach() + b.detach() + c.detach(), {a, Tensor(), b, c},
                                  [](const Step& s) { return Tensors{s.grad, Tensor(), s.grad, s.grad}; });
    REQUIRE(y.node() != nullptr);
    CHECK(std::string(y.node()->name()) == "sum3");
    CHECK(y.node()->input_count() == 4);
    CHECK(!y.node()->input(1).defined());
    CHECK(y.node()->input(3).same_as(c));
    CHECK(live_nodes() == before + 1);
  }
  CHECK(live_nodes() == before);
}

TEST_CASE("inside-backward: a rule reads dL/dy, the inputs and the output, and is told which gradients are wanted") {
  const Tensor a = leaf(2), b = leaf(5), c = f64(7);
  std::vector<bool> needs;
  const Tensor y = record(
      "f", a.detach() * b.detach() * c, {a, b, c}, [](const Step& s) { return s.grad * s.input(1) * s.input(2); },
      [&](const Step& s) {
        needs = {s.needs(0), s.needs(1), s.needs(2)};
        CHECK(s.output().item() == 70);
        CHECK(s.shape(1) == Shape{});
        return s.grad * s.input(0) * s.input(2);
      },
      nullptr);
  CHECK(grad({y * 10}, {b})[0].item() == 140);
  CHECK(needs == std::vector<bool>{false, true, false});  // a is older than what is wanted, c requires none
}

TEST_CASE("inside-record: a value is recorded where recording is on and an input requires a gradient, and nowhere else") {
  int calls = 0;
  CHECK(triple(leaf(1), calls).node() != nullptr);
  CHECK(triple(f64(1), calls).node() == nullptr);
  const NoGrad off;
  CHECK(triple(leaf(1), calls).node() == nullptr);
  CHECK(calls == 0);
}

TEST_CASE("inside-op-node: the rule of an input runs when its gradient is wanted, once for each walk") {
  int calls = 0;
  const Tensor x = leaf(2), y = triple(x, calls);
  CHECK(grad({y}, {x}, {.retain_graph = true})[0].item() == 3);
  CHECK(grad({y}, {y}, {.retain_graph = true})[0].item() == 1);  // the op of y is older than what is wanted
  CHECK(calls == 1);
}

TEST_CASE("inside-pending: gradients that meet are one sum before they go on, and the newest tensor is next") {
  int calls = 0;
  const Tensor x = leaf(2), y = triple(x, calls), z = y * y + y;  // dz/dy = 2y + 1 = 13
  Visits visits;
  {
    const Observing watching(&visits);
    CHECK(grad({z}, {x})[0].item() == 39);
  }
  CHECK(calls == 1);
  CHECK(visits.numbers.size() == 4);
  CHECK(std::is_sorted(visits.numbers.rbegin(), visits.numbers.rend()));
}

TEST_CASE("inside-walk: ends at the oldest wanted tensor, whose own op is neither run nor freed, and frees what it has passed") {
  int calls = 0;
  const Tensor x = leaf(2), y = triple(x, calls), z = y * 5;
  CHECK(grad({z}, {y})[0].item() == 5);
  CHECK(calls == 0);
  CHECK(z.graph_freed());
  CHECK(!y.graph_freed());
  y.backward();
  CHECK(x.grad().item() == 3);
}

TEST_CASE("inside-rule: a gradient that does not fit its input, and dL/dy changed in place, are refused with the op's name") {
  const Tensor x = leaf({1, 2});
  const auto walk = [&](const Rule& rule) { sum(record("mine", x.detach(), {x}, rule)).backward(); };
  CHECK_THROWS_WITH_AS(walk([](const Step&) { return zeros({3}, DType::f64); }),
                       "mine: the backward rule gave shape [3] for an input of shape [2]", ShapeError);
  CHECK_THROWS_WITH_AS(walk([](const Step&) { return zeros({2}); }), "mine: the backward rule gave f32 for an input of f64", DTypeError);
  CHECK_THROWS_WITH_AS(walk([](const Step& s) { return Tensor(s.grad).fill(7), s.grad; }), doctest::Contains("changed dL/dy in place"),
                       GraphError);
  CHECK(!x.grad().defined());
}

TEST_CASE("inside-in-full, inside-accumulate: rows of a gradient are added among zeros, or into the sum that nobody else holds") {
  const Tensor x = leaf({{0, 0}, {0, 0}, {0, 0}});
  const Gradient rows(f64({{1, 2}, {10, 20}, {100, 200}}), ids({2, 0, 2}), 0);
  const Values in_full{10, 20, 0, 0, 101, 202};
  for (const bool create_graph : {false, true}) CHECK(to_vector(accumulate(Tensor(), rows, x, create_graph)) == in_full);
  Tensor own = ones({3, 2}, DType::f64);
  const void* place = own.bytes();
  const Tensor added = accumulate(std::move(own), rows, x, false);
  CHECK(added.bytes() == place);
  CHECK(to_vector(added) == Values{11, 21, 1, 1, 102, 203});
  const Tensor held = ones({3, 2}, DType::f64), other = accumulate(held, rows, x, false);
  CHECK(to_vector(held) == Values{1, 1, 1, 1, 1, 1});
  CHECK(to_vector(other) == to_vector(added));
  CHECK(to_vector(accumulate(Tensor(), Gradient(ones({4, 3, 2}, DType::f64)), x, false)) == Values{4, 4, 4, 4, 4, 4});
}

TEST_CASE("inside-grad: the gradients come in the order of the inputs, one given twice has both, and no leaf's grad() changes") {
  const Tensor a = leaf(2), b = leaf(3), c = leaf(1);
  const Tensors found = grad({a * b, b * b}, {b, a, b}, {.seeds = {f64(1), f64(10)}});
  CHECK(found[0].item() == 2 + 60);
  CHECK(found[1].item() == 3);
  CHECK(found[2].item() == 62);
  CHECK(!a.grad().defined());
  CHECK_THROWS_AS(grad({a * b}, {c}), GraphError);
  CHECK(!grad({a * b}, {c}, {.allow_unused = true})[0].defined());
}

TEST_CASE("inside-sum-to: the adjoint of broadcasting: ⟨expand x, y⟩ = ⟨x, sum_to y⟩") {
  for (const Shape& shape : {Shape{}, Shape{1}, Shape{3}, Shape{2, 1}, Shape{1, 2, 1}, Shape{4, 1, 3}}) {
    CAPTURE(shape);
    const Tensor x = draw(shape, 1), y = draw({4, 2, 3}, 2);
    CHECK(sum(expand(x, y.shape()) * y).item() == doctest::Approx(sum(x * sum_to(y, shape)).item()));
  }
  CHECK(sum_to(f64({1, 2}), {2}).at({1}) == 2);
}

TEST_CASE("inside-freeing: a chain of 300,000 ops is freed with its last handle, without recursion") {
  const int64_t tensors = live_tensors(), nodes = live_nodes();
  {
    Tensor y = leaf(1);
    for (int i = 0; i < 300'000; ++i) y = -y;
  }
  CHECK(live_tensors() == tensors);
  CHECK(live_nodes() == nodes);
}

TEST_CASE("inside-fast-path, inside-fused: first derivatives are the kernel's, those of create_graph and FormulaOnly the formula's") {
  const Tensor x = leaf(2), z = leaf(5);
  CHECK(fused_cube(x, z).item() == 20);
  CHECK(grad({fused_cube(x, z)}, {x})[0].item() == 20'000);
  const Tensor first = grad({fused_cube(x, z)}, {x}, {.create_graph = true})[0];
  CHECK(first.item() == 20);
  CHECK(grad({first}, {x})[0].item() == 10);
  const FormulaOnly readable;
  CHECK(grad({fused_cube(x, z)}, {x})[0].item() == 20);
}

TEST_CASE("inside-alias, inside-formula-gradient: an input that depends on another is not counted twice, nor one given twice") {
  const Tensor x = leaf(2), z = 3 * x;  // y = x² z = 3x³: dy/dx = 36, d²y/dx² = 36
  const Tensor first = grad({fused_cube(x, z)}, {x}, {.create_graph = true})[0];
  CHECK(first.item() == 36);
  CHECK(grad({first}, {x})[0].item() == 36);
  CHECK(grad({fused_cube(x, x)}, {x}, {.create_graph = true})[0].item() == 12);  // x³
}

TEST_CASE("inside-vjp: seeds times the Jacobian, of inputs that are no leaves too, and with a graph where it is asked for") {
  const TensorsFunction f = [](const Tensors& in) { return Tensors{in[0] * in[1], sum(in[0])}; };
  const Tensor a = f64({1, 2}), b = leaf({3, 4}) * 1;
  const Tensors found = vjp(f, {a, b}, {f64({1, 10}), f64(100)}, false);
  CHECK(to_vector(found[0]) == Values{103, 140});
  CHECK(to_vector(found[1]) == Values{1, 20});
  CHECK(!found[0].requires_grad());
  CHECK(vjp(f, {a, b}, {f64({1, 10}), f64(100)}, true)[0].requires_grad());
}

TEST_CASE("inside-version: a value that backward needs is missed when it was changed in place, and one that it does not need is not") {
  Tensor a = leaf(2), b = leaf(3), c = leaf(4);
  const Tensor product = a * b, total = a + c;
  {
    const NoGrad off;
    a += 1;
  }
  CHECK_THROWS_WITH_AS(grad({product}, {b}), doctest::Contains("mul: the input (shape []) was changed in place"), GraphError);
  CHECK(grad({total}, {c})[0].item() == 1);
}
