#include "examples/support/ch06/rotations.h"

#include <cmath>
#include <memory>

#include "core/core.h"
#include "core/edit_distance.h"
#include "nn/position/alibi.h"
#include "nn/position/rope.h"

namespace gradus::examples {
namespace {

using Turn = std::function<Tensor(const Tensor&, const Tensor&)>;

Turn right_turn(int64_t head_dim) {
  const auto rope = std::make_shared<nn::RoPE>(
      nn::PositionOptions{.d_model = head_dim, .heads = 1, .head_dim = head_dim, .max_length = 4096});
  return [rope](const Tensor& x, const Tensor& positions) { return rope->on_queries(x, positions); };
}

Tensor angles(const Tensor& positions, const Tensor& frequencies) { return outer(cast(positions, DType::f64), frequencies); }

// The position of a head is its number.
Tensor over_heads(const Turn& turn, const Tensor& x) { return transpose(turn(transpose(x, 1, 2), arange(x.size(2))), 1, 2); }

// Each frequency twice, as pairs (2k, 2k+1) need it, but the second half turned against the first.
Tensor mixed_layout(const Tensor& x, const Tensor& positions, const Tensor& frequencies) {
  const Tensor angle = angles(positions, frequencies);
  const Tensor twice = unsqueeze(flatten(stack({angle, angle}, -1), -2, -1), -2);  // [T, 1, d]: φ₀ φ₀ φ₁ φ₁ …
  const Tensors half = chunk(x, 2, -1);
  return x * cos(twice) + cat({-half[1], half[0]}, -1) * sin(twice);
}

Tensor one_indexed(const Tensor& x, const Tensor& positions, const Tensor& frequencies) {
  const Tensor angle = angles(positions, frequencies * frequencies[1].item());  // θ^(-2(k+1)/d)
  return nn::rope(x, cos(angle), sin(angle));
}

}  // namespace

Rotation right_rotation(int64_t head_dim) { return {"right", "", "", right_turn(head_dim), false, {}}; }

std::vector<Rotation> wrong_rotations(int64_t head_dim) {
  const Turn right = right_turn(head_dim);
  const Tensor frequencies = nn::rope_frequencies(head_dim, {}, 0);
  return {
      {"rope/values-too", "the values are turned like the keys", "lucidrains/x-transformers#182", right, true, {}},
      {"rope/head-axis",
       "turned by the number of the head, not by the position",
       "mlfoundations/open_lm#4",
       [right](const Tensor& x, const Tensor&) { return over_heads(right, x); },
       false,
       {}},
      {"rope/layout-mixed",
       "the angles of pairs, the rotation of halves",
       "how-to-train-your-gpt PR7",
       [frequencies](const Tensor& x, const Tensor& p) { return mixed_layout(x, p, frequencies); },
       false,
       {}},
      {"rope/one-indexed",
       "the pairs are counted from 1",
       "stanford-cs336/assignment1-basics#4",
       [frequencies](const Tensor& x, const Tensor& p) { return one_indexed(x, p, frequencies); },
       false,
       {}},
      {"rope/positions-ignored",
       "always turned as positions 0 … T−1",
       "stanford-cs336/assignment1-basics#28",
       [right](const Tensor& x, const Tensor&) { return right(x, arange(x.size(1))); },
       false,
       {}},
      {"alibi/slope-exponent", "m_h = 2^(−8h/H) with h from 0", "aprender PR2143", right, false,
       [](int64_t heads) {
         return pow(full({}, 2, DType::f64), cast(arange(heads), DType::f64) * (-8.0 / static_cast<double>(heads)));
       }},
  };
}

Rotation wrong_rotation(const std::string& id, int64_t head_dim) {
  std::vector<std::string> ids;
  for (const Rotation& rotation : wrong_rotations(head_dim)) {
    if (rotation.id == id) return rotation;
    ids.push_back(rotation.id);
  }
  throw ValueError(fmt::format("--bug: there is no '{}'; did you mean '{}'?", id, nearest(id, ids)));
}

}  // namespace gradus::examples
