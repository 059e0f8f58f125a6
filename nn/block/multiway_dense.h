// Multiway dynamic dense connections, MUDD: queries, keys, values and the residual stream each read their own sum over what all
// earlier blocks gave (Xiao et al., 2025).
#pragma once

#include "nn/block/placement.h"

namespace gradus::nn {

// Several sums, the ways, over the embedding X₀ and what the blocks gave, X₁ … X_l. Each token weighs them by its own X_l:
//   x_c = Σ_j A_cj X_j      A = a + gelu(rms_norm(X_l) W₁) W₂
// a starts at 0, …, 0, 1 for each way and W₂ at 0, so that at first each way reads X_l.
// convention-mudd-hidden: W₁ has as many columns as A has numbers, as in the paper; its code has more, see the book.
class DenseWays : public Module {
 public:
  DenseWays(int64_t d_model, int64_t ways, int64_t states);  // ValueError unless each is positive

  // X [..., states, d_model] to [..., ways, d_model]. ShapeError unless X has as many states.
  Tensor operator()(const Tensor& states);
  void members(Members& m) override;
  std::string describe() const override { return fmt::format("DenseWays({} ways, {} states)", bias.size(0), bias.size(1)); }

  Parameter bias;      // a [ways, states]
  Parameter down, up;  // W₁ [d_model, ways · states], from N(0, 1/d_model), and W₂ [ways · states, ways · states]
};

// Pre-norm whose attention reads three of these sums, each through a norm, and adds to the fourth. After block l:
//   q, k, v, r = DenseWays(X₀ … X_l)      x = r + attention(norm(q), norm(k), norm(v))      X_{l+1} = x + f(norm(x))
// The first block reads X₀ alone, and after the last one a single way makes the stack's result. The second stream is
// X [B, T, l + 1, d_model]. Cross-attention reads x, as f does.
class MultiwayDense : public Placement {
 public:
  explicit MultiwayDense(const PlacementOptions& options);  // ValueError unless the first sublayer is attention

  bool keeps_more() const override { return true; }
  bool reads_apart() const override { return true; }
  void members(Members& m) override;  // "norm1", …; above the first block "ways", "key_norm", "value_norm"; in the last "last_way"

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;

  std::optional<DenseWays> ways_, last_way_;
  LayerPtr key_norm_, value_norm_;  // null in the first block
};

}  // namespace gradus::nn
