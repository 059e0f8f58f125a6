#include "examples/claims/sentence_measures.h"
#include "core/inspect/compare.h"

#include <cmath>

#include "core/core.h"
#include "nn/activation/softmax.h"
#include "nn/block/multi_head_attention.h"
#include "optim/schedule.h"
#include "optim/sgd.h"

namespace gradus::examples {
namespace {

double relative_distance(const Tensor& a, const Tensor& b, const Tensor& norm_of) {
  return std::sqrt(sum(square(a - b)).item() / sum(square(norm_of)).item());
}

constexpr int kDecaySteps = 100;

Tensor after_steps(const Tensor& start, const Tensor& target, double weight_decay, optim::Schedule rate) {
  const Tensor theta = start.detached_copy().set_requires_grad();
  optim::SGD sgd({{{{"theta", theta}}, weight_decay}});
  for (int t = 0; t < kDecaySteps; ++t) {
    theta.set_grad(target.defined() ? theta.detach() - target : zeros_like(theta));
    sgd.step(rate({.max_lr = 0.1, .min_lr = 0, .warmup = 0, .total = kDecaySteps}, t));
  }
  return theta.detach();
}

}  // namespace

double error_of_slope(const std::function<Tensor(const Tensor& x)>& slope, std::uint64_t seed) {
  Generator random(seed);
  const Tensor x = uniform({64}, -8, 8, DType::f64, random).set_requires_grad();
  const Tensor by_tape = grad({sum(sigmoid(x))}, {x})[0];
  return max_difference(slope(x.detach()), by_tape);
}

double decay_against_schedule(bool towards_a_target, std::uint64_t seed) {
  Generator random(seed);
  const Tensor start = randn({64}, DType::f64, random);
  const Tensor target = towards_a_target ? randn({64}, DType::f64, random) : Tensor();
  return relative_distance(after_steps(start, target, 0.1, optim::constant_schedule), after_steps(start, target, 0, optim::cosine_schedule),
                           start);
}

double distance_of_cross_attention(const AttentionSources& sources, std::uint64_t seed) {
  constexpr int64_t d = 16, positions = 6;
  manual_seed(seed);
  nn::MultiHeadAttention layer({.d_model = d, .heads = 1});
  const Tensor decoder = randn({1, positions, d}), encoder = randn({1, positions, d});
  const auto of = [&](From from) { return from == From::decoder ? decoder : encoder; };
  const Tensor q = layer.q_proj(of(sources.queries)), k = layer.k_proj(of(sources.keys)), v = layer.v_proj(of(sources.values));
  const Tensor scores = matmul(q, k, {.transpose_b = true}) / std::sqrt(static_cast<double>(d));
  const Tensor y = layer(decoder, {.memory = encoder});
  return relative_distance(y, layer.out_proj(matmul(nn::softmax(scores), v)), y);
}

}  // namespace gradus::examples
