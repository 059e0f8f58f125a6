#include "nn/model/sampling.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/tape/grad_mode.h"
#include "nn/activation/softmax.h"
#include "nn/check_inputs.h"

namespace gradus::nn {
namespace {

// All ids, that of the largest score first.
std::vector<std::size_t> from_largest(const std::vector<double>& scores) {
  std::vector<std::size_t> ids(scores.size());
  std::iota(ids.begin(), ids.end(), std::size_t{0});
  std::stable_sort(ids.begin(), ids.end(), [&](auto a, auto b) { return scores[a] > scores[b]; });
  return ids;
}

// How many of the likeliest ids a sum of `top_p` needs.
std::size_t nucleus(const std::vector<double>& probability, const std::vector<std::size_t>& ids, double top_p) {
  const double total = std::accumulate(ids.begin(), ids.end(), 0.0, [&](double sum, std::size_t id) { return sum + probability[id]; });
  double reached = 0;
  std::size_t count = 0;
  while (count < ids.size() && reached < top_p * total) reached += probability[ids[count++]];
  return std::max<std::size_t>(count, 1);
}

}  // namespace

constexpr double kColdest = 1e-30, kHottest = 1e30;  // scores divided by less would overflow

void check_options(const SampleOptions& o) {
  check<ValueError>(o.temperature >= kColdest && o.temperature <= kHottest, "sample: the temperature must be in [{}, {}], got {}", kColdest,
                    kHottest, o.temperature);
  check<ValueError>(o.count >= 0, "sample: count must not be negative, got {}", o.count);
  check<ValueError>(o.top_k >= 0, "sample: top_k must not be negative, got {}", o.top_k);
  check<ValueError>(o.top_p > 0 && o.top_p <= 1, "sample: top_p must be in (0, 1], got {}", o.top_p);
  check<ValueError>(o.limit >= 0, "sample: limit must not be negative, got {}", o.limit);
}

int64_t draw(const Tensor& scores, const SampleOptions& options, Generator& generator) {
  check_options(options);
  check_inputs({{"scores", scores}});
  check<ShapeError>(scores.rank() == 1 && scores.size(0) > 0, "draw: expected scores [vocabulary], got {}", scores.shape());
  const NoGrad off;
  const int64_t choices = options.limit > 0 ? std::min(options.limit, scores.size(0)) : scores.size(0);
  const Tensor wide = slice(cast(scores, scores.dtype() == DType::f16 ? DType::f32 : scores.dtype()), 0, 0, choices);
  const double temperature = options.greedy ? 1 : options.temperature;
  std::vector<double> probability = to_vector(softmax(wide / temperature));
  const double total = std::accumulate(probability.begin(), probability.end(), 0.0);
  check<ValueError>(std::isfinite(total) && total > 0,
                    "draw: softmax(scores / {}) is not a distribution; do the scores contain NaN or inf?", temperature);
  if (options.greedy) return static_cast<int64_t>(argmax(wide).item());
  if (options.top_k > 0 || options.top_p < 1) {
    std::vector<std::size_t> ids = from_largest(to_vector(wide));  // not of probabilities: a high temperature makes them equal
    const auto kept = [&](std::size_t count) { ids.resize(std::min(count, ids.size())); };
    if (options.top_k > 0) kept(static_cast<std::size_t>(options.top_k));
    if (options.top_p < 1) kept(nucleus(probability, ids, options.top_p));
    std::vector<double> cut(probability.size());
    for (std::size_t id : ids) cut[id] = probability[id];
    probability = std::move(cut);
  }
  double left = generator.uniform() * std::accumulate(probability.begin(), probability.end(), 0.0);
  std::size_t last = 0;  // the one to take when rounding leaves a rest
  for (std::size_t id = 0; id < probability.size(); ++id) {
    if (probability[id] == 0) continue;
    last = id;
    left -= probability[id];
    if (left < 0) break;
  }
  return static_cast<int64_t>(last);
}

}  // namespace gradus::nn
