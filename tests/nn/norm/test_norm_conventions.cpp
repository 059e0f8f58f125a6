// Conventions in which sources quietly differ: the exact difference of each.
#include "core/inspect/compare.h"
#include "nn/norm/batch_norm.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/layer_norm_variants.h"
#include "nn/norm/rms_norm.h"
#include "nn/norm/rms_norm_variants.h"
#include "tests/nn/norm/norm_test.h"

using namespace gradus;
using namespace gradus::test;

namespace {

Tensor deviation(const Tensor& x) { return stddev(x, -1, 0, true); }

}  // namespace

TEST_CASE("convention-eps-inside-root, erratum-19: the two differ by the factor √(σ² + ε) / (σ + ε)") {
  const Tensor x = draw({4, 6}, 3), sigma = deviation(x);
  const double eps = 1e-2;
  const Tensor inside = nn::layer_norm_std(x, {}, {}, eps, {.unbiased = false, .eps_outside = false});
  const Tensor outside = nn::layer_norm_std(x, {}, {}, eps, {.unbiased = false, .eps_outside = true});
  CHECK(difference(outside, inside * (sqrt(square(sigma) + eps) / (sigma + eps)), 1e-14) == "");
  CHECK(max_difference(outside, inside) > 1e-3);
}

TEST_CASE("convention-eps-value: another ε, another factor √((m + ε₁) / (m + ε₂)), m = mean(x²): at small x a large one") {
  const Tensor x = 1e-3 * draw({4, 6}, 3), m = mean(square(x), -1, true);
  const Tensor five = nn::rms_norm(x, {}, 1e-5), six = nn::rms_norm(x, {}, 1e-6);
  CHECK(difference(six, five * sqrt((m + 1e-5) / (m + 1e-6)), 1e-14) == "");
  CHECK(max(abs(six)).item() > 1.5 * max(abs(five)).item());
  CHECK(max_difference(nn::rms_norm(draw({4, 6}, 3), {}, 1e-5), nn::rms_norm(draw({4, 6}, 3), {}, 1e-6)) < 1e-4);
}

TEST_CASE("convention-unbiased-variance: the two differ by the factor √((n - 1) / n) as ε → 0") {
  for (const int64_t n : {2, 3, 10}) {
    const Tensor x = draw({4, n}, 3);
    const Tensor biased = nn::layer_norm_std(x, {}, {}, 0, {.unbiased = false}), unbiased = nn::layer_norm_std(x, {}, {}, 0);
    CHECK(difference(unbiased, biased * std::sqrt(static_cast<double>(n - 1) / static_cast<double>(n)), 1e-14) == "");
  }
}

TEST_CASE("convention-one-plus-gain: γ from 0 is γ from 1; only decay, which pulls γ to 0, tells them apart") {
  const TensorFunction one_plus = [](const Tensors& in) {
    nn::RMSNorm norm(6, {.one_plus_gain = true});
    norm.gain.share(in[1]);
    return norm(in[0]);
  };
  CHECK(norm_against_pytorch("rms_norm_one_plus", one_plus) == "");
  nn::RMSNorm norm(6, {.one_plus_gain = true});
  CHECK(equal(norm.gain, zeros({6})));
  const Tensor x = draw({4, 6}, 3), gain = draw({6}, 4), g = draw({4, 6}, 5);
  CHECK(equal(one_plus({x, gain}), nn::rms_norm(x, 1 + gain)));
  const Tensor own = gain.detached_copy().set_requires_grad(), shifted = (1 + gain).set_requires_grad();
  CHECK(equal(gradient(one_plus({x, own}), own, g), gradient(nn::rms_norm(x, shifted), shifted, g)));
}

TEST_CASE("convention-gain-before-cast: one rounding before, two after: they differ by up to a unit of f16") {
  const Tensor x = cast(draw({64, 32}, 3), DType::f16), gain = cast(draw({32}, 4), DType::f16);
  const Tensor exact = nn::rms_norm(cast(x, DType::f64), cast(gain, DType::f64));
  const auto error = [&](nn::GainOrder order) {
    const Tensor y = cast(nn::rms_norm_upcast(x, gain, 1e-5, order), DType::f64);
    return max(abs(y - exact) / abs(exact)).item();
  };
  const double before = error(nn::GainOrder::before_cast), after = error(nn::GainOrder::after_cast);
  CHECK(before <= 0x1p-11 * (1 + 1e-3));
  CHECK(after > 0x1p-11 * 1.1);
  CHECK(after <= 0x1p-10 * (1 + 1e-3));
}

TEST_CASE("convention-mean-or-l2, erratum-17: the two differ by the factor √n, and in ε by n") {
  const Tensor x = draw({4, 6}, 3);
  CHECK(difference(nn::rms_norm(x, {}, 0), std::sqrt(6.0) * nn::rms_norm_l2(x, {}, 0), 1e-14) == "");
  CHECK(difference(nn::rms_norm(x, {}, 0.1), std::sqrt(6.0) * nn::rms_norm_l2(x, {}, 0.6), 1e-14) == "");
}

TEST_CASE("convention-running-variance-unbiased: the collected variances differ by m σ² / (n - 1)") {
  const Tensor x = draw({5, 3}, 3);
  nn::BatchNorm1d unbiased(3), biased(3, {.running = {.unbiased_variance = false}});
  unbiased.to(DType::f64);
  biased.to(DType::f64);
  unbiased(x);
  biased(x);
  CHECK(difference(unbiased.running->variance - biased.running->variance, 0.1 * var(x, 0, 0) / 4, 1e-15) == "");
  CHECK(equal(unbiased.running->mean, biased.running->mean));
}

TEST_CASE("convention-batch-momentum-sense: a share m of the new is 1 - m of the old") {
  const Tensor x = draw({5, 3}, 3);
  const auto collected = [&](nn::RunningOptions options) {
    nn::BatchNorm1d norm(3, {.running = options});
    norm.to(DType::f64);
    norm(x);
    return norm.running->mean;
  };
  using enum nn::MomentumConvention;
  CHECK(difference(collected({.momentum = 0.1, .sense = of_new}), 0.1 * mean(x, 0), 1e-15) == "");
  CHECK(difference(collected({.momentum = 0.9, .sense = of_old}), 0.1 * mean(x, 0), 1e-15) == "");
  CHECK(difference(collected({.momentum = 0.9, .sense = of_new}), 0.9 * mean(x, 0), 1e-15) == "");
}

TEST_CASE("convention-layer-norm-axes-of-images: over (C, H, W) an image has mean 0, over C each of its pixels") {
  const Tensor x = cast(draw({2, 3, 4, 5}, 3), DType::f32);
  nn::LayerNorm image({3, 4, 5});
  nn::ChannelLayerNorm pixel(3);
  const Tensor by_image = image(x), by_pixel = pixel(x);
  CHECK(difference(mean(by_image, {1, 2, 3}), zeros({2}), 1e-6) == "");
  CHECK(difference(mean(by_pixel, 1), zeros({2, 4, 5}), 1e-6) == "");
  CHECK(max(abs(mean(by_image, 1))).item() > 0.5);
  CHECK(image.parameter_count() == 2 * 3 * 4 * 5);
  CHECK(pixel.parameter_count() == 2 * 3);
  const Tensor last = permute(nn::layer_norm(permute(x, {0, 2, 3, 1}), {3}), {0, 3, 1, 2});
  CHECK(equal(by_pixel, last));
}
