#include "nn/feed_forward/grouped_linear.h"

#include "core/core.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// x [7, 4] in four groups of 3, 0, 2 and 2 rows; the op's inputs in order.
Tensors inputs(bool bias) {
  Tensors in{draw({7, 4}, -1, 1, 1), tensor({3, 3, 5, 7}, DType::i64)};
  for (std::uint64_t e = 0; e < 4; ++e) in.push_back(draw({3, 4}, -1, 1, 2 + e));
  for (std::uint64_t e = 0; e < 4; ++e) in.push_back(bias ? draw({3}, -1, 1, 6 + e) : Tensor());
  return in;
}

// As functions of what is defined.
TensorFunction fast(bool bias) {
  return [bias](const Tensors& in) {
    const Tensors w(in.begin() + 2, in.begin() + 6), b = bias ? Tensors(in.begin() + 6, in.end()) : Tensors(4);
    return nn::grouped_linear(in[0], in[1], w, b);
  };
}
TensorFunction by_formula(bool bias) {
  return [bias](Tensors in) {
    if (!bias) in.resize(10);
    return nn::formula::grouped_linear(in);
  };
}

}  // namespace

TEST_CASE("ffn-moe-grouped: the fast path is the formula, with and without biases, and with a group of no rows") {
  for (const bool bias : {false, true}) {
    Tensors in = inputs(bias);
    if (!bias) in.resize(6);
    CHECK(check_fused("grouped_linear", fast(bias), by_formula(bias), in) == "");
  }
}

TEST_CASE("ffn-moe-grouped: each row is its own group's product") {
  const Tensors in = inputs(true);
  const Tensor y = fast(true)(in);
  const std::size_t group[] = {0, 0, 0, 2, 2, 3, 3};
  for (int64_t i = 0; i < 7; ++i) {
    const std::size_t e = group[i];
    CHECK(difference(y[i], matmul(in[2 + e], in[0][i]) + in[6 + e], 1e-14) == "");
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
  CHECK_THROWS_AS(nn::grouped_linear(x, ends(1, 3), {w, w}, {zeros({2}), none}), ShapeError);
  CHECK_THROWS_AS(nn::grouped_linear(x, ends(1, 3), {w, none}, {none, none}), GraphError);
}
