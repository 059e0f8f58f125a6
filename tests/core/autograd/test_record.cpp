// record, record_joint, fused: what a rule is given, and what is said when it is wrong.
#include "core/tape/record.h"

#include "core/autograd/engine.h"
#include "core/autograd/fused.h"
#include "core/ops/ops.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

Tensor leaf(const Nested& values) { return tensor(values, DType::f64).set_requires_grad(); }

// y = x ⊙ gain / √(mean x²): a formula, and a fast path that counts its calls.
Tensor formula(const Tensors& in) { return in[0] * rsqrt(mean(square(in[0]), -1, true)) * in[1]; }

int fast_calls = 0;

class RmsKernel final : public FastPath {
 public:
  Tensor forward(const Tensors& in) override {
    const NoGrad off;
    inverse_ = rsqrt(mean(square(in[0]), -1, true));
    return in[0] * inverse_ * in[1];
  }
  Tensors backward(const Tensor& grad, const Tensors& in, const Tensor&) const override {
    ++fast_calls;
    const Tensor normal = in[0] * inverse_, g = grad * in[1];
    return {inverse_ * (g - normal * mean(g * normal, -1, true)), grad * normal};
  }

 private:
  Tensor inverse_;
};

Tensor fused_rms(const Tensor& x, const Tensor& gain) {
  return fused("rms", {x, gain}, formula, std::make_unique<RmsKernel>());
}

// y = x² of the first input alone.
class SquareKernel final : public FastPath {
 public:
  Tensor forward(const Tensors& in) override {
    const NoGrad off;
    return square(in[0]);
  }
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor&) const override { return {g * 2 * in[0], Tensor()}; }
};

// y = x[ids], which notes the dtypes that its kernels are given.
class SelectKernel final : public FastPath {
 public:
  explicit SelectKernel(std::vector<DType>& seen) : seen_(seen) {}
  Tensor forward(const Tensors& in) override {
    const NoGrad off;
    note(in);
    return index_select(in[0], 0, in[1]);
  }
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor&) const override {
    note(in);
    return {index_add(zeros(in[0].shape(), g.dtype()), 0, in[1], g), Tensor()};
  }

 private:
  void note(const Tensors& in) const {
    for (const Tensor& x : in) seen_.push_back(x.dtype());
  }
  std::vector<DType>& seen_;
};

Tensors gradients(const Tensor& y, const Tensors& inputs, bool create_graph) {
  return grad({sum(y * y)}, inputs, {.create_graph = create_graph});
}

}  // namespace

TEST_CASE("record: rules are called only for gradients that are wanted") {
  int first = 0, second = 0;
  const auto op = [&](const Tensor& a, const Tensor& b) {
    return record(
        "op", Tensor(a.detach() + b.detach()), {a, b},
        [&](const Backward& s) {
          ++first;
          return s.grad;
        },
        [&](const Backward& s) {
          ++second;
          return s.grad;
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

TEST_CASE("record: no rule, nullptr, is a zero gradient") {
  const Tensor a = leaf(1), b = leaf(2);
  const Tensor y = record("op", tensor(3, DType::f64), {a, b}, [](const Backward& s) { return s.grad; }, nullptr);
  const Tensors found = grad({y}, {a, b}, {.allow_unused = true});
  CHECK(found[0].item() == 1);
  CHECK_FALSE(found[1].defined());
}

TEST_CASE("record: a rule that gives a wrong shape or dtype is named") {
  const auto op = [](const Tensor& result) {
    return record("odd", tensor({1, 2}, DType::f64), {leaf({1, 2})}, [=](const Backward&) { return result; });
  };
  const Tensor seed = ones({2}, DType::f64);
  CHECK_THROWS_WITH_AS(op(ones({3}, DType::f64)).backward(seed),
                       "odd: the backward rule gave shape [3] for an input of shape [2]", ShapeError);
  CHECK_THROWS_WITH_AS(op(ones({2})).backward(seed), "odd: the backward rule gave f32 for an input of f64",
                       DTypeError);
}

TEST_CASE("record: a gradient may come back broadcast, and is summed") {
  const Tensor x = leaf({1, 2});
  const Tensor y = record("op", tensor(0, DType::f64), {x}, [](const Backward&) { return ones({3, 2}, DType::f64); });
  y.backward();
  CHECK(to_vector(x.grad()) == Values{3, 3});
}

TEST_CASE("record_joint: one rule for any number of inputs") {
  const Tensor a = leaf(1), b = tensor(2, DType::f64), c = leaf(3);
  const Tensor y = record_joint("op", tensor(6, DType::f64), {a, b, c}, [](const Backward& s) {
    CHECK(s.needs(0));
    CHECK_FALSE(s.needs(1));
    return Tensors{s.grad, Tensor(), s.grad * 3};
  });
  const Tensors found = grad({y}, {c, a});
  CHECK(found[0].item() == 3);
  CHECK(found[1].item() == 1);
}

TEST_CASE("fused: the first order runs the kernel, and equals the formula") {
  const Tensor x = leaf({{1, -2, 3}, {0.5, 1, 2}}), gain = leaf({1, 2, -1});
  fast_calls = 0;
  const Tensors fast = gradients(fused_rms(x, gain), {x, gain}, false);
  CHECK(fast_calls == 1);
  const Tensors slow = gradients(formula({x, gain}), {x, gain}, false);
  for (std::size_t i = 0; i < 2; ++i) CHECK(difference(fast[i], slow[i], 1e-14) == "");
}

TEST_CASE("fused: create_graph differentiates the formula, to any order") {
  const Tensor x = leaf({{1, -2, 3}, {0.5, 1, 2}}), gain = leaf({1, 2, -1});
  fast_calls = 0;
  const Tensors fused = gradients(fused_rms(x, gain), {x, gain}, true);
  CHECK(fast_calls == 0);
  const Tensors slow = gradients(formula({x, gain}), {x, gain}, true);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(difference(fused[i], slow[i], 1e-14) == "");
    const Tensors second = grad({sum(square(fused[i]))}, {x, gain}, {.retain_graph = true});
    const Tensors expected = grad({sum(square(slow[i]))}, {x, gain}, {.retain_graph = true});
    for (std::size_t k = 0; k < 2; ++k) CHECK(difference(second[k], expected[k], 1e-12) == "");
  }
}

TEST_CASE("fused: inputs that depend on each other are counted once") {
  const Tensor x = leaf({1, -2, 3});
  const std::vector<Tensor (*)(const Tensor&)> gains = {[](const Tensor& t) { return sin(t); },
                                                        [](const Tensor& t) { return t; }};
  for (const auto& gain : gains) {
    const Tensor expected = gradients(formula({x, gain(x)}), {x}, false)[0];
    CHECK(difference(gradients(fused_rms(x, gain(x)), {x}, false)[0], expected, 1e-14) == "");
    CHECK(difference(gradients(fused_rms(x, gain(x)), {x}, true)[0], expected, 1e-14) == "");
  }
}

TEST_CASE("fused: an input that the formula does not use has no gradient, at any order") {
  const auto ignores_second = [](const Tensors& in) { return square(in[0]); };
  for (bool create_graph : {false, true}) {
    const Tensor x = leaf(3), other = leaf(5);
    const Tensor y = fused("op", {x, other}, ignores_second, std::make_unique<SquareKernel>());
    const Tensors found = grad({y}, {x, other}, {.create_graph = create_graph, .allow_unused = true});
    CHECK(found[0].item() == 6);
    CHECK_FALSE(found[1].defined());
  }
}

TEST_CASE("formula_only: runs the formula, op by op") {
  const Tensor x = leaf({1, -2, 3}), gain = leaf({1, 2, -1});
  CHECK(std::string(fused_rms(x, gain).node()->name()) == "rms");
  const FormulaOnly readable;
  CHECK(std::string(fused_rms(x, gain).node()->name()) == "mul");
}

TEST_CASE("record: a value must be newer than its inputs, or the order of creation would be no order") {
  const Tensor x = leaf(3), value = square(x).detach(), later = x * 1;
  CHECK_THROWS_WITH_AS(record("sq", value, {later}, [](const Backward& s) { return s.grad; }),
                       "sq: the recorded value (shape []) is not newer than its input (shape []); make it from its inputs, "
                       "in the thread that made them", GraphError);
  CHECK_THROWS_AS(record("id", x, {x}, [](const Backward& s) { return s.grad; }), GraphError);
  CHECK(x.is_leaf());
}

TEST_CASE("record: as many rules as inputs, as many gradients as inputs") {
  const Tensor a = leaf(1), b = leaf(2), c = leaf(3);
  CHECK_THROWS_WITH_AS(record("three", (a + b + c).detach(), {a, b, c}, [](const Backward& s) { return s.grad; }),
                       "three: 3 inputs, but 1 rules: input 1 would silently get no gradient; give it a rule, or nullptr "
                       "where it is zero",
                       GraphError);
  const auto rule = [](const Backward& s) { return s.grad; };
  CHECK_THROWS_WITH_AS(record("one", (a + b).detach(), {a}, rule, rule), "one: 2 rules for 1 inputs", GraphError);
  const Tensor index = tensor(0, DType::i64);  // an i64 input that stands last needs none
  CHECK(record("index", (a + b).detach(), {a, index}, rule).requires_grad());
  for (std::size_t count : {0, 1, 3}) {
    const Tensor y = record_joint("pair", (a + b).detach(), {a, b}, [=](const Backward& s) { return Tensors(count, s.grad); });
    CHECK_THROWS_WITH_AS(
        y.backward(), fmt::format("pair: the backward rule gave {} gradients for 2 inputs", count).c_str(), GraphError);
  }
}

TEST_CASE("record, fused: an absent input is undefined, and needs no gradient") {
  const Tensor x = leaf(3);
  const Tensor y = record(
      "op", (x * 2).detach(), {x, Tensor()}, [](const Backward& s) { return s.grad * 2; },
      [](const Backward& s) { return s.grad; });
  CHECK(grad({y}, {x})[0].item() == 2);
  const auto square_alone = [](const Tensors& in) { return in[1].defined() ? in[0] * in[1] : square(in[0]); };
  for (bool create_graph : {false, true}) {
    const Tensor z = fused("op", {x, Tensor()}, square_alone, std::make_unique<SquareKernel>());
    CHECK(z.item() == 9);
    CHECK(grad({z}, {x}, {.create_graph = create_graph})[0].item() == 6);
  }
}

TEST_CASE("fused: floating inputs of two dtypes are named") {
  const Tensor x = leaf({1, 2});
  CHECK_THROWS_WITH_AS(fused_rms(x, tensor({1, 2})), "rms: dtypes differ: f64 and f32; cast one of them", DTypeError);
}

// fused() takes no other formula: a tensor that it captured would get no gradient.
TEST_CASE("fused: kernels are given f16 in f32, and i64 beside it as it is") {
  const Tensor x = tensor({1, 2, 3}, DType::f16).set_requires_grad(), ids = tensor({2, 0, 2}, DType::i64);
  std::vector<DType> seen;
  const Tensor y = fused("select", {x, ids}, [](const Tensors& in) { return index_select(in[0], 0, in[1]); },
                         std::make_unique<SelectKernel>(seen));
  CHECK(y.dtype() == DType::f16);
  CHECK(to_vector(y) == Values{3, 1, 3});
  CHECK(to_vector(grad({sum(y)}, {x})[0]) == Values{1, 0, 2});
  CHECK(seen == std::vector{DType::f32, DType::i64, DType::f32, DType::i64});
}

TEST_CASE("fused: a formula that captures a tensor, or anything by reference, does not compile") {
  const Tensor x = leaf(1);
  const auto captures = [x](const Tensors& in) { return in[0] * x; };
  const double eps = 1e-5;
  const auto plain = [shape = Shape{2}, eps](const Tensors& in) { return reshape(in[0], shape) + eps; };
  const auto refers = [&eps](const Tensors& in) { return in[0] + eps; };
  CHECK_FALSE(captures_plain_numbers<decltype(captures)>);
  CHECK_FALSE(captures_plain_numbers<decltype(refers)>);
  CHECK(captures_plain_numbers<decltype(plain)>);
}

TEST_CASE("record: a gradient by rows must fit its input") {
  const Tensor x = leaf({{1, 2}, {3, 4}, {5, 6}}), two = tensor({0, 2}, DType::i64);
  const auto by_rows = [&](const Tensor& values, const Tensor& indices, int axis) {
    return record("rows", (x * 1).detach(), {x}, [=](const Backward&) { return Gradient(values, indices, axis); });
  };
  const Tensor seed = ones_like(x), rows = ones({2, 2}, DType::f64);
  CHECK(to_vector(grad({by_rows(rows, two, -2)}, {x}, {.seeds = {seed}})[0]) == Values{1, 1, 0, 0, 1, 1});
  CHECK_THROWS_AS(by_rows(ones({3, 2}, DType::f64), two, 0).backward(seed), ShapeError);
  CHECK_THROWS_AS(by_rows(rows, two, 2).backward(seed), ShapeError);
  CHECK_THROWS_AS(by_rows(rows, tensor({0, 3}, DType::i64), 0).backward(seed), ValueError);
}

TEST_CASE("record: a value that is on the tape already is refused: its own way back would be lost") {
  const Tensor a = leaf(2), b = leaf(3);
  CHECK_THROWS_AS(record("f", a * a + b, {a}, [](const Backward& s) { return s.grad; }), GraphError);
  CHECK_THROWS_AS(record("g", leaf(5), {a}, [](const Backward& s) { return s.grad; }), GraphError);
}
