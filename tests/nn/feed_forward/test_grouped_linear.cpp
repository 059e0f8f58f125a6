#include "nn/feed_forward/grouped_linear.h"

#include "core/core.h"
#include "nn/feed_forward/router.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/tensors.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// The inputs of experts() for these choices [N, k]: weights, and biases or none.
Tensors experts_inputs(const Tensor& chosen, int64_t experts, int64_t most, bool bias, int64_t width = 3, int64_t units = 4) {
  std::uint64_t seed = 1;
  const auto next = [&](const Shape& shape) { return draw(shape, -1, 1, seed++); };
  const auto [tokens, choices, ends] = nn::rows_by_expert(chosen, experts, most);
  Tensors in{next({chosen.size(0), width}), next(chosen.shape()), tokens, choices, ends};
  const Shape weights[] = {{units, width}, {units, width}, {width, units}};
  for (const Shape& shape : weights) {
    for (int64_t e = 0; e < experts; ++e) in.push_back(next(shape));
  }
  for (const Shape& shape : weights) {
    for (int64_t e = 0; bias && e < experts; ++e) in.push_back(next({shape[0]}));
  }
  return in;
}

// As functions of what is defined.
TensorFunction with_biases(Tensor (*f)(const Tensors&)) {
  return [f](Tensors in) {
    in.resize(5 + 6 * static_cast<std::size_t>(in[4].numel()));
    return f(in);
  };
}
const TensorFunction fast_experts = with_biases(nn::experts);
const TensorFunction experts_by_formula = with_biases([](const Tensors& in) { return nn::formula::experts(in); });

// Many rows, of which the first expert has several tiles and the second none.
Tensors many_rows(bool bias) {
  Tensor chosen = zeros({1500, 2}, DType::i64);
  for (int64_t i = 0; i < chosen.numel(); ++i) chosen.mutable_data<int64_t>()[i] = i % 2 == 1 ? 2 : i % 6 == 0 ? 3 : 0;
  return experts_inputs(chosen, 4, 900, bias, 16, 48);
}

}  // namespace

TEST_CASE("ffn-moe: the fast path is the formula, with and without biases, without rows for an expert, and with choices dropped") {
  const Tensor chosen = tensor({{0, 1}, {3, 0}, {1, 0}, {0, 3}}, DType::i64);
  for (const bool bias : {false, true}) {
    for (const int64_t most : {3, 8})
      CHECK(check_fused("experts", fast_experts, experts_by_formula, experts_inputs(chosen, 4, most, bias)) == "");
  }
}

TEST_CASE("ffn-moe: of many rows, tile after tile, the gradients are the formula's, and the same bits on 1, 2 and 3 threads") {
  for (const DType dtype : {DType::f32, DType::f64}) {
    Tensors in = many_rows(true), wanted;
    for (Tensor& x : in) {
      if (x.dtype() != DType::i64) wanted.push_back(x = cast(x, dtype).detached_copy().set_requires_grad());
    }
    const auto gradients = [&](const TensorFunction& f) { return grad({sum(square(f(in)))}, wanted); };
    CHECK(thread_dependence("experts", [&] { return gradients(fast_experts); }) == "");
    const Tensors own = gradients(fast_experts), expected = gradients(experts_by_formula);
    for (std::size_t i = 0; i < own.size(); ++i) {
      const double scale = max(abs(expected[i])).item() + 1;
      CHECK(difference(own[i] / scale, expected[i] / scale, dtype == DType::f64 ? 1e-13 : 1e-5) == "");
    }
  }
}

TEST_CASE("ffn-moe-grouped: each row is its own group's product") {
  const Tensor x = draw({7, 4}, -1, 1, 1);
  Tensors w, b;
  for (std::uint64_t e = 0; e < 4; ++e) w.push_back(draw({3, 4}, -1, 1, 2 + e)), b.push_back(draw({3}, -1, 1, 6 + e));
  const Tensor y = nn::grouped_linear(x, tensor({3, 3, 5, 7}, DType::i64), w, b);
  const std::size_t group[] = {0, 0, 0, 2, 2, 3, 3};
  for (int64_t i = 0; i < 7; ++i) {
    const std::size_t e = group[i];
    CHECK(difference(y[i], matmul(w[e], x[i]) + b[e], 1e-14) == "");
  }
}

TEST_CASE("ffn-moe-grouped: errors") {
  const Tensor x = zeros({3, 4}), w = zeros({2, 4}), none;
  const auto ends = [](int64_t a, int64_t b) { return from_vector(std::vector<int64_t>{a, b}, {2}); };
  CHECK(nn::grouped_linear(x, ends(1, 3), {w, w}, {none, none}).shape() == Shape{3, 2});
  CHECK_THROWS_AS(nn::grouped_linear(x, ends(1, 2), {w, w}, {none, none}), ValueError);
  CHECK_THROWS_AS(nn::grouped_linear(x, ends(2, 1), {w, w}, {none, none}), ValueError);
  CHECK_THROWS_AS(nn::grouped_linear(x, ends(-1, 3), {w, w}, {none, none}), ValueError);
  CHECK_THROWS_AS(nn::grouped_linear(x, ends(4, 3), {w, w}, {none, none}), ValueError);
  CHECK_THROWS_AS(nn::grouped_linear(x, zeros({2}), {w, w}, {none, none}), DTypeError);
  CHECK_THROWS_AS(nn::grouped_linear(x, ends(1, 3), {w}, {none}), ShapeError);
  CHECK_THROWS_AS(nn::grouped_linear(x, ends(1, 3), {w, zeros({3, 4})}, {none, none}), ShapeError);
  CHECK_THROWS_AS(nn::grouped_linear(x, ends(1, 3), {w, w}, {zeros({4}), none}), ShapeError);
  CHECK_THROWS_AS(nn::grouped_linear(x, ends(1, 3), {w, none}, {none, none}), GraphError);
}

TEST_CASE("ffn-moe: errors of inputs that do not fit") {
  const Tensors in = experts_inputs(tensor({{0, 1}, {1, 0}}, DType::i64), 2, 4, true);
  CHECK(nn::experts(in).shape() == Shape{2, 3});
  const auto with = [&](std::size_t i, const Tensor& x) {
    Tensors changed = in;
    changed[i] = x;
    return changed;
  };
  CHECK_THROWS_AS(nn::experts({}), ShapeError);
  CHECK_THROWS_AS(nn::experts(with(0, zeros({3, 3}, DType::f64))), ShapeError);
  CHECK_THROWS_AS(nn::experts(with(1, zeros({2}, DType::f64))), ShapeError);
  CHECK_THROWS_AS(nn::experts(with(2, zeros({4}, DType::i64))), ValueError);
  CHECK_THROWS_AS(nn::experts(with(2, zeros({4}))), DTypeError);
  CHECK_THROWS_AS(nn::experts(with(3, tensor({0, 1, 2, 4}, DType::i64))), ValueError);
  CHECK_THROWS_AS(nn::experts(with(4, tensor({1, 3}, DType::i64))), ValueError);
  CHECK_THROWS_AS(nn::experts(with(4, tensor({4}, DType::i64))), ShapeError);
  CHECK_THROWS_AS(nn::experts(with(6, zeros({2, 3}, DType::f64))), ShapeError);
  CHECK_THROWS_AS(nn::experts(with(6, Tensor())), ShapeError);
  CHECK_THROWS_AS(nn::experts(with(12, zeros({2}, DType::f64))), ShapeError);
}
