// The experiments on activations, with the wrong thing in place of the right, and against numbers known from theory.
#include <cmath>

#include "core/core.h"
#include "examples/claims/activation_measures.h"
#include "examples/claims/all_claims.h"
#include "examples/claims/feed_forward_measures.h"
#include "examples/claims/sentence_measures.h"
#include "examples/claims/unit_measures.h"
#include "examples/shared/study/deep_gradient.h"
#include "nn/activation/activation_table.h"
#include "nn/activation/elu.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/softmax.h"
#include "nn/linear.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using doctest::Approx;
namespace act = gradus::nn::act;

namespace {

// By the claim's own rule, five seeds in one place.
template <typename Value> Verdict verdict_on(const std::string& id, const Value& value) {
  Condition place;
  for (std::uint64_t seed = 0; seed < 5; ++seed) place.values.push_back(value(seed));
  return judge(find_claim(id).rule, {place}).verdict;
}

Tensor naive_softmax(const Tensor& x) { return exp(x) / sum(exp(x), {-1}, true); }

}  // namespace

TEST_CASE("claim-stable-softmax: the experiment refutes eˣ / Σ eˣ, whose NaN counts as an error of 1") {
  for (const DType dtype : {DType::f16, DType::f32, DType::f64}) {
    const auto with = [&](const Softmax& softmax) {
      return verdict_on("stable-softmax", [&](std::uint64_t seed) { return softmax_error(softmax, dtype, 1000, seed); });
    };
    CHECK(with(act::softmax) == Verdict::confirmed);
    CHECK(with(naive_softmax) == Verdict::refuted);
  }
  CHECK(softmax_error(naive_softmax, DType::f32, 100, 0) == 0x1p24);
  CHECK(softmax_error(naive_softmax, DType::f64, 100, 0) < 16);  // e¹⁰⁰ is no trouble in f64
}

TEST_CASE("claim-sigmoid-saturates: the experiment refutes ReLU, and hands back the slope's own size") {
  const auto far_out = [](const nn::Activation& f) {
    return verdict_on("sigmoid-saturates", [&](std::uint64_t seed) { return gradient_left_far_out(f, seed); });
  };
  CHECK(far_out(act::sigmoid) == Verdict::confirmed);
  CHECK(far_out(act::relu) == Verdict::refuted);
  CHECK(gradient_left_far_out(act::identity, 1) == 1);
  CHECK(gradient_left_far_out(act::sigmoid, 1) < 6.6481e-3);  // σ'(5)
  CHECK(gradient_left_far_out(act::sigmoid, 1) > 4.5396e-5);  // σ'(10)
}

TEST_CASE("claim-sigmoid-saturates: through layers ReLU keeps what sigmoid loses; through none all is left") {
  CHECK(surviving(act::sigmoid, 1, 0, 1) == std::vector<double>{1});
  const std::vector<double> left = surviving(act::sigmoid, 1, 4, 1);
  CHECK(left.size() == 5);
  CHECK(left.back() < std::pow(0.25, 4) * 1.5);  // the matrices keep its length within a few percent
  CHECK(surviving(act::relu, std::sqrt(2.0), 4, 1).back() > 0.5);
}

TEST_CASE("claim-relu-units-die: at a rate of 0 none dies, at a high one some do, and a sigmoid never") {
  CHECK(share_that_died({act::relu, 1.41, 1, 0}, 1) == 0);
  CHECK(share_that_died({act::relu, 1.41, 1, 0.5}, 1) > 0.05);
  CHECK(share_that_died({act::sigmoid, 1.41, 1, 0.5}, 1) == 0);
}

TEST_CASE("claim-leaky-revives: a dead ReLU unit gets no gradient and stays dead; with a slope of 1 below 0 it learns") {
  const Revived relu = revived({act::relu, "adam", 30}, 1);
  CHECK(relu.gets_gradient == 0);
  CHECK(relu.wakes == 0);
  CHECK(revived({act::leaky_relu(1), "adam", 30}, 1).gets_gradient == 1);
}

TEST_CASE("claim-elu-mean-nearer-zero: the distance is |mean|, unit by unit") {
  const Digits digits = read_digits();
  const auto distance = [&](const nn::Activation& f, double input) {
    nn::Linear constant(64, 2);
    constant.weight.fill(0);
    constant.bias.set({0}, input);
    constant.bias.set({1}, -input);
    nn::Sequential net{std::move(constant), f, nn::Linear(2, 10)};
    return distance_of_means_from_zero(net, digits);
  };
  CHECK(distance(act::relu, 1) == Approx(0.5));
  CHECK(distance(act::elu(), 1) == Approx((1 + 1 - std::exp(-1.0)) / 2));  // not |1 − 0.632| / 2: units do not cancel
  CHECK(max(abs(mean(centred(digits).train.images, {0}))).item() < 1e-6);
}

TEST_CASE("claim-glu-keeps-a-linear-gradient-path: the value alone hands back gain^layers, or 1 scaled; tanh less, scaled more") {
  const Unit value = [](const Tensor&, const Tensor& b) { return b; };
  CHECK(surviving_units({value, 3, 2, false}, 1) == Approx(8).epsilon(0.1));  // the matrices keep lengths within a few percent
  CHECK(surviving_units({value, 3, 2, true}, 1) == Approx(1).epsilon(0.1));
  CHECK(decades_over_tanh(act::identity, 2, false, 1) > 0.1);
  CHECK(decades_over_tanh(act::identity, 2, true, 1) < 0);
}

TEST_CASE("erratum-1: the experiment refutes f(x) f(1 − x) and confirms f(x) (1 − f(x))") {
  const auto with = [](const std::function<Tensor(const Tensor&)>& slope) {
    return verdict_on("erratum-1", [&](std::uint64_t seed) { return error_of_slope(slope, seed); });
  };
  CHECK(with([](const Tensor& x) { return sigmoid(x) * sigmoid(1 - x); }) == Verdict::refuted);
  CHECK(with([](const Tensor& x) { return sigmoid(x) * (1 - sigmoid(x)); }) == Verdict::confirmed);
}

TEST_CASE("erratum-2: without a gradient decay leaves 0.99¹⁰⁰ of a parameter, a falling rate all of it") {
  CHECK(decay_against_schedule(false, 1) == Approx(1 - std::pow(0.99, 100)).epsilon(1e-12));
}

TEST_CASE("erratum-6: the experiment confirms queries of the decoder, keys and values of the encoder, and nothing else") {
  for (const From q : {From::decoder, From::encoder}) {
    for (const From k : {From::decoder, From::encoder}) {
      for (const From v : {From::decoder, From::encoder}) {
        const bool right = q == From::decoder && k == From::encoder && v == From::encoder;
        const Verdict verdict = verdict_on("erratum-6", [&](std::uint64_t seed) { return distance_of_cross_attention({q, k, v}, seed); });
        CHECK(verdict == (right ? Verdict::confirmed : Verdict::refuted));
      }
    }
  }
}

TEST_CASE("erratum-11: a unit below 0 on every image has no gradient with ReLU, and has one with leaky ReLU") {
  CHECK(share_without_gradient(act::relu, {.on_every_image = true}, 1) == 1);
  CHECK(share_without_gradient(act::leaky_relu(), {.on_every_image = true}, 1) == 0);
  CHECK(share_without_gradient(act::relu, {}, 1) < 0.5);
  CHECK(share_without_gradient(act::relu, {.on_every_image = true, .layer_after = true}, 1) < 0.5);
}
