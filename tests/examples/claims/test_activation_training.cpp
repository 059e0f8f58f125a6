// The experiments on networks that learn with one activation or another, where their answer is known.
#include <cmath>

#include "core/core.h"
#include "core/inspect/compare.h"
#include "examples/claims/activation_training.h"
#include "examples/claims/natural_gradient.h"
#include "examples/claims/unit_measures.h"
#include "nn/activation/elu.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"
#include "nn/loss/cross_entropy.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using doctest::Approx;
namespace act = gradus::nn::act;

namespace {

const nn::Activation far_from_zero{"far_from_zero", "tanh + 5", [](const Tensor& x) { return gradus::tanh(x) + 5; }};

double wrong(const DeepNet& shape, const Digits& points) {
  nn::Sequential net = trained(shape, points, 1);
  const NoGrad off;
  return 1 - nn::accuracy(net(flatten(points.held_out.images, 1)), points.held_out.labels);
}

}  // namespace

TEST_CASE("claim-relu-converges-fast-with-sgd: training stops when it is enough, and before its first step if it is so at once") {
  const Digits digits = read_digits();
  const DeepNet shape{act::relu, 1, 1};
  const Tensor images = flatten(digits.train.images, 1);
  nn::Sequential start = untrained(shape, 1), none = trained(shape, digits, 1, [](nn::Sequential&) { return true; });
  CHECK(equal(none(images), start(images)));
  int asked = 0;
  trained(shape, digits, 1, [&](nn::Sequential&) { return ++asked == 3; });
  CHECK(asked == 3);
}

TEST_CASE("claim-leaky-relu-nearly-linear: no straight line tells the classes of the hard tasks apart, tanh does") {
  for (const Digits& points : {two_spirals(1), checkerboard(1)}) {
    CHECK(mean(cast(points.train.labels, DType::f64)).item() == Approx(0.5).epsilon(0.1));
    CHECK(max(abs(points.train.images)).item() <= 8);
    CHECK(max(abs(slice(flatten(points.train.images, 1), 1, 2, 64))).item() == 0);
    CHECK(wrong({act::identity, 1, 2, 0.1, 500}, points) > 0.35);
    CHECK(wrong({act::tanh, 5.0 / 3, 2, 0.1, 1000}, points) < 0.25);
  }
}

TEST_CASE("claim-elu-nearer-the-natural-gradient: a system is solved; one that is not positive definite is refused") {
  const std::vector<double> x = solved({4, 2, 2, 3}, {8, 8});
  CHECK(x[0] == Approx(1));
  CHECK(x[1] == Approx(2));
  CHECK_THROWS_AS(solved({1, 2, 2, 1}, {1, 1}), ValueError);
}

TEST_CASE("claim-elu-nearer-the-natural-gradient: with much damping the two are one, and a mean far from 0 parts them") {
  const Digits digits = read_digits();
  const auto cosine = [&](const nn::Activation& f, double damping) {
    nn::Sequential net = untrained({f, 1, 1}, 1);
    return cosine_with_natural_gradient(net, digits, damping);
  };
  CHECK(cosine(act::tanh, 1e6) == Approx(1).epsilon(1e-6));
  CHECK(cosine(far_from_zero, 0.1) < cosine(act::tanh, 0.1));
}

TEST_CASE("claim-elu-varies-less: below 0 ReLU varies not at all, leaky ReLU a hundredth of a straight line") {
  const Digits digits = read_digits();
  nn::Sequential net = untrained({act::elu(), 1, 2}, 1);
  const auto deviation = [&](const nn::Activation& f) { return deviation_below_zero(net, f, digits); };
  CHECK(deviation(act::relu) == 0);
  CHECK(deviation(act::identity) > 0);
  CHECK(deviation(act::leaky_relu()) == Approx(0.01 * deviation(act::identity)).epsilon(1e-5));
}

TEST_CASE("claim-swish-bounds-regularise: few images are the first ones, and those held out stay") {
  const Digits all = read_digits(), few = with_few(all, 100);
  CHECK(few.train.labels.size(0) == 100);
  CHECK(equal(few.train.images, slice(all.train.images, 0, 0, 100)));
  CHECK(equal(few.held_out.images, all.held_out.images));
}

TEST_CASE("claim-larger-softmax-is-likelier: the surer half is right more often once the network has learned") {
  const std::vector<double> learned = surer_half({act::relu, std::sqrt(2), 1}, 1500, 1);
  CHECK(learned[0] > 0.1);
  CHECK(learned[1] < 1);
}

TEST_CASE("claim-uncentred-outputs-one-direction: on one image all weights behind a sigmoid move one way, behind tanh not") {
  const Digits digits = read_digits();
  const auto agreement = [&](const nn::Activation& f, int64_t images) {
    nn::Sequential net = untrained({f, 1, 2}, 1);
    return sign_agreement(net, digits, images);
  };
  CHECK(agreement(act::sigmoid, 1) == 1);
  CHECK(agreement(act::tanh, 1) < 0.7);
  CHECK(agreement(far_from_zero, 1500) > agreement(act::tanh, 1500));
}
