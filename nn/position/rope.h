// RoPE: rotary position embedding (Su et al., 2021), and how it is scaled to longer contexts.
#pragma once

#include "core/autograd/fused.h"
#include "nn/position/position_encoding.h"

namespace gradus::nn {

// Which two numbers of a head are the pair k that turns together.
enum class RopeLayout {
  pairs,   // (2k, 2k+1), as in the paper
  halves,  // (k, k + width/2), as in the common checkpoints
};

// The permutations [width] (i64) between the layouts of a head, and of the rows of its query and key projections:
//   x_halves = index_select(x_pairs, -1, halves_from_pairs(width))
//   x_pairs = index_select(x_halves, -1, pairs_from_halves(width))
// ValueError for an odd width.
Tensor halves_from_pairs(int64_t width);
Tensor pairs_from_halves(int64_t width);

namespace formula {
Tensor rope(const Tensor& x, const Tensor& cosines, const Tensor& sines, RopeLayout layout = RopeLayout::pairs);

// The score qᵀ R_Δ k of vectors q and k of one head at the distance Δ, R_p turning each pair by p ω. It is ⟨R_m q, R_n k⟩ for all m
// and n with n - m = Δ: R_mᵀ turns back, so R_mᵀ R_n = R_(n-m).
Tensor rope_relative(const Tensor& q, const Tensor& k, double distance, double theta = 10000);
}  // namespace formula
namespace fast {  // rope_kernel.cpp
std::unique_ptr<FastPath> rope(RopeLayout layout);
}  // namespace fast

// Turns each pair (a, b) of every head by the angle φ of its position and frequency:
//   a' = a cos φ - b sin φ
//   b' = a sin φ + b cos φ
// x [B, T, H, d]; the cosines and sines of φ are [T, w/2] or [B, T, w/2], of x's dtype (DTypeError), with an even w <= d
// (ShapeError): the first w numbers of a head turn, the others stay. The gradient is turned back by φ.
Tensor rope(const Tensor& x, const Tensor& cosines, const Tensor& sines, RopeLayout layout = RopeLayout::pairs);

// How a model trained on short sequences is made to read sequences `factor` times as long.
enum class RopeScaling {
  none,
  interpolation,  // positions divided by the factor (Chen et al., 2023)
  ntk,            // a larger θ: fast pairs keep their speed, slow ones are interpolated (bloc97, 2023)
  bands,          // fast pairs keep it, slow ones are interpolated, with a ramp between (Grattafiori et al., 2024, code)
  yarn,           // as bands with another ramp, and sharper scores (Peng et al., 2024)
};

// What grows evenly along YaRN's ramp, from pairs of 32 turns within the trained length to those of one.
enum class YarnRamp {
  turns,        // the turns, as in the paper
  pairs,        // the number k of the pair, both ends rounded outwards, as in the authors' code and the common checkpoints
  exact_pairs,  // the same without rounding: `truncate: false` of such a checkpoint
};

struct RopeOptions {
  double theta = 10000;
  RopeLayout layout = RopeLayout::pairs;
  int64_t width = 0;  // how many numbers of a head turn, even; 0: all
  RopeScaling scaling = RopeScaling::none;
  double factor = 1;           // >= 1: how many times as long the context becomes
  int64_t trained_length = 0;  // of bands and yarn: the context in training; 0: max_length / factor
  // For bands, 0 <= low < high: pairs of fewer turns than `low` within the trained length are interpolated, of more than
  // `high` not.
  double low = 1, high = 4;
  YarnRamp ramp = YarnRamp::turns;  // of yarn; over pairs it needs theta > 1
};

// The frequencies ω_k of the pairs k = 0 … width/2 - 1, in radians per position, f64: θ^(-2k/width), scaled by
// options.scaling. ValueError for an odd width, for a trained length that is negative, and for options that RoPE refuses.
Tensor rope_frequencies(int64_t width, const RopeOptions& options, double trained_length);

// Turns pair k of each query and key at position p by the angle φ = p ω_k. Without scaling ω_k = θ^(-2k/width), with the width
// of the head, or of its part that turns.
class RoPE : public PositionEncoding {
 public:
  // ValueError for an odd width, one beyond the head's, and for any other option outside its range.
  explicit RoPE(const PositionOptions& options, const RopeOptions& rope = {});

  Tensor on_queries(const Tensor& q, const Tensor& positions) override { return turn(q, positions); }
  Tensor on_keys(const Tensor& k, const Tensor& positions) override { return turn(k, positions); }
  void members(Members& m) override;
  std::string describe() const override;

 private:
  Tensor turn(const Tensor& x, const Tensor& positions) const;  // ValueError for a place outside the tables

  RopeOptions rope_;
  Tensor cosines_, sines_;  // [max_length, width/2], f64 so that they are right in any dtype; rebuilt and never saved
};

}  // namespace gradus::nn
