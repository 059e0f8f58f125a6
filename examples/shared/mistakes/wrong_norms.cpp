#include "examples/shared/mistakes/wrong_norms.h"

#include "core/core.h"
#include "nn/dropout.h"
#include "nn/norm/batch_norm.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/rms_norm.h"

namespace gradus::examples {
namespace {

Tensor layer(const Tensor& x, double eps) { return nn::layer_norm(x, {x.size(-1)}, {}, {}, eps); }
Tensor rms(const Tensor& x, double eps) { return nn::rms_norm(x, {}, eps); }

Tensor normalized(const Tensor& x, const Axes& axes, double eps) { return nn::formula::normalize(x, axes, eps); }

Tensor deviation_plus_eps(const Tensor& x, double eps) { return (x - mean(x, {-1}, true)) / (stddev(x, {-1}, 1, true) + eps); }

Tensor cancelling(const Tensor& x, double eps) {
  const Tensor average = mean(x, {-1}, true);
  return (x - average) / sqrt(mean(square(x), {-1}, true) - square(average) + eps);
}

Tensor eps_outside(const Tensor& x, double eps) { return x / (sqrt(mean(square(x), {-1}, true)) + eps); }

}  // namespace

WrongNorm right_norm() { return {{"right", "", "", ""}, layer, layer}; }

std::vector<WrongNorm> wrong_norms() {
  const RowsNorm over_tokens = [](const Tensor& x, double eps) { return normalized(x, {-2}, eps); };
  const RowsNorm over_all = [](const Tensor& x, double eps) { return normalized(x, {-2, -1}, eps); };
  const RowsNorm hard_coded = [](const Tensor& x, double) { return layer(x, 1e-6); };
  return {
      {{"norm/sequence-axis", "mean and variance over the tokens", "attention-is-all-you-need-pytorch PR17, tensorflow/addons PR2142",
        "other_tokens"},
       over_tokens,
       layer},
      {{"norm/all-axes", "mean and variance over all but the batch", "geometric-algebra-transformer PR8", "other_tokens"}, over_all, layer},
      {{"norm/unbiased-std-eps-outside", "divided by std() + ε, with n − 1", "annotated-transformer#119, #122", "values"},
       deviation_plus_eps,
       layer},
      {{"norm/cancellation", "the variance as E[x²] − E[x]²", "labml normalization/layer_norm, burn#5607", "nan_rows"}, cancelling, layer},
      {{"norm/eps-hard-coded", "ε is 1e-6, whatever is asked", "llama.cpp#2373, tvm PR15856", "large_eps"}, hard_coded, layer},
      {{"norm/eps-outside-root", "x / (rms + ε)", "TransformerEngine PR364, tilelang PR1243", "large_eps"}, eps_outside, rms},
      {{"norm/running-var-biased", "the biased variance is collected for eval", "ARENA_3.0#415", "running"}, layer, layer, true},
      {{"norm/dropout-one-over-p", "what dropout keeps is divided by p, not by 1 − p", "theanets PR123, LLMs-from-scratch#431", "dropout"},
       layer,
       layer,
       false,
       [](double p) { return 1 / p; }},
  };
}

std::vector<Probe> probes_of(const WrongNorm& norm, std::uint64_t seed) {
  Generator random(seed);
  const Tensor x = (randn({2, 5, 8}, DType::f64, random) + 0.5).set_requires_grad();
  Tensor first = zeros(x.shape(), DType::f64);  // a random sum of the first token's outputs
  for (int64_t c = 0; c < 8; ++c) first.set({0, 0, c}, 1 + static_cast<double>(c * c));
  const Tensor dx = grad({norm.apply(x, 1e-5)}, {x}, {.seeds = {first}})[0];
  const Tensor far = x.detach();
  const auto wrong_by = [&](double eps) { return max(abs(norm.apply(far, eps) - norm.right(far, eps))).item(); };

  const Tensor rows = cast(randn({1, 1000, 64}, DType::f64, random) * 0.1 + 1000, DType::f32);
  const Tensor bad = max(isnan(norm.apply(rows, 1e-5)), {-1});

  nn::BatchNorm1d batch(3, {.running = {.momentum = 1, .unbiased_variance = !norm.biased_running_variance}});
  const Tensor samples = randn({4, 3}, DType::f32, random);
  batch(samples);
  const Tensor running = batch.running->variance / var(samples, {0});

  constexpr double p = 0.1;
  const Tensor dropped = nn::dropout(ones({10000}), p);
  const double factor = norm.kept_by == nullptr ? 1 : norm.kept_by(p) * (1 - p);  // against nn::dropout's 1 / (1 − p)
  return {{"other_tokens", "greatest |dy/dx| of two tokens", max(abs(slice(dx[0], 0, 1))).item()},
          {"values", "difference from what was meant", wrong_by(1e-5)},
          {"large_eps", "difference from what was meant, ε = 0.25", wrong_by(0.25)},
          {"nan_rows", "NaN rows of 1000, mean 1000, σ 0.1", sum(cast(bad, DType::f64)).item()},
          {"running", "batch norm: variance collected, relative to the unbiased one", mean(running).item()},
          {"dropout", "dropout of ones, p = 0.1: the mean", mean(dropped).item() * factor}};
}

}  // namespace gradus::examples
