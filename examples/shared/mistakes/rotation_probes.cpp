#include "examples/shared/mistakes/rotation_probes.h"

#include <cmath>

#include "core/core.h"
#include "nn/attention/attention.h"
#include "nn/position/alibi.h"

namespace gradus::examples {
namespace {

constexpr int64_t kHeads = 2;

Tensor everywhere(const Tensor& x, int64_t length) { return expand(reshape(x, {1, 1, 1, -1}), {1, length, kHeads, x.numel()}); }

struct Heads {
  Tensor q, k, v;  // [1, T, H, d]
};

Tensor attend(const Rotation& rotation, const Heads& x, int64_t shift) {
  const Tensor positions = arange(shift, shift + x.q.size(1));
  return nn::attention(rotation.turn(x.q, positions), rotation.turn(x.k, positions),
                       rotation.turns_values ? rotation.turn(x.v, positions) : x.v, {.causal = true});
}

// The last query alone, with the keys of all that came before, as a cache holds them.
Tensor decode(const Rotation& rotation, const Heads& x) {
  const int64_t last = x.q.size(1) - 1;
  const Tensor q = rotation.turn(slice(x.q, 1, last), arange(last, last + 1));
  const Tensor positions = arange(last + 1);
  return nn::attention(q, rotation.turn(x.k, positions), rotation.turns_values ? rotation.turn(x.v, positions) : x.v, {.causal = true});
}

double change(const Tensor& a, const Tensor& b) { return max(abs(a - b)).item(); }

}  // namespace

Tensor rotated_scores(const Rotation& rotation, const Tensor& q, const Tensor& k, int64_t length, int64_t shift) {
  const Tensor positions = arange(shift, shift + length);
  const auto head = [&](const Tensor& x) { return select(rotation.turn(everywhere(x, length), positions)[0], 1, 0); };
  return matmul(head(q), head(k), {.transpose_b = true});
}

std::vector<Probe> probes_of(const Rotation& rotation, int64_t head_dim, std::uint64_t seed) {
  constexpr int64_t length = 24, shift = 17;
  Generator random(seed);
  const auto drawn = [&] { return randn({1, length, kHeads, head_dim}, DType::f64, random); };
  const Heads x{drawn(), drawn(), drawn()};
  const Tensor q = randn({head_dim}, DType::f64, random), k = randn({head_dim}, DType::f64, random);
  const Tensor all = attend(rotation, x, 0);
  const Tensor unit = one_hot(arange(1), head_dim, DType::f64);  // the first axis
  const Tensor turned = rotated_scores(rotation, unit, unit, 2);
  const DistanceLaw law = distance_law(rotated_scores(rotation, q, k, 100));
  return {{"spread", "spread of the scores of one distance", law.spread},
          {"range", "difference between distances", law.range},
          {"shifted", "change of the output, all positions 17 on", change(all, attend(rotation, x, shift))},
          {"first_angle", "fastest pair (rad a token)", std::acos(std::min(1.0, turned.at({0, 1})))},
          {"decoded", "last query alone, as in generation: change", change(slice(all, 1, length - 1), decode(rotation, x))},
          {"first_slope", "first ALiBi slope of 8 heads", (rotation.slopes ? rotation.slopes(8) : nn::alibi_slopes(8)).at({0})}};
}

}  // namespace gradus::examples
