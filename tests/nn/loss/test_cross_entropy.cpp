#include "nn/loss/cross_entropy.h"

#include <cmath>
#include <limits>

#include "core/autograd/engine.h"
#include "core/tape/grad_mode.h"
#include "nn/activation/softmax.h"
#include "tests/nn/loss/loss_test.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/fixture.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// dL/dlogits for logits [N, V].
Tensor gradient(const Tensor& values, const Tensor& targets, const nn::CrossEntropyOptions& options = {}) {
  const Tensor logits = values.detached_copy().set_requires_grad();
  return grad({nn::cross_entropy(logits, targets, options)}, {logits})[0];
}

}  // namespace

TEST_CASE("loss-cross-entropy, loss-z: values and gradients equal PyTorch's") {
  const Tensor all = ids({{1, 4, 0}, {0, 0, 2}}), some = ids({{1, 4, -100}, {0, -100, 2}});
  CHECK(against_pytorch("cross_entropy", [&](const Tensors& in) { return nn::cross_entropy(in[0], all); }) == "");
  CHECK(against_pytorch("cross_entropy/ignore", [&](const Tensors& in) { return nn::cross_entropy(in[0], some); }) == "");
  CHECK(against_pytorch("cross_entropy/z_loss", [&](const Tensors& in) { return nn::cross_entropy(in[0], some, {.z_loss = 0.1}); }) == "");
}

TEST_CASE("loss-cross-entropy: the fast path is the formula") {
  const auto fast = [](const Tensors& in) { return nn::cross_entropy(in[0], in[1]); };
  const auto formula = [](const Tensors& in) { return mean(nn::formula::token_losses(in[0], in[1])); };
  CHECK(check_fused("cross_entropy", fast, formula, {scores({4, 5}), ids({1, 4, 2, 0})}) == "");
  CHECK(check_fused("cross_entropy in time", fast, formula, {scores({2, 3, 4}), ids({{1, 3, 0}, {1, 2, 2}})}) == "");
  CHECK(check_fused("cross_entropy of one row", fast, formula, {scores({3}), ids(2)}) == "");
}

TEST_CASE("loss-cross-entropy: of equal scores it is log V") {
  CHECK(nn::cross_entropy(zeros({2, 8}, DType::f64), ids({3, 5})).item() == doctest::Approx(std::log(8.0)).epsilon(1e-15));
}

// Two equal scores and one far below: log 2, whatever m, where m + log 2 would be rounded to m.
TEST_CASE(
    "loss-cross-entropy, loss-label-smoothing, loss-focal, loss-z: scores far from 0 lose no digit of loss and gradient, on the fast path "
    "and on the formula") {
  const Tensor y = ids({0});
  for (const bool formula : {false, true}) {
    const FormulaOnly mode(formula);
    for (const double m : {0.0, 1e4, 1e6, 1e8, 1e30}) {
      CAPTURE(m);
      const Tensor x = tensor({{m, m, m - 200 - m / 2}});
      CHECK(nn::cross_entropy(x, y).item() == doctest::Approx(std::log(2.0)).epsilon(1e-6));
      CHECK(difference(gradient(x, y), tensor({{-0.5, 0.5, 0}}), 1e-6) == "");
      const Tensor pair = tensor({{m, m}}), leaf = pair.detached_copy().set_requires_grad();
      CHECK(difference(gradient(pair, y, {.label_smoothing = 0.2}), tensor({{-0.4, 0.4}}), 1e-6) == "");
      CHECK(nn::cross_entropy(pair, y, {.label_smoothing = 0.2}).item() == doctest::Approx(std::log(2.0)).epsilon(1e-6));
      // -(1 - p)² log p, by p: 2 (1 - p) log p - (1 - p)² / p; and dp = (p₀ p₁, -p₀ p₁).
      const double slope = (2 * 0.5 * std::log(0.5) - 0.25 / 0.5) * 0.25;
      CHECK(difference(grad({nn::focal(leaf, y)}, {leaf})[0], tensor({{slope, -slope}}), 1e-6) == "");
      CHECK(nn::focal(pair, y).item() == doctest::Approx(0.25 * std::log(2.0)).epsilon(1e-6));
      const double c = 1 / (1 + m), log_z = m + std::log(2.0);  // a slope of c log Z on both scores
      CHECK(difference(gradient(pair, y, {.z_loss = c}), tensor({{c * log_z - 0.5, c * log_z + 0.5}}), 1e-6) == "");
    }
  }
}

TEST_CASE("loss-cross-entropy: a row that is not counted may hold anything; its gradient is 0, also where it can be differentiated") {
  for (const double any : {double(INFINITY), -double(INFINITY), double(NAN)}) {
    const Tensor x = tensor({{any, any}, {1, 2}}).set_requires_grad(), y = ids({-100, 1});
    for (const bool create_graph : {false, true}) {
      const Tensor g = grad({nn::cross_entropy(x, y)}, {x}, {.create_graph = create_graph})[0];
      CHECK(to_vector(slice(g, 0, 0, 1)) == Values{0, 0});
      CHECK(sum(g).item() == doctest::Approx(0).epsilon(1e-6));
    }
    const double loss = std::log1p(std::exp(-1.0));  // of the other row
    CHECK(nn::cross_entropy(x, y).item() == doctest::Approx(loss).epsilon(1e-6));
    const FormulaOnly mode(true);
    CHECK(nn::cross_entropy(x, y).item() == doctest::Approx(loss).epsilon(1e-6));
    CHECK(to_vector(slice(gradient(x, y), 0, 0, 1)) == Values{0, 0});
  }
}

TEST_CASE("loss-cross-entropy: the gradient is (softmax - onehot) / count, and every row of it sums to 0") {
  const Tensor z = scores({3, 5}), targets = ids({4, 0, 4});
  const Tensor d = gradient(z, targets);
  CHECK(difference(d, (nn::softmax(z) - one_hot(targets, 5, DType::f64)) / 3, 1e-15) == "");
  CHECK(difference(sum(d, -1), zeros({3}, DType::f64), 1e-15) == "");
}

TEST_CASE("loss-cross-entropy: ignored targets count for nothing") {
  const Tensor z = scores({4, 5}), some = ids({1, -100, 3, -100});
  const Tensor kept = index_select(z, 0, ids({0, 2}));
  CHECK(nn::cross_entropy(z, some).item() == doctest::Approx(nn::cross_entropy(kept, ids({1, 3})).item()).epsilon(1e-15));
  const Tensor d = gradient(z, some);
  CHECK(equal(index_select(d, 0, ids({1, 3})), zeros({2, 5}, DType::f64)));
  CHECK(difference(index_select(d, 0, ids({0, 2})), gradient(kept, ids({1, 3})), 1e-15) == "");
  const nn::CrossEntropyOptions ignore_three{.ignore_index = 3};  // a class id may be the one
  CHECK(nn::cross_entropy(z, ids({1, 3, 3, 3}), ignore_three).item() ==
        doctest::Approx(nn::cross_entropy(slice(z, 0, 0, 1), ids({1})).item()).epsilon(1e-15));
}

TEST_CASE("loss-cross-entropy: of one class the loss is 0, ignored or not; a class at -∞ costs the others nothing") {
  for (const bool readable : {false, true}) {
    const FormulaOnly mode(readable);
    const nn::CrossEntropyOptions each{.reduction = nn::Reduction::none};
    const Tensor targets = ids({0, -100});
    CHECK(to_vector(nn::cross_entropy(tensor({{5}, {7}}), targets, each)) == Values{0, 0});
    const Tensor logits = tensor({{1, -std::numeric_limits<double>::infinity(), 1}}, DType::f64);
    CHECK(difference(nn::cross_entropy(logits, ids({0})), tensor(std::log(2.0), DType::f64), 1e-15) == "");
  }
}

TEST_CASE("loss-cross-entropy: large scores do not overflow, and a certain mistake costs their difference") {
  const Tensor z = tensor({{1000, 0, -1000}});
  CHECK(nn::cross_entropy(z, ids({0})).item() == 0);
  CHECK(nn::cross_entropy(z, ids({1})).item() == 1000);
  CHECK(sum(isfinite(gradient(z, ids({2})))).item() == 3);
}

TEST_CASE("loss-z: softmax is the same for shifted scores, the z-loss is not") {
  const Tensor near = tensor({{10, 1, 1}}, DType::f64), far = tensor({{1010, 1001, 1001}}, DType::f64);
  CHECK(difference(nn::softmax(near), nn::softmax(far), 0) == "");
  CHECK(nn::cross_entropy(near, ids({0})).item() == doctest::Approx(nn::cross_entropy(far, ids({0})).item()).epsilon(1e-9));
  const auto z_part = [](const Tensor& z) {
    return nn::cross_entropy(z, ids({0}), {.z_loss = 1e-4}).item() - nn::cross_entropy(z, ids({0})).item();
  };
  CHECK(z_part(near) == doctest::Approx(1e-4 * 10 * 10).epsilon(1e-3));
  CHECK(z_part(far) == doctest::Approx(1e-4 * 1010 * 1010).epsilon(1e-3));
}

TEST_CASE("loss-z: its gradient is 2c logZ softmax") {
  const Tensor z = scores({3, 5}), targets = ids({4, 0, 2});
  const double c = 0.3;
  const Tensor z_part = gradient(z, targets, {.z_loss = c}) - gradient(z, targets);
  CHECK(difference(z_part, 2 * c * logsumexp(z, -1, true) * nn::softmax(z) / 3, 1e-15) == "");
}

TEST_CASE("cross_entropy: errors") {
  const Tensor z = zeros({2, 3});
  CHECK_THROWS_WITH_AS(nn::cross_entropy(z, ids({1})), "cross_entropy: logits [2, 3] need targets [2], a class id for each row, got [1]",
                       ShapeError);
  CHECK_THROWS_WITH_AS(nn::cross_entropy(tensor(1), ids({1})), "cross_entropy: needs logits [..., V], got shape []", ShapeError);
  CHECK_THROWS_WITH_AS(nn::cross_entropy(z, zeros({2})),
                       "cross_entropy: targets must be class ids (i64), got f32; use cast(targets, DType::i64)", DTypeError);
  CHECK_THROWS_WITH_AS(nn::cross_entropy(z, ids({0, 3})), "cross_entropy: target 3 is out of range; expected 0 … 2 or ignore_index -100",
                       ValueError);
  CHECK_THROWS_WITH_AS(nn::cross_entropy(z, ids({-1, 0})), "cross_entropy: target -1 is out of range; expected 0 … 2 or ignore_index -100",
                       ValueError);
  CHECK_THROWS_WITH_AS(nn::cross_entropy(z, ids({-100, -100})), "cross_entropy: no target is counted; all equal ignore_index -100",
                       ValueError);
  CHECK_THROWS_WITH_AS(nn::cross_entropy(zeros({0, 3}), zeros({0}, DType::i64)), "cross_entropy: there is no target; the batch is empty",
                       ValueError);
  CHECK_THROWS_AS(nn::cross_entropy(cast(z, DType::i64), ids({0, 1})), DTypeError);
}

TEST_CASE(
    "cross_entropy: targets one-hot, with an axis too many, or beside logits whose classes are not last: the error says how "
    "to get the right ones") {
  const auto said = [](const Tensor& logits, const Tensor& targets) -> std::string {
    try {
      nn::cross_entropy(logits, targets);
    } catch (const ShapeError& error) {
      return error.what();
    }
    return "";
  };
  const auto right = [](const Tensor& logits, const Tensor& targets) { return std::isfinite(nn::cross_entropy(logits, targets).item()); };
  const Tensor z = zeros({8, 4}), one_hots = one_hot(zeros({8}, DType::i64), 4, DType::i64), column = zeros({8, 1}, DType::i64);
  CHECK(said(z, one_hots) ==
        "cross_entropy: logits [8, 4] need targets [8], a class id for each row, got [8, 4]; if they are "
        "one-hot, use argmax(targets)");
  CHECK(right(z, argmax(one_hots)));
  CHECK(right(z, cast(one_hots, DType::f32)));  // as probabilities
  CHECK(said(z, column) ==
        "cross_entropy: logits [8, 4] need targets [8], a class id for each row, got [8, 1]; use "
        "squeeze(targets, -1)");
  CHECK(right(z, squeeze(column, -1)));
  const Tensor images = zeros({2, 5, 3, 4}), labels = zeros({2, 3, 4}, DType::i64);
  CHECK(said(images, labels) ==
        "cross_entropy: logits [2, 5, 3, 4] need targets [2, 5, 3], a class id for each row, got "
        "[2, 3, 4]; the classes come last: use permute(logits, {0, 2, 3, 1})");
  CHECK(right(permute(images, {0, 2, 3, 1}), labels));
  const Tensor tokens = zeros({2, 5, 3}), next = zeros({2, 3}, DType::i64);
  CHECK(said(tokens, next) ==
        "cross_entropy: logits [2, 5, 3] need targets [2, 5], a class id for each row, got [2, 3]; the classes "
        "come last: use transpose(logits, 1, 2)");
  CHECK(right(transpose(tokens, 1, 2), next));
}

TEST_CASE("loss-cross-entropy: a change of targets or weights between forward and backward changes no gradient") {
  const Tensor logits = scores({4, 3});
  for (const double smoothing : {0.0, 0.1}) {
    const auto after = [&](const std::function<void(Tensor& targets, Tensor& weights)>& change) {
      Tensor x = logits.detached_copy().set_requires_grad(), targets = ids({0, 1, 2, 0}), weights = f64({1, 2, 3});
      const Tensor loss = nn::cross_entropy(x, targets, {.label_smoothing = smoothing, .class_weights = weights});
      change(targets, weights);
      return grad({loss}, {x})[0];
    };
    const Tensor expected = after([](Tensor&, Tensor&) {});
    CHECK(equal(after([](Tensor& targets, Tensor&) { targets.fill(2); }), expected));
    if (smoothing == 0) CHECK(equal(after([](Tensor&, Tensor& weights) { weights.fill(2); }), expected));
    else CHECK_THROWS_AS(after([](Tensor&, Tensor& weights) { weights.fill(2); }), GraphError);  // an op still reads them
  }
}

TEST_CASE("loss-cross-entropy: ignore_index may be any whole number, one that a double cannot hold too") {
  const Tensor x = scores({3, 4});
  const double expected = nn::cross_entropy(slice(x, 0, 0, 2), ids({1, 3})).item();
  for (const int64_t index : {INT64_MAX, INT64_MIN, int64_t{9007199254740993}, int64_t{-9007199254740993}, int64_t{-1}}) {
    CAPTURE(index);
    const Tensor targets = from_vector(std::vector<int64_t>{1, 3, index}, {3});
    const nn::CrossEntropyOptions options{.ignore_index = index};
    CHECK(nn::cross_entropy(x, targets, options).item() == doctest::Approx(expected).epsilon(1e-14));
    CHECK(nn::focal(x, targets, {.gamma = 0, .ignore_index = index}).item() == doctest::Approx(expected).epsilon(1e-14));
    CHECK(nn::nll(nn::log_softmax(x), targets, {.ignore_index = index}).item() == doctest::Approx(expected).epsilon(1e-14));
    const double right = nn::accuracy(slice(x, 0, 0, 2), ids({1, 3}));
    CHECK(nn::accuracy(x, targets, index) == right);
    const Tensor neighbour = from_vector(std::vector<int64_t>{1, 3, index < 0 ? index + 1 : index - 1}, {3});
    if (index != -1) CHECK_THROWS_AS(nn::cross_entropy(x, neighbour, options), ValueError);
  }
}

TEST_CASE("accuracy: the share of counted targets whose logit is the largest") {
  const Tensor logits = tensor({{0, 2, 1}, {3, 0, 0}, {0, 0, 1}, {5, 4, 3}});
  CHECK(nn::accuracy(logits, ids({1, 0, 2, 1})) == 0.75);
  CHECK(nn::accuracy(logits, ids({1, 0, -100, 1})) == 2.0 / 3);
  CHECK(nn::accuracy(logits, ids({1, 0, 2, 1}), 1) == 1);
  CHECK(nn::accuracy(reshape(logits, {2, 2, 3}), ids({{1, 0}, {2, 1}})) == 0.75);
  CHECK(std::isnan(nn::accuracy(zeros({0, 3}), zeros({0}, DType::i64))));
  CHECK_THROWS_WITH_AS(nn::accuracy(logits, ids({1, 0, 2, 3})), "accuracy: target 3 is out of range; expected 0 … 2 or ignore_index -100",
                       ValueError);
  CHECK_THROWS_AS(nn::accuracy(logits, ids({1, 0})), ShapeError);
}

TEST_CASE("loss-cross-entropy, loss-z: the formula takes scores whose squares are beyond f32, as the fast path does") {
  const Tensor scores = tensor({{3e19, 0}});
  for (const auto& [z, expected] : {std::pair{0.0, 3e19}, {1e-4, 9e34}}) {
    const double fast = nn::cross_entropy(scores, ids({1}), {.z_loss = z}).item();
    const FormulaOnly readable;
    CHECK(nn::cross_entropy(scores, ids({1}), {.z_loss = z}).item() == doctest::Approx(fast));
    CHECK(fast == doctest::Approx(expected));
  }
}

TEST_CASE("accuracy: a row with a NaN is wrong, whatever its target") {
  const double nan = std::nan("");
  const Tensor logits = tensor({{nan, nan, nan}, {2, nan, 1}, {1, 0, nan}, {3, 2, 1}});
  for (const int64_t target : {0, 1, 2}) {
    CAPTURE(target);
    CHECK(nn::accuracy(slice(logits, 0, 0, 3), full({3}, static_cast<double>(target), DType::i64)) == 0);
  }
  CHECK(nn::accuracy(logits, ids({0, 0, 0, 0})) == 0.25);
}

TEST_CASE("loss-z: a target that the model rules out costs infinitely much, and the z-loss keeps its gradient") {
  const Tensor y = full({1}, 2, DType::i64);
  for (double z_y : {-1e9, -std::numeric_limits<double>::infinity()}) {
    Tensor z = from_vector(std::vector<float>{10, 20, static_cast<float>(z_y)}, {1, 3}).set_requires_grad();
    nn::cross_entropy(z, y, {.z_loss = 1}).backward();
    const double log_z = std::log(std::exp(10) + std::exp(20)), p0 = std::exp(10 - log_z), p1 = std::exp(20 - log_z);
    CHECK(z.grad().at({0, 0}) == doctest::Approx(p0 * (1 + 2 * log_z)));
    CHECK(z.grad().at({0, 1}) == doctest::Approx(p1 * (1 + 2 * log_z)));
    CHECK(z.grad().at({0, 2}) == -1);
  }
}

TEST_CASE("loss-cross-entropy: rows that are not counted may hold anything, on both paths") {
  Tensor z = from_vector(std::vector<float>{1, 2, NAN, INFINITY}, {2, 2}).set_requires_grad();
  const Tensor y = from_vector(std::vector<int64_t>{1, -100}, {2});
  const auto gradients = [&] {
    z.zero_grad();
    const Tensor loss = nn::cross_entropy(z, y, {.z_loss = 0.1, .label_smoothing = 0.1});
    CHECK(std::isfinite(loss.item()));
    loss.backward();
    return to_vector(z.grad());
  };
  const std::vector<double> fast = gradients();
  const FormulaOnly formula;
  CHECK(gradients()[0] == doctest::Approx(fast[0]));
  CHECK(std::vector(fast.begin() + 2, fast.end()) == std::vector<double>{0, 0});
}
