// fused: a formula and a fast path, which of them runs, and what each is given.
#include "core/autograd/fused.h"

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/tape/record.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// y = x ⊙ gain / √(mean x²): a formula, and a fast path that counts its calls.
Tensor rms(const Tensors& in) { return in[0] * rsqrt(mean(square(in[0]), -1, true)) * in[1]; }

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

Tensor fused_rms(const Tensor& x, const Tensor& gain) { return fused("rms", {x, gain}, rms, std::make_unique<RmsKernel>()); }

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

// y = x, with as many gradients as it is told, whatever the inputs.
class GivesKernel final : public FastPath {
 public:
  explicit GivesKernel(std::size_t count) : count_(count) {}
  Tensor forward(const Tensors& in) override { return in[0].detached_copy(); }
  Tensors backward(const Tensor& g, const Tensors&, const Tensor&) const override { return Tensors(count_, g); }

 private:
  std::size_t count_;
};

Tensors gradients(const Tensor& y, const Tensors& inputs, bool create_graph) {
  return grad({sum(y * y)}, inputs, {.create_graph = create_graph});
}

}  // namespace

TEST_CASE("fused: the first order runs the kernel, and equals the formula") {
  const Tensor x = leaf({{1, -2, 3}, {0.5, 1, 2}}), gain = leaf({1, 2, -1});
  fast_calls = 0;
  const Tensors fast = gradients(fused_rms(x, gain), {x, gain}, false);
  CHECK(fast_calls == 1);
  const Tensors slow = gradients(rms({x, gain}), {x, gain}, false);
  for (std::size_t i = 0; i < 2; ++i) CHECK(difference(fast[i], slow[i], 1e-14) == "");
}

TEST_CASE("fused: create_graph differentiates the formula, to any order") {
  const Tensor x = leaf({{1, -2, 3}, {0.5, 1, 2}}), gain = leaf({1, 2, -1});
  fast_calls = 0;
  const Tensors fused = gradients(fused_rms(x, gain), {x, gain}, true);
  CHECK(fast_calls == 0);
  const Tensors slow = gradients(rms({x, gain}), {x, gain}, true);
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(difference(fused[i], slow[i], 1e-14) == "");
    const Tensors second = grad({sum(square(fused[i]))}, {x, gain}, {.retain_graph = true});
    const Tensors expected = grad({sum(square(slow[i]))}, {x, gain}, {.retain_graph = true});
    for (std::size_t k = 0; k < 2; ++k) CHECK(difference(second[k], expected[k], 1e-12) == "");
  }
}

TEST_CASE("fused: inputs that depend on each other are counted once") {
  const Tensor x = leaf({1, -2, 3});
  const std::vector<Tensor (*)(const Tensor&)> gains = {[](const Tensor& t) { return sin(t); }, [](const Tensor& t) { return t; }};
  for (const auto& gain : gains) {
    const Tensor expected = gradients(rms({x, gain(x)}), {x}, false)[0];
    CHECK(difference(gradients(fused_rms(x, gain(x)), {x}, false)[0], expected, 1e-14) == "");
    CHECK(difference(gradients(fused_rms(x, gain(x)), {x}, true)[0], expected, 1e-14) == "");
  }
}

TEST_CASE("fused: an input that the formula does not use has no gradient, at any order") {
  const auto ignores_second = [](const Tensors& in) { return square(in[0]); };
  for (const DType dtype : {DType::f64, DType::f16}) {
    for (bool create_graph : {false, true}) {
      const Tensor x = tensor(3, dtype).set_requires_grad(), other = tensor(5, dtype).set_requires_grad();
      const Tensor y = fused("op", {x, other}, ignores_second, std::make_unique<SquareKernel>());
      const Tensors found = grad({y}, {x, other}, {.create_graph = create_graph, .allow_unused = true});
      CHECK(found[0].item() == 6);
      CHECK_FALSE(found[1].defined());
    }
  }
}

TEST_CASE("formula_only: runs the formula, op by op") {
  const Tensor x = leaf({1, -2, 3}), gain = leaf({1, 2, -1});
  CHECK(std::string(fused_rms(x, gain).node()->name()) == "rms");
  const FormulaOnly readable;
  CHECK(std::string(fused_rms(x, gain).node()->name()) == "mul");
}

TEST_CASE("fused: an absent input is undefined, and needs no gradient") {
  const Tensor x = leaf(3);
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

TEST_CASE("fused: kernels are given f16 in f32, and i64 beside it as it is") {
  const Tensor x = tensor({1, 2, 3}, DType::f16).set_requires_grad(), ids = tensor({2, 0, 2}, DType::i64);
  std::vector<DType> seen;
  const Tensor y =
      fused("select", {x, ids}, [](const Tensors& in) { return index_select(in[0], 0, in[1]); }, std::make_unique<SelectKernel>(seen));
  CHECK(y.dtype() == DType::f16);
  CHECK(to_vector(y) == Values{3, 1, 3});
  CHECK(to_vector(grad({sum(y)}, {x})[0]) == Values{1, 0, 2});
  CHECK(seen == std::vector{DType::f32, DType::i64, DType::f32, DType::i64});
}

TEST_CASE("fused: in f16 as in f32, gradients are as many as inputs, and those of ids and absent inputs are passed over") {
  const auto gives = [](std::size_t count, DType dtype) {
    const Tensor x = ones({2}, dtype).set_requires_grad(), ids = tensor({1, 2}, DType::i64);
    const auto itself = [](const Tensors& in) { return in[0] * 1; };
    const Tensor y = fused("gives", {x, ids, Tensor()}, itself, std::make_unique<GivesKernel>(count));
    return grad({y}, {x}, {.seeds = {full({2}, 3, dtype)}})[0];
  };
  for (const DType dtype : {DType::f16, DType::f32}) {
    CHECK(to_vector(gives(3, dtype)) == Values{3, 3});
    CHECK(gives(3, dtype).dtype() == dtype);
    for (const std::size_t count : {0, 2, 1000}) {
      const std::string expected = fmt::format("gives: the backward rule gave {} gradients for 3 inputs", count);
      CHECK_THROWS_WITH_AS(gives(count, dtype), expected.c_str(), GraphError);
    }
  }
}

// fused() takes no other formula: a tensor that it captured would get no gradient.
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
