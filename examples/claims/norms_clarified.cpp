#include "examples/claims/norms_clarified.h"

#include "core/ops/ops.h"
#include "examples/shared/study/norms_measures.h"
#include "nn/activation/gelu.h"
#include "nn/activation/softmax.h"
#include "nn/norm/batch_norm.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/layer_norm_variants.h"
#include "nn/norm/rms_norm.h"
#include "nn/norm/rms_norm_variants.h"

namespace gradus::examples {
namespace {

constexpr int64_t kWidth = 64;

Tensor rows(Generator& generator) { return randn({16, kWidth}, DType::f64, generator); }

double share(const Tensor& mask) { return mean(cast(mask, DType::f64)).item(); }

// Of all that a step does to batch norm's mean, what it does before backward.
double statistics_before_backward(Generator& generator) {
  nn::BatchNorm1d norm(3);
  norm.parameters();
  const Tensor loss = sum(square(norm(randn({8, 3}, DType::f32, generator) + 5)));
  const double forward = max(abs(norm.running->mean)).item();
  loss.backward();
  return forward / max(abs(norm.running->mean)).item();
}

double finite_powers(DType dtype, Generator& generator) {
  return share(isfinite(exp(cast(uniform({64}, 100, 700, DType::f64, generator), dtype))));
}
double finite_in_f16(Generator& generator) { return finite_powers(DType::f16, generator); }
double finite_in_f32(Generator& generator) { return finite_powers(DType::f32, generator); }
double finite_in_f64(Generator& generator) { return finite_powers(DType::f64, generator); }

Tensor written_softmax(const Tensor& x) { return exp(x) / sum(exp(x), {-1}, true); }

double softmax_of_small_scores(Generator& generator) {
  const Tensor x = uniform({16, 8}, -5, 5, DType::f64, generator);
  return relative_difference(written_softmax(x), nn::softmax(x));
}
double softmax_of_large_scores(Generator& generator) {
  return share(logical_not(isfinite(written_softmax(uniform({16, 8}, 100, 200, DType::f32, generator)))));
}

double euclidean_norm(Generator& generator) {
  const Tensor x = rows(generator);
  return relative_difference(nn::rms_norm_l2(x), nn::rms_norm(x));
}
// γ is √n, ε is n times as large.
double euclidean_norm_with_its_gain(Generator& generator) {
  const Tensor x = rows(generator);
  const auto n = static_cast<double>(kWidth);
  return relative_difference(nn::rms_norm_l2(x, full({kWidth}, std::sqrt(n), DType::f64), 1e-5 * n), nn::rms_norm(x));
}

double gelu(Generator& generator) {
  const Tensor x = rows(generator);
  return relative_difference(nn::act::gelu_tanh(x), nn::act::gelu(x));
}

// Over rows whose deviation is near √ε.
double epsilon_in_the_root(Generator& generator) {
  constexpr double eps = 1e-5;
  const Tensor x = std::sqrt(eps) * rows(generator);
  return relative_difference(nn::layer_norm(x, {kWidth}, {}, {}, 0), nn::layer_norm(x, {kWidth}, {}, {}, eps));
}

double add_and_norm(Generator& generator) {
  const Tensor x = rows(generator);
  const auto norm = [](const Tensor& in) { return nn::layer_norm(in, {kWidth}); };
  return relative_difference(x + sin(norm(x)), norm(x + sin(x)));
}

}  // namespace

const std::vector<Clarification>& clarifications_of_norms() {
  static const std::vector<Clarification> all{
      {"backward updates batch norm's statistics", statistics_before_backward},
      {"e^100 and more are inf in f16", finite_in_f16},
      {"e^100 and more are inf in f32", finite_in_f32},
      {"e^100 and more are inf in f64", finite_in_f64},
      {"softmax is e^x / Σe^x, scores to 5", softmax_of_small_scores},
      {"softmax is e^x / Σe^x, scores from 100", softmax_of_large_scores},
      {"RMS norm is also x / √(‖x‖² + ε)·γ", euclidean_norm},
      {"RMS norm is also x / √(‖x‖² + ε)·γ, γ from √n", euclidean_norm_with_its_gain},
      {"F.gelu is the tanh formula", gelu},
      {"the root with ε in it is √Var(x)", epsilon_in_the_root},
      {"add & norm is x + f(norm(x))", add_and_norm},
  };
  return all;
}

}  // namespace gradus::examples
