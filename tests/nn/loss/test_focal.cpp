// The focal loss: what it is, and where 1 - p or p is nearly 0.
#include <cmath>
#include <limits>

#include "core/autograd/engine.h"
#include "core/inspect/gradcheck.h"
#include "nn/activation/sigmoid.h"
#include "nn/loss/cross_entropy.h"
#include "tests/nn/loss/loss_test.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/fixture.h"

using namespace gradus;
using namespace gradus::test;
using nn::Reduction;

namespace {

constexpr Reduction kReductions[] = {Reduction::mean, Reduction::sum, Reduction::none};

// ℓ and dℓ/dz_y of one row of scores, class 0 being the target.
std::pair<double, double> first_row(const Nested& scores, double gamma, DType dtype = DType::f64) {
  const Tensor z = tensor(scores, dtype).set_requires_grad();
  const Tensor loss = nn::focal(z, tensor(0, DType::i64), {.gamma = gamma});
  return {loss.item(), grad({loss}, {z})[0].at({0})};
}

}  // namespace

TEST_CASE("loss-focal: values and gradients equal plain code's, with weights and without, at all reductions") {
  const Tensor weights = read_fixture("losses.safetensors").tensors.at("loss/weights");
  const auto check_rows = [](const char* name, const nn::FocalOptions& options) {
    for (const auto& [row, reduction] : {std::pair{"mean", Reduction::mean}, {"sum", Reduction::sum}, {"none", Reduction::none}}) {
      nn::FocalOptions o = options;
      o.reduction = reduction;
      const auto loss = [&](const Tensors& in) {
        const Tensor y = nn::focal(in[0], targets(), o);
        return o.reduction == Reduction::none ? flatten(y) : y;
      };
      CHECK(against_pytorch(fmt::format("loss/{}/{}", name, row), loss, "losses.safetensors") == "");
    }
  };
  check_rows("focal", {});
  check_rows("focal_weights", {.class_weights = weights});
  check_rows("focal_root", {.gamma = 0.5});
  check_rows("focal_none", {.gamma = 0, .class_weights = weights});
}

TEST_CASE("loss-focal: with γ = 0 it is cross-entropy to the bit, with weights and ignored targets, its gradient too") {
  const Tensor z = scores({2, 3, 5}, 11).set_requires_grad(), weights = f64({0.5, 2, 1, 0.25, 3});
  for (const Tensor& w : {Tensor(), weights}) {
    for (const Reduction reduction : kReductions) {
      const Tensor focal = nn::focal(z, targets(), {.gamma = 0, .class_weights = w, .reduction = reduction});
      const Tensor plain = nn::cross_entropy(z, targets(), {.class_weights = w, .reduction = reduction});
      CHECK(equal(focal, plain));
      CHECK(equal(grad({sum(focal)}, {z})[0], grad({sum(plain)}, {z})[0]));
    }
  }
  const Tensor other = nn::focal(z, ids({{1, 4, 3}, {0, 3, 2}}), {.gamma = 0, .ignore_index = 3});
  CHECK(equal(other, nn::cross_entropy(z, ids({{1, 4, 3}, {0, 3, 2}}), {.ignore_index = 3})));
}

TEST_CASE("loss-focal: the default γ = 2: a row with p = 0.9 counts a hundredth, one with p = 0.5 a quarter") {
  for (const double p : {0.9, 0.5}) {
    const Tensor z = f64({std::log(p), std::log(1 - p)}), y = tensor(0, DType::i64);
    const double share = nn::focal(z, y).item() / nn::cross_entropy(z, y).item();
    CHECK(share == doctest::Approx((1 - p) * (1 - p)).epsilon(1e-14));
  }
}

TEST_CASE("loss-focal: gradcheck and gradgradcheck, for γ below and above 1") {
  const Tensor z = scores({3, 4}, 11), weights = f64({0.5, 2, 1, 0.25});
  for (const double gamma : {0.0, 0.5, 1.0, 2.0, 3.5}) {
    for (const Reduction reduction : kReductions) {
      const auto loss = [&](const Tensors& in) {
        return nn::focal(in[0], ids({2, -100, 0}), {.gamma = gamma, .class_weights = weights, .reduction = reduction});
      };
      const auto first = gradcheck(loss, {z}), second = gradgradcheck(loss, {z});
      CHECK_MESSAGE((first.passed && first.kinks == 0), first.text);
      CHECK_MESSAGE((second.passed && second.kinks == 0), second.text);
    }
  }
}

TEST_CASE("loss-focal: where p is nearly 1, value and gradient are right, and no γ below 1 makes them NaN") {
  for (const double gamma : {0.0, 0.25, 0.5, 1.0, 2.0}) {
    CAPTURE(gamma);
    const double q = 1 / (1 + std::exp(12.0)), log_p = std::log1p(-q), power = std::pow(q, gamma);
    const auto relative = [](double value) { return doctest::Approx(value).epsilon(1e-8).scale(0); };
    const auto [loss, gradient] = first_row({12, 0}, gamma);
    CHECK(loss == relative(-power * log_p));
    CHECK(gradient == relative(power * (gamma * (1 - q) * log_p - q)));
    for (const double gap : {40.0, 1000.0}) {  // 1 - p rounds to 0
      const auto [far, slope] = first_row({gap, 0, -gap}, gamma, DType::f32);
      CHECK(far >= 0);
      CHECK(far < 1e-15);
      CHECK(std::abs(slope) < 1e-15);
    }
  }
}

TEST_CASE("loss-focal: where p is nearly 0, it is cross-entropy: the gap of the scores, and a slope of -1") {
  for (const double gamma : {0.0, 0.5, 2.0}) {
    for (const DType dtype : {DType::f64, DType::f32}) {
      const auto [loss, slope] = first_row({-1000, 0, -1000}, gamma, dtype);
      CHECK(loss == 1000);
      CHECK(slope == -1);
    }
  }
}

TEST_CASE("loss-focal: of the scores 0 and x it is the binary form, with {1 - α, α} for α") {
  const Tensor x = f64({-2, 0.5, 3, -0.1}).set_requires_grad(), y = ids({1, 0, 1, 0});
  const Tensor two = stack({zeros_like(x), x}, -1);
  const Tensor found = nn::focal(two, y, {.gamma = 2, .class_weights = f64({0.75, 0.25}), .reduction = Reduction::sum});
  double total = 0;
  std::vector<double> slopes;
  const std::vector<double> scores = to_vector(x), labels = to_vector(y);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double sign = labels[i] == 1 ? 1 : -1, alpha = labels[i] == 1 ? 0.25 : 0.75;
    const double p = 1 / (1 + std::exp(-sign * scores[i]));
    total -= alpha * (1 - p) * (1 - p) * std::log(p);
    slopes.push_back(sign * alpha * (1 - p) * (1 - p) * (2 * p * std::log(p) + p - 1));
  }
  CHECK(found.item() == doctest::Approx(total).epsilon(1e-14));
  CHECK(difference(grad({found}, {x})[0], from_vector(slopes, {4}), 1e-14) == "");
}

TEST_CASE(
    "convention-focal-mean: divided by the sum of the counted targets' α; by their number it is 1.75 / 3 of that, by the "
    "number of those that are not background 1.75 / 2") {
  const Tensor z = scores({4, 2}, 11), y = ids({0, 1, -100, 1});
  const auto loss = [&](Reduction reduction) {
    return nn::focal(z, y, {.class_weights = f64({0.25, 0.75}), .reduction = reduction}).item();
  };
  const double total = loss(Reduction::sum), mean = loss(Reduction::mean);
  CHECK(total / mean == doctest::Approx(1.75).epsilon(1e-14));
  CHECK((total / 3) / mean == doctest::Approx(1.75 / 3).epsilon(1e-14));
  CHECK((total / 2) / mean == doctest::Approx(1.75 / 2).epsilon(1e-14));
}

TEST_CASE("loss-focal: f16 is computed in f32, and rounded once") {
  const Tensor z = cast(scores({3, 5}, 11), DType::f16), y = ids({0, 4, 2});
  const Tensor half = nn::focal(z, y, {.reduction = Reduction::none});
  CHECK(half.dtype() == DType::f16);
  CHECK(equal(half, cast(nn::focal(cast(z, DType::f32), y, {.reduction = Reduction::none}), DType::f16)));
}

TEST_CASE("loss-focal: classes of -∞, and whatever stands in rows that are not counted, leave no NaN") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double gamma : {0.0, 0.5, 2.0}) {
    CAPTURE(gamma);
    Tensor z = f64({{0, -infinity}}).set_requires_grad();
    const Tensor alone = nn::focal(z, ids({0}), {.gamma = gamma});
    CHECK(alone.item() == 0);
    CHECK(equal(grad({alone}, {z})[0], zeros_like(z)));
    const nn::FocalOptions options{.gamma = gamma};
    Tensor two = f64({{0.1, 0.2, 0}, {-infinity, -infinity, -infinity}, {infinity, 1, 2}}).set_requires_grad();
    const Tensor mean = nn::focal(two, ids({1, -100, -100}), options);
    CHECK(mean.item() == nn::focal(f64({{0.1, 0.2, 0}}), ids({1}), options).item());
    CHECK(equal(slice(grad({mean}, {two})[0], 0, 1), zeros({2, 3}, DType::f64)));
  }
}

TEST_CASE("loss-focal: errors") {
  const Tensor z = zeros({2, 3});
  const auto refused = [&](const Tensor& logits, const Tensor& y, const nn::FocalOptions& options, const char* message) {
    CHECK_THROWS_WITH_AS(nn::focal(logits, y, options), message, Error);
  };
  refused(z, ids({0, 1}), {.gamma = -1}, "focal: gamma must be finite and not negative, got -1");
  refused(z, ids({0, 1}), {.gamma = std::nan("")}, "focal: gamma must be finite and not negative, got nan");
  refused(z, ids({0, 3}), {}, "focal: target 3 is out of range; expected 0 … 2 or ignore_index -100");
  refused(z, ids({-100, -100}), {}, "focal: no target is counted; all equal ignore_index -100");
  refused(z, ids({0}), {}, "focal: logits [2, 3] need targets [2], a class id for each row, got [1]");
  refused(zeros({2, 1}), ids({0, 0}), {}, "focal: needs at least two classes along the last axis, got shape [2, 1]");
  refused(z, ids({0, 1}), {.class_weights = ones({2})}, "focal: logits [2, 3] need class_weights [3], got [2]");
  refused(z, ids({0, 1}), {.class_weights = tensor({1, -1, 1})}, "focal: class_weights must be finite and not negative, got -1");
}
