#include "examples/support/ch04/wrong_norms.h"

#include "core/core.h"
#include "core/edit_distance.h"
#include "nn/norm/batch_norm.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/rms_norm.h"

namespace gradus::examples {
namespace {

Tensor layer(const Tensor& x, double eps) { return nn::layer_norm(x, {x.size(-1)}, {}, {}, eps); }
Tensor rms(const Tensor& x, double eps) { return nn::rms_norm(x, {}, eps); }

Tensor normalized(const Tensor& x, const Axes& axes, double eps) { return nn::formula::normalize(x, axes, eps); }

Tensor deviation_plus_eps(const Tensor& x, double eps) {
  return (x - mean(x, {-1}, true)) / (gradus::std(x, {-1}, 1, true) + eps);
}

Tensor cancelling(const Tensor& x, double eps) {
  const Tensor average = mean(x, {-1}, true);
  return (x - average) / sqrt(mean(square(x), {-1}, true) - square(average) + eps);
}

Tensor eps_outside(const Tensor& x, double eps) { return x / (sqrt(mean(square(x), {-1}, true)) + eps); }

}  // namespace

WrongNorm right_norm() { return {"right", "", "", layer, layer}; }

std::vector<WrongNorm> wrong_norms() {
  return {
      {"norm/sequence-axis", "mean and variance over the tokens", "attention-is-all-you-need-pytorch PR17",
       [](const Tensor& x, double eps) { return normalized(x, {-2}, eps); }, layer},
      {"norm/all-axes", "mean and variance over all but the batch", "geometric-algebra-transformer PR8",
       [](const Tensor& x, double eps) {
         return normalized(x, {-2, -1}, eps);
       },
       layer},
      {"norm/unbiased-std-eps-outside", "divided by std() + ε, with n − 1", "annotated-transformer#119, #122",
       deviation_plus_eps, layer},
      {"norm/cancellation", "the variance as E[x²] − E[x]²", "labml normalization/layer_norm", cancelling, layer},
      {"norm/eps-hard-coded", "ε is 1e-6, whatever is asked", "llama.cpp#2373, tvm PR15856",
       [](const Tensor& x, double) { return layer(x, 1e-6); }, layer},
      {"norm/eps-outside-root", "x / (rms + ε)", "TransformerEngine PR364, tilelang PR1243", eps_outside, rms},
      {"norm/running-var-biased", "the biased variance is collected for eval", "ARENA_3.0#415", layer, layer, true},
  };
}

WrongNorm wrong_norm(const std::string& id) {
  std::vector<std::string> ids;
  for (const WrongNorm& norm : wrong_norms()) {
    if (norm.id == id) return norm;
    ids.push_back(norm.id);
  }
  throw ValueError(fmt::format("--bug: there is no '{}'; did you mean '{}'?", id, nearest(id, ids)));
}

NormProbes probes_of(const WrongNorm& norm, std::uint64_t seed) {
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
  return {max(abs(slice(dx[0], 0, 1))).item(), wrong_by(1e-5), wrong_by(0.25), sum(cast(bad, DType::f64)).item(),
          mean(running).item()};
}

}  // namespace gradus::examples
