// record, record_joint: what a rule is given, and what is said when it is wrong.
#include "core/tape/record.h"

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("record: rules are called only for gradients that are wanted") {
  int first = 0, second = 0;
  const auto op = [&](const Tensor& a, const Tensor& b) {
    return record(
        "op", Tensor(a.detach() + b.detach()), {a, b},
        [&](const Step& step) {
          ++first;
          return step.grad;
        },
        [&](const Step& step) {
          ++second;
          return step.grad;
        });
  };
  const Tensor a = leaf(1), b = tensor(2, DType::f64), c = leaf(3);
  op(a, b).backward();
  CHECK(first == 1);
  CHECK(second == 0);
  grad({op(a, c)}, {c});
  CHECK(second == 1);
  CHECK(first == 1);
}

TEST_CASE("record: no node when nothing requires a gradient, or recording is off") {
  const Tensor a = tensor(1, DType::f64);
  CHECK((a * a).node() == nullptr);
  const Tensor b = leaf(1);
  CHECK((b * b).node() != nullptr);
  CHECK(std::string((b * b).node()->name()) == "mul");
  const NoGrad off;
  CHECK((b * b).node() == nullptr);
}

TEST_CASE("switches: they nest, and each puts back what was before it") {
  const auto state = [] { return std::pair(grad_enabled(), formula_only()); };
  {
    const NoGrad off;
    {
      const GradMode on(true);
      const FormulaOnly readable;
      CHECK(state() == std::pair(true, true));
      {
        const NoGrad off_again;
        CHECK(state() == std::pair(false, true));
      }
      CHECK(state() == std::pair(true, true));
    }
    CHECK(state() == std::pair(false, false));
  }
  CHECK(state() == std::pair(true, false));
}

TEST_CASE("record: no rule, nullptr, is a zero gradient") {
  const Tensor a = leaf(1), b = leaf(2);
  const Tensor y = record("op", tensor(3, DType::f64), {a, b}, [](const Step& step) { return step.grad; }, nullptr);
  const Tensors found = grad({y}, {a, b}, {.allow_unused = true});
  CHECK(found[0].item() == 1);
  CHECK_FALSE(found[1].defined());
}

TEST_CASE("record: a rule that gives a wrong shape or dtype is named") {
  const auto op = [](const Tensor& result) {
    const Tensor x = leaf({1, 2});
    return record("odd", tensor({1, 2}, DType::f64), {x}, [=](const Step&) { return result; });
  };
  const Tensor seed = ones({2}, DType::f64);
  CHECK_THROWS_WITH_AS(op(ones({3}, DType::f64)).backward(seed), "odd: the backward rule gave shape [3] for an input of shape [2]",
                       ShapeError);
  CHECK_THROWS_WITH_AS(op(ones({2})).backward(seed), "odd: the backward rule gave f32 for an input of f64", DTypeError);
}

TEST_CASE("record: a gradient may come back broadcast, and is summed") {
  const Tensor x = leaf({1, 2});
  const Tensor y = record("op", tensor(0, DType::f64), {x}, [](const Step&) { return ones({3, 2}, DType::f64); });
  y.backward();
  CHECK(to_vector(x.grad()) == Values{3, 3});
}

TEST_CASE("record_joint: one rule for any number of inputs") {
  const Tensor a = leaf(1), b = tensor(2, DType::f64), c = leaf(3);
  const Tensor y = record_joint("op", tensor(6, DType::f64), {a, b, c}, [](const Step& step) {
    CHECK(step.needs(0));
    CHECK_FALSE(step.needs(1));
    return Tensors{step.grad, Tensor(), step.grad * 3};
  });
  const Tensors found = grad({y}, {c, a});
  CHECK(found[0].item() == 3);
  CHECK(found[1].item() == 1);
}

TEST_CASE("record: a value must be newer than its inputs, or the order of creation would be no order") {
  const Tensor x = leaf(3), value = square(x).detach(), later = x * 1;
  CHECK_THROWS_WITH_AS(record("sq", value, {later}, [](const Step& step) { return step.grad; }),
                       "sq: the recorded value (shape []) is not newer than its input (shape []); make it from its inputs, "
                       "in their thread",
                       GraphError);
  CHECK_THROWS_AS(record("id", x, {x}, [](const Step& step) { return step.grad; }), GraphError);
  CHECK(x.is_leaf());
}

TEST_CASE("record: as many rules as inputs, as many gradients as inputs") {
  const Tensor a = leaf(1), b = leaf(2), c = leaf(3);
  CHECK_THROWS_WITH_AS(record("three", (a + b + c).detach(), {a, b, c}, [](const Step& step) { return step.grad; }),
                       "three: 3 inputs, but 1 rules: input 1 would silently get no gradient; give it a rule, or nullptr "
                       "where it is zero",
                       GraphError);
  const auto rule = [](const Step& step) { return step.grad; };
  CHECK_THROWS_WITH_AS(record("one", (a + b).detach(), {a}, rule, rule), "one: 2 rules for 1 inputs", GraphError);
  const Tensor index = tensor(0, DType::i64);  // an i64 input that stands last needs none
  CHECK(record("index", (a + b).detach(), {a, index}, rule).requires_grad());
  for (std::size_t count : {0, 1, 3}) {
    const Tensor y = record_joint("pair", (a + b).detach(), {a, b}, [=](const Step& step) { return Tensors(count, step.grad); });
    CHECK_THROWS_WITH_AS(y.backward(), fmt::format("pair: the backward rule gave {} gradients for 2 inputs", count).c_str(), GraphError);
  }
}

TEST_CASE("record: an absent input is undefined, and needs no gradient") {
  const Tensor x = leaf(3);
  const Tensor y = record(
      "op", (x * 2).detach(), {x, Tensor()}, [](const Step& step) { return step.grad * 2; }, [](const Step& step) { return step.grad; });
  CHECK(grad({y}, {x})[0].item() == 2);
}

TEST_CASE("record: a gradient by rows must fit its input") {
  const Tensor x = leaf({{1, 2}, {3, 4}, {5, 6}}), two = tensor({0, 2}, DType::i64);
  const auto by_rows = [&](const Tensor& values, const Tensor& indices, int axis) {
    return record("rows", (x * 1).detach(), {x}, [=](const Step&) { return Gradient(values, indices, axis); });
  };
  const Tensor seed = ones_like(x), rows = ones({2, 2}, DType::f64);
  CHECK(to_vector(grad({by_rows(rows, two, -2)}, {x}, {.seeds = {seed}})[0]) == Values{1, 1, 0, 0, 1, 1});
  CHECK_THROWS_AS(by_rows(ones({3, 2}, DType::f64), two, 0).backward(seed), ShapeError);
  CHECK_THROWS_AS(by_rows(rows, two, 2).backward(seed), ShapeError);
  CHECK_THROWS_AS(by_rows(rows, tensor({0, 3}, DType::i64), 0).backward(seed), ValueError);
}

TEST_CASE("record: a value that is on the tape already is refused: its own way back would be lost") {
  const Tensor a = leaf(2), b = leaf(3);
  CHECK_THROWS_AS(record("f", a * a + b, {a}, [](const Step& step) { return step.grad; }), GraphError);
  CHECK_THROWS_AS(record("g", leaf(5), {a}, [](const Step& step) { return step.grad; }), GraphError);
}
