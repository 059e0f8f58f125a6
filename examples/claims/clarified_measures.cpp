#include "examples/claims/clarified_measures.h"

#include <cmath>

#include "core/core.h"
#include "examples/shared/study/norms_measures.h"
#include "nn/activation/gelu.h"
#include "nn/activation/softmax.h"
#include "nn/norm/batch_norm.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/rms_norm.h"
#include "nn/norm/rms_norm_variants.h"
#include "optim/sgd.h"

namespace gradus::examples {
namespace {

constexpr int64_t kWidth = 64;

Tensor rows(int64_t width, std::uint64_t seed) {
  Generator generator(seed);
  return randn({16, width}, DType::f64, generator);
}

double distance(const Tensor& a, const Tensor& b) { return std::sqrt(sum(square(a - b)).item()); }

}  // namespace

double finite_powers(DType dtype, std::uint64_t seed) {
  Generator generator(seed);
  const Tensor x = uniform({64}, 100, 700, DType::f64, generator);
  return mean(cast(isfinite(exp(cast(x, dtype))), DType::f64)).item();
}

double moved_before_backward(Moving what, std::uint64_t seed) {
  Generator generator(seed);
  const Tensor x = randn({8, 3}, DType::f32, generator) + 5, target = randn({8, 3}, DType::f32, generator);
  nn::BatchNorm1d norm(3);
  optim::SGD sgd(norm.named_parameters(), {.lr = 0.1});
  const auto values = [&] {
    switch (what) {
      case Moving::running_mean: return norm.running->mean.detached_copy();
      case Moving::running_variance: return norm.running->variance.detached_copy();
      case Moving::gain: return norm.gain.detached_copy();
      default: return norm.bias.detached_copy();
    }
  };
  const Tensor before = values();
  const Tensor loss = mean(square(norm(x) - target));
  const Tensor after_forward = values();
  loss.backward();
  sgd.step();
  return distance(after_forward, before) / distance(values(), before);
}

double written_softmax_off(double least, double greatest, DType dtype, std::uint64_t seed) {
  Generator generator(seed);
  const Tensor x = uniform({16, 8}, least, greatest, dtype, generator);
  const Tensor written = exp(x) / sum(exp(x), {-1}, true);
  return min(isfinite(written)).item() == 0 ? 1 : relative_difference(written, nn::softmax(x));
}

double euclidean_norm_off(EuclideanGain gain, int64_t n, std::uint64_t seed) {
  const Tensor x = rows(n, seed);
  const auto numbers = static_cast<double>(n);
  const bool root = gain == EuclideanGain::root_n;
  const Tensor euclidean = nn::rms_norm_l2(x, full({n}, root ? std::sqrt(numbers) : 1, DType::f64), root ? numbers * kEpsilon : kEpsilon);
  return relative_difference(euclidean, nn::rms_norm(x, {}, kEpsilon));
}

double tanh_formula_off(std::uint64_t seed) {
  const Tensor x = rows(kWidth, seed);
  return relative_difference(nn::act::gelu_tanh(x), nn::act::gelu(x));
}

double root_without_epsilon_off(double variance, std::uint64_t seed) {
  const Tensor x = std::sqrt(variance) * rows(kWidth, seed);
  return relative_difference(nn::layer_norm(x, {kWidth}, {}, {}, 0), nn::layer_norm(x, {kWidth}, {}, {}, kEpsilon));
}

double pre_norm_off_add_and_norm(std::uint64_t seed) {
  const Tensor x = rows(kWidth, seed);
  const auto norm = [](const Tensor& in) { return nn::layer_norm(in, {kWidth}); };
  return relative_difference(x + sin(norm(x)), norm(x + sin(x)));
}

}  // namespace gradus::examples
