#include "examples/shared/mistakes/rotations.h"

#include <cmath>
#include <memory>

#include "core/core.h"
#include "nn/position/alibi.h"
#include "nn/position/rope.h"

namespace gradus::examples {
namespace {

using Turn = std::function<Tensor(const Tensor&, const Tensor&)>;

Turn right_turn(int64_t head_dim, const nn::RopeOptions& options) {
  const auto rope =
      std::make_shared<nn::RoPE>(nn::PositionOptions{.d_model = head_dim, .heads = 1, .head_dim = head_dim, .max_length = 4096}, options);
  return [rope](const Tensor& x, const Tensor& positions) { return rope->on_queries(x, positions); };
}

Tensor angles(const Tensor& positions, const Tensor& frequencies) { return unsqueeze(cast(positions, DType::f64), -1) * frequencies; }

// The position of a head is its number.
Tensor over_heads(const Turn& turn, const Tensor& x) { return transpose(turn(transpose(x, 1, 2), arange(x.size(2))), 1, 2); }

// Each frequency twice, as pairs (2k, 2k+1) need it, but the second half turned against the first.
Tensor mixed_layout(const Tensor& x, const Tensor& positions, const Tensor& frequencies) {
  const Tensor angle = angles(positions, frequencies);
  const Tensor twice = unsqueeze(flatten(stack({angle, angle}, -1), -2, -1), -2);  // [T, 1, d]: φ₀ φ₀ φ₁ φ₁ …
  const Tensors half = chunk(x, 2, -1);
  return x * cos(twice) + cat({-half[1], half[0]}, -1) * sin(twice);
}

Tensor one_indexed(const Tensor& x, const Tensor& positions, const Tensor& frequencies, nn::RopeLayout layout) {
  const Tensor angle = angles(positions, frequencies * frequencies[1].item());  // θ^(-2(k+1)/d)
  return nn::rope(x, cos(angle), sin(angle), layout);
}

// For 8 heads 2⁻⁰ … 2⁻⁷, not 2⁻¹ … 2⁻⁸.
Tensor slopes_from_zero(int64_t heads) {
  return pow(full({}, 2, DType::f64), cast(arange(heads), DType::f64) * (-8.0 / static_cast<double>(heads)));
}

}  // namespace

Rotation right_rotation(int64_t head_dim, const nn::RopeOptions& options) { return {{"right", "", "", ""}, right_turn(head_dim, options)}; }

std::vector<Rotation> wrong_rotations(int64_t head_dim, const nn::RopeOptions& options) {
  const Turn right = right_turn(head_dim, options);
  const Tensor frequencies = nn::rope_frequencies(head_dim, options, 0);
  const Turn by_head = [right](const Tensor& x, const Tensor&) { return over_heads(right, x); };
  const Turn mixed = [frequencies](const Tensor& x, const Tensor& p) { return mixed_layout(x, p, frequencies); };
  const Turn from_one = [frequencies, layout = options.layout](const Tensor& x, const Tensor& p) {
    return one_indexed(x, p, frequencies, layout);
  };
  const Turn from_zero = [right](const Tensor& x, const Tensor&) { return right(x, arange(x.size(1))); };
  return {
      {{"rope/values-too", "the values are turned like the keys", "lucidrains/x-transformers#182", "shifted"}, right, true},
      {{"rope/head-axis", "turned by the number of the head, not by the position", "mlfoundations/open_lm#4", "range"}, by_head},
      {{"rope/layout-mixed", "the angles of pairs, the rotation of halves", "how-to-train-your-gpt PR7", "spread"}, mixed},
      {{"rope/one-indexed", "the pairs are counted from 1", "in a hand-out: stanford-cs336/assignment1-basics#4", "first_angle"}, from_one},
      {{"rope/positions-ignored", "always turned as positions 0 … T−1",
        "executorch PR2010; passes the test of stanford-cs336/assignment1-basics#28", "decoded"},
       from_zero},
      {{"alibi/slope-exponent", "m_h = 2^(−8h/H) with h from 0", "aprender PR2143", "first_slope"}, right, false, slopes_from_zero},
  };
}

}  // namespace gradus::examples
