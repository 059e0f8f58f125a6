// Losses between numbers and between probabilities, and what cross-entropy has besides.
#include <cmath>
#include <limits>

#include "core/autograd/engine.h"
#include "core/inspect/gradcheck.h"
#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "nn/activation/softmax.h"
#include "nn/loss/cross_entropy.h"
#include "nn/loss/probability.h"
#include "nn/loss/regression.h"
#include "tests/nn/loss/loss_test.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/fixture.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::test;
using nn::Reduction;

namespace {

Tensor log_softmax_of(const Tensor& x) { return x - logsumexp(x, -1, true); }

// Each reduction against PyTorch's row of it.
template <typename Loss> void check_rows(const char* name, const Loss& loss) {
  for (const auto& [row, reduction] : {std::pair{"mean", Reduction::mean}, {"sum", Reduction::sum}, {"none", Reduction::none}}) {
    const auto f = [&loss, r = reduction](const Tensors& in) { return loss(in, r); };
    CHECK(against_pytorch(fmt::format("loss/{}/{}", name, row), f, "losses.safetensors") == "");
  }
}

// First and second derivatives against differences, at all reductions.
template <typename Loss> void check_differences(const Loss& loss, const Tensors& inputs) {
  for (const Reduction reduction : {Reduction::mean, Reduction::sum, Reduction::none}) {
    const auto f = [&loss, reduction](const Tensors& in) { return loss(in, reduction); };
    const auto first = gradcheck(f, inputs), second = gradgradcheck(f, inputs);
    CHECK_MESSAGE((first.passed && first.kinks == 0), first.text);
    CHECK_MESSAGE((second.passed && second.kinks == 0), second.text);
  }
}

Tensor flat(const Tensor& x) { return reshape(x, {-1}); }

}  // namespace

TEST_CASE(
    "loss-mse, loss-l1, loss-huber, loss-smooth-l1, loss-bce-logits, loss-kl, loss-nll: values and gradients equal "
    "PyTorch's") {
  check_rows("mse", [](const Tensors& in, Reduction r) { return nn::mse(in[0], in[1], r); });
  check_rows("l1", [](const Tensors& in, Reduction r) { return nn::l1(in[0], in[1], r); });
  check_rows("huber", [](const Tensors& in, Reduction r) { return nn::huber(in[0], in[1], 0.7, r); });
  check_rows("smooth_l1", [](const Tensors& in, Reduction r) { return nn::smooth_l1(in[0], in[1], 0.7, r); });
  check_rows("bce", [](const Tensors& in, Reduction r) { return nn::bce_with_logits(in[0], in[1], r); });
  check_rows("kl", [](const Tensors& in, Reduction r) { return nn::kl_divergence(in[0], in[1], r); });
  check_rows("nll", [](const Tensors& in, Reduction r) {
    const Tensor losses = nn::nll(in[0], targets(), {.reduction = r});
    return r == Reduction::none ? flat(losses) : losses;
  });
}

TEST_CASE("loss-cross-entropy, loss-label-smoothing: class weights and smoothing equal PyTorch's") {
  const Tensor weights = read_fixture("losses.safetensors").tensors.at("loss/weights");
  const auto loss = [](const Tensor& w, double smoothing) {
    return [=](const Tensors& in, Reduction r) {
      const Tensor y = nn::cross_entropy(in[0], targets(), {.label_smoothing = smoothing, .class_weights = w, .reduction = r});
      return r == Reduction::none ? flat(y) : y;
    };
  };
  check_rows("weights", loss(weights, 0));
  check_rows("smoothing", loss(Tensor(), 0.2));
  check_rows("weights_smoothing", loss(weights, 0.2));
}

TEST_CASE("loss-cross-entropy, loss-nll, loss-bce-logits: target probabilities and weights equal PyTorch's") {
  const Tensor weights = read_fixture("losses.safetensors").tensors.at("loss/weights");
  const auto soft = [](const Tensor& w, double smoothing) {
    return [=](const Tensors& in, Reduction r) {
      const Tensor y = nn::cross_entropy(in[0], in[1], {.label_smoothing = smoothing, .class_weights = w, .reduction = r});
      return r == Reduction::none ? flat(y) : y;
    };
  };
  check_rows("soft", soft(Tensor(), 0));
  check_rows("soft_smoothing", soft(Tensor(), 0.2));
  check_rows("soft_weights_smoothing", soft(weights, 0.2));
  check_rows("nll_weights", [&](const Tensors& in, Reduction r) {
    const Tensor losses = nn::nll(in[0], targets(), {.class_weights = weights, .reduction = r});
    return r == Reduction::none ? flat(losses) : losses;
  });
  check_rows("bce_weights", [&](const Tensors& in, Reduction r) {
    return nn::bce_with_logits(in[0], in[1], {.weight = reshape(slice(weights, 0, 1, 4), {3, 1}), .pos_weight = weights, .reduction = r});
  });
}

TEST_CASE("loss-cross-entropy, loss-label-smoothing, loss-z: one-hot probabilities are class ids, in every dtype") {
  const Tensor y = ids({1, 4, 0, 3});
  for (const DType dtype : {DType::f16, DType::f32, DType::f64}) {
    const Tensor z = cast(scores({4, 5}), dtype), p = one_hot(y, 5, dtype), w = f64({0.5, 2, 0.25, 1, 3});
    const nn::CrossEntropyOptions options{.z_loss = 0.2, .label_smoothing = 0.1, .class_weights = w, .reduction = Reduction::sum};
    const double digits = dtype == DType::f16 ? 2e-3 : dtype == DType::f32 ? 1e-6 : 1e-14;
    CHECK(nn::cross_entropy(z, p, options).dtype() == dtype);
    CHECK(difference(nn::cross_entropy(z, p, options), nn::cross_entropy(z, y, options), digits) == "");
    CHECK(difference(nn::cross_entropy(z, p), nn::cross_entropy(z, y), digits) == "");
  }
  const Tensor far = tensor({{1, -kInfinity, 2}}).set_requires_grad();  // a class that cannot be, and is not wanted
  const Tensor loss = nn::cross_entropy(far, tensor({{0.5, 0, 0.5}}));
  CHECK(loss.item() == doctest::Approx(std::log1p(std::exp(1.0)) - 0.5).epsilon(1e-6));
  CHECK(select(grad({loss}, {far})[0], 1, 1).item() == 0);
}

TEST_CASE("loss-cross-entropy: first and second derivatives by scores and by target probabilities") {
  const Tensor w = f64({0.5, 2, 0.25, 1});
  const auto loss = [&](const Tensors& in, Reduction r) {
    return nn::cross_entropy(in[0], nn::softmax(in[1]), {.z_loss = 0.2, .label_smoothing = 0.1, .class_weights = w, .reduction = r});
  };
  check_differences(loss, {scores({3, 4}), draw({3, 4}, -1, 1, 9)});
  check_differences([&](const Tensors& in,
                        Reduction r) { return nn::nll(log_softmax_of(in[0]), ids({2, -100, 0}), {.class_weights = w, .reduction = r}); },
                    {scores({3, 4})});
  check_differences(
      [&](const Tensors& in, Reduction r) { return nn::bce_with_logits(in[0], in[1], {.weight = w, .pos_weight = w, .reduction = r}); },
      {scores({3, 4}), draw({3, 4}, 0.1, 0.9, 7)});
}

TEST_CASE("loss-cross-entropy, loss-label-smoothing, loss-z: cross-entropy is the formula, with all options at once") {
  const Tensor weights = f64({0.5, 2, 0, 0.25, 3}), some = ids({1, 4, -1, 0});
  for (const auto& options : {nn::CrossEntropyOptions{.label_smoothing = 0.1}, nn::CrossEntropyOptions{.class_weights = weights},
                              nn::CrossEntropyOptions{.z_loss = 0.2, .label_smoothing = 0.3, .class_weights = weights},
                              nn::CrossEntropyOptions{.z_loss = 0.2, .label_smoothing = 1}}) {
    nn::CrossEntropyOptions sum_of = options;
    sum_of.reduction = Reduction::sum;
    sum_of.ignore_index = -1;
    const auto fast = [&](const Tensors& in) { return nn::cross_entropy(in[0], in[1], sum_of); };
    const auto formula = [&](const Tensors& in) {
      const FormulaOnly readable;
      return nn::cross_entropy(in[0], in[1], sum_of);
    };
    CHECK(check_fused("cross_entropy", fast, formula, {scores({4, 5}), some}) == "");
  }
}

TEST_CASE("loss-label-smoothing: the loss against the smoothed target, whose gradient is softmax minus it") {
  const Tensor z = scores({3, 5}).set_requires_grad(), y = ids({4, 0, 2});
  const double smoothing = 0.3;
  const Tensor target = (1 - smoothing) * one_hot(y, 5, DType::f64) + smoothing / 5;
  const Tensor loss = nn::cross_entropy(z, y, {.label_smoothing = smoothing});
  CHECK(difference(loss, mean(-sum(target * log_softmax_of(z), -1)), 1e-15) == "");
  CHECK(difference(grad({loss}, {z})[0], (nn::softmax(z) - target) / 3, 1e-15) == "");
}

TEST_CASE("loss-cross-entropy: a class weight of 2 counts a row twice; of 0, not at all") {
  const Tensor z = scores({3, 4}), y = ids({0, 1, 2});
  const Tensor weighted = nn::cross_entropy(z, y, {.class_weights = f64({2, 1, 0, 1})});
  CHECK(difference(weighted, nn::cross_entropy(index_select(z, 0, ids({0, 0, 1})), ids({0, 0, 1})), 1e-15) == "");
}

TEST_CASE(
    "loss-cross-entropy: none has the targets' shape; it is the sum's and the mean's parts; the same bits by one and "
    "two threads") {
  const Tensor z = scores({50, 40, 30}), y = randint(0, 30, {50, 40});
  const Tensor each = nn::cross_entropy(z, y, {.label_smoothing = 0.1, .reduction = Reduction::none});
  CHECK(each.shape() == Shape{50, 40});
  CHECK(difference(sum(each), nn::cross_entropy(z, y, {.label_smoothing = 0.1, .reduction = Reduction::sum}), 1e-14) == "");
  CHECK(difference(mean(each), nn::cross_entropy(z, y, {.label_smoothing = 0.1}), 1e-14) == "");
  const auto losses = [&](int count) {
    const Threads threads(count);
    return nn::cross_entropy(z, y, {.label_smoothing = 0.1, .reduction = Reduction::none});
  };
  CHECK(equal(losses(1), losses(2)));
}

TEST_CASE("loss-mse, loss-l1, loss-huber, loss-smooth-l1, loss-bce-logits, loss-kl, loss-nll: gradcheck and gradgradcheck") {
  const Tensor x = scores({3, 4}), y = draw({3, 4}, 0.1, 0.9, 7);
  check_differences([](const Tensors& in, Reduction r) { return nn::mse(in[0], in[1], r); }, {x, y});
  check_differences([](const Tensors& in, Reduction r) { return nn::l1(in[0], in[1], r); }, {x, y});
  check_differences([](const Tensors& in, Reduction r) { return nn::huber(in[0], in[1], 0.8, r); }, {x, y});
  check_differences([](const Tensors& in, Reduction r) { return nn::smooth_l1(in[0], in[1], 0.8, r); }, {x, y});
  check_differences([](const Tensors& in, Reduction r) { return nn::bce_with_logits(in[0], in[1], r); }, {x, y});
  check_differences([](const Tensors& in, Reduction r) { return nn::kl_divergence(log_softmax_of(in[0]), log_softmax_of(in[1]), r); },
                    {x, draw({3, 4}, -1, 1, 7)});
  check_differences([](const Tensors& in, Reduction r) { return nn::nll(log_softmax_of(in[0]), in[1], {.reduction = r}); },
                    {x, ids({2, -100, 0})});
}

TEST_CASE("loss-smooth-l1: Huber's loss of δ = β divided by β; l1 for β = 0, without NaN at 0; β = 1 by default") {
  const Tensor x = f64({1, 3, 1.5, 0, 1.25}).set_requires_grad(), y = f64({1, 1, 1, 1, 1});
  for (const double beta : {0.3, 1.0, 2.5}) {
    CHECK(difference(nn::smooth_l1(x, y, beta, Reduction::none), nn::huber(x, y, beta, Reduction::none) / beta, 1e-15) == "");
  }
  CHECK(equal(nn::smooth_l1(x, y, 0, Reduction::none), nn::l1(x, y, Reduction::none)));
  CHECK(to_vector(grad({nn::smooth_l1(x, y, 0, Reduction::sum)}, {x})[0]) == Values{0, 1, 1, -1, 1});
  CHECK(to_vector(grad({nn::smooth_l1(x, y, 0.5, Reduction::sum)}, {x})[0]) == Values{0, 1, 1, -1, 0.5});
  CHECK(to_vector(nn::smooth_l1(x, y, 0.5, Reduction::none)) == Values{0, 1.75, 0.25, 0.75, 0.0625});
  const Tensor far = tensor({std::numeric_limits<double>::infinity(), -3}, DType::f64).set_requires_grad();
  CHECK(to_vector(grad({nn::smooth_l1(far, zeros_like(far), 1, Reduction::sum)}, {far})[0]) == Values{1, -1});
  const Tensor half = full({1}, 260, DType::f16);  // whose square overflows
  CHECK(nn::smooth_l1(half, zeros_like(half), 300).item() == doctest::Approx(112.67).epsilon(1e-3));
  CHECK(nn::smooth_l1(x, y).item() == (1.5 + 0.125 + 0.5 + 0.03125) / 5);
}

TEST_CASE("loss-smooth-l1: right for a β down to the smallest that f32 can invert, and l1 below that") {
  const Tensor zero = zeros({3});
  for (const double beta : {0x1p-126, 0x1p-120, 1e-38, 1e-45, 1e-300}) {
    const double small = beta < 0x1p-126 ? 0 : beta / 2;
    const Tensor x = tensor({2, -3, small}).set_requires_grad();
    CHECK(to_vector(nn::smooth_l1(x, zero, beta, Reduction::none)) == Values{2, 3, small / 4});
    CHECK(to_vector(grad({nn::smooth_l1(x, zero, beta, Reduction::sum)}, {x})[0]) == Values{1, -1, small > 0 ? 0.5 : 0});
  }
}

TEST_CASE("loss-l1, loss-huber: the gradient at the kinks") {
  const Tensor x = f64({1, 3, 1.5, 0}).set_requires_grad(), y = f64({1, 1, 1, 1});
  CHECK(to_vector(grad({nn::l1(x, y, Reduction::sum)}, {x})[0]) == Values{0, 1, 1, -1});
  CHECK(to_vector(grad({nn::huber(x, y, 1, Reduction::sum)}, {x})[0]) == Values{0, 1, 0.5, -1});
  CHECK(nn::huber(x, y, 1, Reduction::none).at({1}) == 1.5);
}

TEST_CASE("loss-huber: any δ, and any difference, has a gradient") {
  const Tensor x = tensor({2, -3}).set_requires_grad(), y = zeros({2});
  for (const double delta : {kInfinity, 1e39, 5.0}) {
    const Tensor loss = nn::huber(x, y, delta, Reduction::sum);
    CHECK(loss.item() == 6.5);
    CHECK(to_vector(grad({loss}, {x})[0]) == Values{2, -3});
  }
  const Tensor far = tensor({kInfinity, -kInfinity, 1e30}).set_requires_grad();
  CHECK(to_vector(grad({nn::huber(far, zeros({3}), 3, Reduction::sum)}, {far})[0]) == Values{3, -3, 3});
}

TEST_CASE("loss-bce-logits: a small loss keeps all its digits, and so does its gradient where y is 0 or 1; ±∞ too") {
  const double small = std::log1p(std::exp(-20.0)), slope = 1 / (1 + std::exp(20.0));
  for (const DType dtype : {DType::f32, DType::f64}) {
    const double digits = dtype == DType::f32 ? 4e-7 : 1e-15;
    const Tensor x = tensor({20, -20}, dtype).set_requires_grad(), y = tensor({1, 0}, dtype);
    CHECK(difference(nn::bce_with_logits(x, y, Reduction::none), tensor({small, small}, dtype), digits) == "");
    CHECK(difference(grad({nn::bce_with_logits(x, y, Reduction::sum)}, {x})[0], tensor({-slope, slope}, dtype), digits) == "");
  }
  const Tensor x = f64({kInfinity, -kInfinity, kInfinity, -kInfinity, kInfinity}).set_requires_grad();
  const Tensor y = f64({1, 0, 0, 1, 0.25}), losses = nn::bce_with_logits(x, y, Reduction::none);
  CHECK(to_vector(losses) == Values{0, 0, kInfinity, kInfinity, kInfinity});
  CHECK(to_vector(grad({sum(losses)}, {x})[0]) == Values{0, 0, 1, -1, 0.75});  // σ(x) - y
  const Tensor score = f64({3, -2}), target = f64({0, 1}).set_requires_grad();
  CHECK(difference(grad({nn::bce_with_logits(score, target, Reduction::sum)}, {target})[0], -score, 1e-15) == "");
}

TEST_CASE("loss-bce-logits: large scores do not overflow and keep their gradient; at 0 it is exact to the second order") {
  const Tensor x = f64({1000, -1000, 0}).set_requires_grad(), y = f64({0, 1, 0.25});
  CHECK(difference(nn::bce_with_logits(x, y, Reduction::none), f64({1000, 1000, std::log(2.0)}), 1e-15) == "");
  const Tensor first = grad({nn::bce_with_logits(x, y, Reduction::sum)}, {x}, {.create_graph = true})[0];
  CHECK(to_vector(first) == Values{1, -1, 0.25});
  CHECK(to_vector(grad({sum(first)}, {x})[0]) == Values{0, 0, 0.25});  // σ(1 - σ)
  CHECK(sum(isfinite(nn::bce_with_logits(tensor({1e30, -1e30}), tensor({1, 0}), Reduction::none))).item() == 2);
}

TEST_CASE("loss-kl: 0 between equals, positive between others; where p is 0 nothing counts, and no NaN comes back") {
  const Tensor p = log_softmax_of(scores({2, 4})), q = log_softmax_of(draw({2, 4}, -1, 1, 7));
  CHECK(nn::kl_divergence(p, p).item() == 0);
  CHECK(nn::kl_divergence(q, p).item() > 0);
  for (const double other : {std::log(0.75), -kInfinity}) {  // q may be 0 there too
    const Tensor certain = f64({0, -kInfinity}).set_requires_grad();
    const Tensor log_q = f64({std::log(0.25), other}).set_requires_grad();
    const Tensor loss = nn::kl_divergence(log_q, certain);
    CHECK(loss.item() == doctest::Approx(std::log(4.0)).epsilon(1e-15));
    CHECK(to_vector(grad({loss}, {log_q}, {.retain_graph = true})[0]) == Values{-1, 0});
    CHECK(difference(grad({loss}, {certain})[0], f64({std::log(4.0) + 1, 0}), 1e-15) == "");
  }
}

TEST_CASE("loss-nll: of log_softmax it is cross-entropy") {
  const Tensor z = scores({2, 3, 5});
  CHECK(difference(nn::nll(log_softmax_of(z), targets()), nn::cross_entropy(z, targets()), 1e-15) == "");
}

TEST_CASE("losses: in f16 and f32 alike") {
  for (const DType dtype : {DType::f16, DType::f32}) {
    const Tensor x = cast(scores({2, 3}), dtype), y = cast(draw({2, 3}, 0, 1, 7), dtype);
    const Tensors losses{nn::mse(x, y), nn::l1(x, y), nn::huber(x, y), nn::smooth_l1(x, y), nn::bce_with_logits(x, y)};
    for (const Tensor& loss : losses) CHECK(loss.dtype() == dtype);
  }
}

TEST_CASE("losses: in f16, what a reduction sums is kept in f32, and rounded once") {
  const auto f16 = [](const Tensor& x) { return cast(x, DType::f16); };
  Tensor outlier = zeros({10'000});
  outlier.set({0}, 2000);
  const Tensor x = f16(outlier).set_requires_grad(), none = zeros({10'000}, DType::f16);
  const Tensor mse = nn::mse(x, none);
  CHECK(mse.item() == 400);
  CHECK(grad({mse}, {x})[0].at({0}) == f16(tensor(0.4)).item());
  CHECK(nn::huber(x, none, 1000).item() == 150);  // 1000 (2000 - 500) / 10000
  CHECK(nn::l1(f16(full({4}, 60'000)), f16(full({4}, -5000)), Reduction::sum).item() == kInfinity);
  CHECK(nn::bce_with_logits(f16(tensor({10})), f16(tensor({1}))).item() == f16(tensor(std::log1p(std::exp(-10.0)))).item());
  const Tensor scores = tensor({{60'000, -60'000}, {0, 0}, {0, 0}, {0, 0}}, DType::f16), classes = ids({1, 0, 0, 0});
  CHECK(nn::cross_entropy(scores, classes).item() == 30'000);  // (120000 + 3 log 2) / 4, of which f16 keeps a multiple of 16
  CHECK(nn::cross_entropy(scores, classes, {.class_weights = tensor({1, 0.5})}).dtype() == DType::f16);
  CHECK_THROWS_WITH_AS(nn::mse(none, outlier), "mse: y is f32, but x is f16; use cast(y, DType::f16) first", DTypeError);
  CHECK_THROWS_AS(nn::bce_with_logits(none, outlier), DTypeError);
  CHECK_THROWS_AS(nn::kl_divergence(none, outlier), DTypeError);
}

TEST_CASE("losses: errors") {
  const Tensor a = zeros({2, 3}), b = zeros({3});
  CHECK_THROWS_WITH_AS(nn::mse(zeros({4, 1}), zeros({4})), doctest::Contains("[4]; give one the shape of the other, as by squeeze("),
                       ShapeError);
  CHECK_THROWS_WITH_AS(nn::bce_with_logits(zeros({4, 1}), zeros({4})), doctest::Contains("[4]; give one the shape of the other"),
                       ShapeError);
  CHECK_THROWS_WITH_AS(nn::mse(a, b), "mse: the prediction has shape [2, 3], the target [3]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::l1(a, b), "l1: the prediction has shape [2, 3], the target [3]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::huber(a, b), "huber: the prediction has shape [2, 3], the target [3]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::huber(a, a, 0), "huber: delta must be positive, got 0", ValueError);
  CHECK_THROWS_WITH_AS(nn::smooth_l1(a, b), "smooth_l1: the prediction has shape [2, 3], the target [3]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::smooth_l1(a, a, -1), "smooth_l1: beta must be finite and not negative, got -1", ValueError);
  CHECK_THROWS_WITH_AS(nn::bce_with_logits(a, b), "bce_with_logits: the scores have shape [2, 3], the targets [3]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::kl_divergence(a, b), "kl_divergence: log_q has shape [2, 3], log_p [3]; expected the same, [..., V]",
                       ShapeError);
  CHECK_THROWS_WITH_AS(nn::nll(a, ids({0, 3})), "nll: target 3 is out of range; expected 0 … 2 or ignore_index -100", ValueError);
  CHECK_THROWS_WITH_AS(nn::nll(a, ids({-100, -100})), "nll: no target is counted; all equal ignore_index -100", ValueError);
  const auto refused = [&](const nn::CrossEntropyOptions& options, const char* message) {
    CHECK_THROWS_WITH_AS(nn::cross_entropy(a, ids({0, 1}), options), message, Error);
  };
  refused({.z_loss = kInfinity}, "cross_entropy: z_loss must be finite, got inf");
  refused({.label_smoothing = 1.5}, "cross_entropy: label_smoothing must be in [0, 1], got 1.5");
  refused({.class_weights = ones({2})}, "cross_entropy: logits [2, 3] need class_weights [3], got [2]");
  refused({.class_weights = tensor({1, -1, 1})}, "cross_entropy: class_weights must be finite and not negative, got -1");
  refused({.class_weights = tensor({0, 0, 1})}, "cross_entropy: the weights of the counted targets sum to 0");
  refused({.class_weights = ones({3}).set_requires_grad()}, "cross_entropy: class_weights get no gradient; use detach()");
}
