#include "examples/ch13_ranks/wrong_steps.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

#include "optim/distributed/parallel_ops.h"
#include "optim/distributed/threads.h"
#include "optim/optim.h"

namespace gradus::examples {
namespace {

using namespace distributed;
using Numbers = std::vector<double>;

// --- the pieces, right and wrong ---------------------------------------------------------------------------------------

// #region dist-mean
Tensor over_all(Link& link, const Tensor& losses, double own) { return sum(losses) / sum_over(link, own); }
void sum_all(Link& link, Tensors& gradients) {
  for (Tensor& one : gradients) all_reduce(link, one);
}
// #endregion dist-mean
Tensor over_own(Link& link, const Tensor& losses, double own) { return sum(losses) / own / link.ranks(); }  // a mean of means
Tensor own_mean(Link&, const Tensor& losses, double own) { return sum(losses) / own; }

void sum_and_divide(Link& link, Tensors& gradients) {
  sum_all(link, gradients);
  for (Tensor& one : gradients) one = one / static_cast<double>(link.ranks());
}
void nothing(Link&, Tensors&) {}
void clip_all(const Tensors& w, double most) { optim::clip_grad_norm(w, most); }
void clip_shards(const Tensors& w, double most) {  // each tensor is the shard of one rank
  for (const Tensor& shard : w) optim::clip_grad_norm({shard}, most);
}
void as_they_are_ready(Link& link, Tensors& gradients) {  // on rank 1 in another order
  if (link.rank() == 1) std::reverse(gradients.begin(), gradients.end());
  sum_all(link, gradients);
  if (link.rank() == 1) std::reverse(gradients.begin(), gradients.end());
}

std::vector<int> dealt_out(int rank, int ranks, int count) {
  std::vector<int> own;
  for (int i = rank; i < count; i += ranks) own.push_back(i);
  return own;
}
std::vector<int> alike(int, int ranks, int count) { return dealt_out(0, ranks, count); }

float by_tree(std::span<const float> x, std::span<const int> order) {
  if (x.size() == 1) return x[0];
  return by_tree(x.first(x.size() / 2), order) + by_tree(x.subspan(x.size() / 2), order);
}
float as_they_come(std::span<const float> x, std::span<const int> order) {
  float sum = 0;
  for (const int rank : order) sum += x[static_cast<std::size_t>(rank)];
  return sum;
}

// --- the step ----------------------------------------------------------------------------------------------------------

constexpr std::int64_t kSamples = 8;

// All ranks' gradients of mean (x_i · a + z_i · b - 1)² over 8 samples, of which rank r has parts[r], in two micro-batches.
std::vector<Numbers> gradients_of(const RankStep& step, const std::vector<std::int64_t>& parts, bool clip = false) {
  std::vector<Numbers> all(parts.size());
  run_threads(static_cast<int>(parts.size()), [&](Link& link) {
    Generator random(7);
    const Tensor x = randn({kSamples, 4}, DType::f64, random), z = randn({kSamples, 4}, DType::f64, random);
    Tensors w = {zeros({4}, DType::f64).set_requires_grad(), zeros({4}, DType::f64).set_requires_grad()};
    const auto rank = static_cast<std::size_t>(link.rank());
    const std::int64_t own = parts[rank], half = own / 2;
    const std::int64_t begin = std::accumulate(parts.begin(), parts.begin() + link.rank(), std::int64_t{0});
    const auto reduce = [&](void (*how)(Link&, Tensors&)) {
      Tensors gradients = {w[0].grad().detached_copy(), w[1].grad().detached_copy()};
      how(link, gradients);
      for (std::size_t i = 0; i < w.size(); ++i) w[i].set_grad(gradients[i]);
    };
    for (const std::int64_t from : {begin, begin + half}) {
      const auto some = [&](const Tensor& t) { return slice(t, 0, from, from + half); };
      const Tensor losses = square(sum(some(x) * w[0] + some(z) * w[1], -1) - 1);
      step.loss(link, losses, static_cast<double>(own)).backward();
      if ((from == begin) == step.early) reduce(step.reduce);
    }
    if (clip) step.clip(w, 0.5);
    for (const Tensor& one : w) {
      for (const double number : to_vector(one.grad())) all[rank].push_back(number);
    }
  });
  return all;
}

// The table is read by the first stage and scores in the last: each has one part of its gradient.
double tied_gradient(const RankStep& step) {
  double result = 0;
  run_threads(2, [&](Link& link) {
    Tensors part = {full({1}, link.rank() == 0 ? 0.25 : 0.75, DType::f64)};
    for (int i = 0; i < step.times_tied; ++i) sum_all(link, part);
    if (link.rank() == 0) result = part[0].item();
  });
  return result;
}

double dot(const Numbers& x, const Numbers& y) { return std::inner_product(x.begin(), x.end(), y.begin(), 0.0); }
double norm(const Numbers& x) { return std::sqrt(dot(x, x)); }
Numbers minus(Numbers x, const Numbers& y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= y[i];
  return x;
}
double degrees_between(const Numbers& x, const Numbers& y) {
  return 180 / std::numbers::pi * std::acos(std::min(1.0, dot(x, y) / norm(x) / norm(y)));
}

double percent_that_repeat_otherwise(const RankStep& step) {
  constexpr std::size_t count = 10000;
  const std::vector<int> one_order{0, 1, 2, 3}, another{2, 0, 3, 1};
  Generator random(5);
  const Tensor all = randn({count, 4}, DType::f32, random);
  int other = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::span<const float> x(all.data<float>() + 4 * i, 4);
    other += step.sum(x, one_order) != step.sum(x, another) ? 1 : 0;
  }
  return 100.0 * other / static_cast<double>(count);
}

}  // namespace

RankStep right_rank_step() { return {{"right", "", "", ""}, dealt_out, over_all, sum_all, clip_all, by_tree}; }

std::vector<RankStep> wrong_rank_steps() {
  std::vector<RankStep> all;
  const auto add = [&](const Published& published) -> RankStep& {
    all.push_back(right_rank_step());
    static_cast<Published&>(all.back()) = published;
    return all.back();
  };
  add({"dist/divided-twice", "the loss is divided by all samples, and the sum by the ranks once more",
       "verl-SpeCo PR29, lightly#1977, fairseq#494", "length"})
      .reduce = sum_and_divide;
  add({"dist/sum-for-mean", "each rank differentiates its mean, and the ranks' gradients are summed, not averaged", "pytorch#162338",
       "length"})
      .loss = own_mean;
  add({"dist/early-reduce", "gradients are summed after the first micro-batch, and not after the last", "FunASR PR3472, build-nanogpt PR30",
       "apart"})
      .early = true;
  add({"dist/mean-of-means", "each rank divides by its own samples, however many it has",
       "torchtitan PR2206, fairchem PR269, prime-rl PR1960", "unequal"})
      .loss = over_own;
  add({"dist/wrapper-bypassed", "the module inside the wrapper is called, and nothing is sent", "OpenTSLM PR49", "apart"}).reduce = nothing;
  add({"dist/order-of-arrival", "rank 1 sums its tensors in the order in which they are ready", "DeepSpeed#2343, horovod PR1696", "apart"})
      .reduce = as_they_are_ready;
  add({"dist/local-clip", "each rank clips its shard of the gradient by that shard’s norm", "AReaL#312, SpecForge PR663", "direction"})
      .clip = clip_shards;
  add({"dist/samplers-alike", "all ranks draw the same samples", "LongLive#71, accelerate#114, pytorch#31771", "samples"}).samples = alike;
  add({"dist/sum-as-they-come", "messages are added as they arrive", "kharma#119", "repeat"}).sum = as_they_come;
  add({"dist/tied-twice", "a tied table’s gradient is summed over the stages twice", "pytorch#180952, Paddle PR30437", "tied"}).times_tied =
      2;
  return all;
}

std::vector<Probe> probes_of(const RankStep& step) {
  const RankStep right = right_rank_step();
  const Numbers one = gradients_of(right, {kSamples})[0], clipped = gradients_of(right, {kSamples}, true)[0];
  const std::vector<Numbers> equal = gradients_of(step, {4, 4});
  const Numbers apart = minus(equal[0], equal[1]), unequal = minus(gradients_of(step, {6, 2})[0], one);
  std::set<int> seen;
  for (int rank = 0; rank < 2; ++rank) {
    for (const int i : step.samples(rank, 2, kSamples)) seen.insert(i);
  }
  return {{"length", "the gradient’s length, relative to that on one rank", norm(equal[0]) / norm(one)},
          {"unequal", "relative distance from the gradient on one rank, ranks with 6 and 2 samples", norm(unequal) / norm(one)},
          {"apart", "how far the gradients of two ranks are apart", norm(apart)},
          {"direction", "degrees between the clipped gradient and that on one rank",
           degrees_between(gradients_of(step, {6, 2}, true)[0], clipped)},
          {"samples", "different samples in an epoch of 8", static_cast<double>(seen.size())},
          {"repeat", "% of sums with other bits if messages arrive in another order", percent_that_repeat_otherwise(step)},
          {"tied", "a tied table’s gradient, relative to that on one rank", tied_gradient(step)}};
}

}  // namespace gradus::examples
