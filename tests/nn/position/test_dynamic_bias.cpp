// Dynamic position bias: PyTorch's values, its bias number by number, and its options.
#include "nn/position/dynamic_bias.h"

#include <cmath>

#include "core/tape/node.h"
#include "core/tensor/random.h"
#include "tests/nn/position/encodings.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// One hidden layer of two: w r + b = (r + 3, -r), so the norm has (z, -z), z = d / √(d² + ε) with d = r + 1.5; behind its
// gain of 2 and shift of 1 and the ReLU the heads read 3 times the first and the second, plus 5.
nn::DynamicPositionBias known_bias(bool log_distance = false) {
  nn::DynamicPositionBias position(kSmall, {.hidden = 2, .depth = 1, .log_distance = log_distance});
  position.to(DType::f64);
  position.maps[0].weight.assign(tensor({{1}, {-1}}, DType::f64));
  position.maps[0].bias.assign(tensor({3, 0}, DType::f64));
  position.norms[0].gain.fill(2);
  position.norms[0].bias.fill(1);
  position.maps[1].weight.assign(tensor({{3, 0}, {0, 1}}, DType::f64));
  position.maps[1].bias.assign(tensor({0, 5}, DType::f64));
  return position;
}

Tensor bias_between(nn::DynamicPositionBias& position, const Tensor& queries, const Tensor& keys) {  // [H, T, S]
  const auto any = [](int64_t count) { return zeros({1, count, kSmall.heads, kSmall.head_dim}, DType::f64); };
  return position.on_scores(any(queries.size(0)), any(keys.size(0)), {queries, keys}, 1);
}

// The bias of both heads for one distance r, as f reads it.
Values bias_in_numbers(double r) {
  const double d = r + 1.5, z = d / std::sqrt(d * d + 1e-5);
  return {3 * std::max(2 * z + 1, 0.0), std::max(1 - 2 * z, 0.0) + 5};
}

}  // namespace

TEST_CASE("pos-dynamic-bias: f(i - j) of each head, entry by entry: linear, norm, ReLU, linear; the sign is told apart") {
  nn::DynamicPositionBias position = known_bias();
  const Tensor queries = tensor({0, 1, 5}, DType::i64), keys = tensor({0, 2, 3, 9}, DType::i64);
  const Tensor bias = bias_between(position, queries, keys);
  CHECK(bias.shape() == Shape{2, 3, 4});
  for (int64_t i = 0; i < 3; ++i) {
    for (int64_t j = 0; j < 4; ++j) {
      const Values expected = bias_in_numbers(queries.at({i}) - keys.at({j}));
      CHECK(bias.at({0, i, j}) == doctest::Approx(expected[0]).epsilon(1e-13));
      CHECK(bias.at({1, i, j}) == doctest::Approx(expected[1]).epsilon(1e-13));
    }
  }
  CHECK(bias.at({0, 2, 1}) != bias.at({0, 1, 3}));
}

TEST_CASE("convention-dynamic-bias-distance: f reads i - j, or sign(i - j) log(1 + |i - j|): of 7, log 8 = 2.0794") {
  nn::DynamicPositionBias plain = known_bias(), log_of = known_bias(true);
  const Tensor queries = tensor({7}, DType::i64), keys = tensor({0, 7, 14}, DType::i64);
  const Tensor by_distance = bias_between(plain, queries, keys), by_log = bias_between(log_of, queries, keys);
  for (const auto& [j, r, log_r] : {std::tuple{0, 7.0, 2.0794415416798357}, {1, 0.0, 0.0}, {2, -7.0, -2.0794415416798357}}) {
    for (const int64_t head : {0, 1}) {
      const auto h = static_cast<std::size_t>(head);
      CHECK(by_distance.at({head, 0, j}) == doctest::Approx(bias_in_numbers(r)[h]).epsilon(1e-13));
      CHECK(by_log.at({head, 0, j}) == doctest::Approx(bias_in_numbers(log_r)[h]).epsilon(1e-13));
    }
  }
}

TEST_CASE("pos-dynamic-bias: PyTorch's values and gradients, of three hidden layers and of log distances too") {
  constexpr nn::PositionOptions options{.d_model = 12, .heads = 2, .head_dim = 6, .max_length = 8};
  const auto as_pytorch = [&](const char* row, const nn::DynamicBiasOptions& bias) {
    const TensorFunction attention = [=](const Tensors& in) {
      nn::DynamicPositionBias position(options, bias);
      const std::vector<Tensor*> fields = parameter_fields(position);
      CHECK(fields.size() + 3 == in.size());
      for (std::size_t i = 0; i < fields.size(); ++i) *fields[i] = in[3 + i];
      const Tensor positions = arange(in[0].size(1));
      return attend(position, in[0], in[1], in[2], {positions, positions});
    };
    return against_pytorch(row, attention, "position.safetensors");
  };
  CHECK(as_pytorch("dynamic_bias/deep", {.hidden = 4, .depth = 3}) == "");
  CHECK(as_pytorch("dynamic_bias/log", {.hidden = 4, .depth = 1, .log_distance = true}) == "");
}

TEST_CASE("pos-dynamic-bias: f is computed once for each distance, not for each pair") {
  nn::DynamicPositionBias position(kSmall);
  const Tensor positions = arange(10), any = zeros({1, 10, 2, 4});
  Tensor at = position.on_scores(any, any, {positions, positions}, 1);
  CHECK(at.shape() == Shape{2, 10, 10});
  while (at.shape() != Shape{19, 2}) {  // back to what the last map made: 19 distances of 100 pairs
    REQUIRE(at.node() != nullptr);
    at = at.node()->input(0);
  }
}

TEST_CASE("pos-dynamic-bias: at the start every distance has a bias of its own, for the first map's starts within ±1") {
  manual_seed(3);
  nn::DynamicPositionBias position(kSmall);
  const Tensor first = position.maps[0].bias.detach();
  const Tensor bias = bias_between(position, tensor({16}, DType::i64), arange(33)).detach();
  CHECK(max(abs(first)).item() <= 1);
  CHECK(min(first).item() < -0.5);  // on both sides of 0
  CHECK(max(first).item() > 0.5);
  CHECK(std::abs(std::sqrt(mean(square(first)).item()) - std::sqrt(1 / 3.0)) < 0.15);
  const Tensor steps = abs(slice(bias, -1, 1) - slice(bias, -1, 0, 32));
  CHECK(min(max(steps, 0)).item() > 1e-5);
  CHECK(position.describe() == "DynamicPositionBias(distance, depth 2)");
  CHECK(position.maps[1].weight.shape() == Shape{32, 32});
  CHECK(nn::DynamicPositionBias(kSmall, {.depth = 1, .log_distance = true}).describe() == "DynamicPositionBias(log distance, depth 1)");
}

TEST_CASE("DynamicPositionBias: errors of its options") {
  CHECK_THROWS_WITH_AS(nn::DynamicPositionBias(kSmall, {.hidden = 1}), "DynamicPositionBias: a norm needs at least 2 hidden values, got 1",
                       ValueError);
  CHECK_THROWS_WITH_AS(nn::DynamicPositionBias(kSmall, {.depth = 0}), "DynamicPositionBias: needs from 1 to 1000 hidden layers, got 0",
                       ValueError);
}
