// Placements that differ in where their norms stand. The formula of each says what a sublayer f makes of the stream x. Except with
// PostNorm, a final norm follows the stack.
#pragma once

#include "nn/block/placement.h"

namespace gradus::nn {

// x ← x + f(norm(x)). The residual stream itself is never normalised (Xiong et al., 2020).
class PreNorm : public Placement {
 public:
  explicit PreNorm(const PlacementOptions& options) : Placement(options, 1) {}

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;
};

// x ← norm(x + f(x)), the paper's add & norm (Vaswani et al., 2017). Each norm divides the stream, too: if f(x) is as large
// as x, by √2, so that after l sublayers 2^(-l/2) of the first stream is left.
class PostNorm : public Placement {
 public:
  explicit PostNorm(const PlacementOptions& options) : Placement(options, 1) {}
  bool needs_final_norm() const override { return false; }

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;
};

// x ← x + norm(f(norm(x))) (Ding et al., 2021). Each addend has the norm's scale, so the stream grows no faster than its depth.
// Peri-LN (Kim et al., 2025) is the same by another name, as are the blocks of Gemma 2 and 3; a norm of the embedding, which that
// paper leaves open, neither they nor this have.
class SandwichNorm : public Placement {
 public:
  explicit SandwichNorm(const PlacementOptions& options) : Placement(options, 2) {}
  bool normalizes_results() const override { return true; }

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;
};

// x ← x + norm(f(x)): SandwichNorm without its inner norm (Liu et al., 2021; OLMo 2, 2024).
class OutputNorm : public Placement {
 public:
  explicit OutputNorm(const PlacementOptions& options) : Placement(options, 1) {}
  bool normalizes_results() const override { return true; }

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;
};

// Attention f between two feed-forward layers g and g′ (Lu et al., 2019; Gulati et al., 2020):
//   x ← x + ½ g(norm(x))      x ← x + f(norm(x))      x ← x + ½ g′(norm(x))
// g is added before the model's sublayers.
class Macaron : public Placement {
 public:
  explicit Macaron(const PlacementOptions& options);

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;
};

// x ← x + f(n) + g(n) with n = norm(x): attention f and the feed-forward layer g side by side (Wang and Komatsuzaki, 2021;
// Chowdhery et al., 2022).
class Parallel : public Placement {
 public:
  explicit Parallel(const PlacementOptions& options) : Placement(options), norm_(options.new_norm()) {}
  void members(Members& m) override { m.child("norm1", *norm_); }

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;

  LayerPtr norm_;
};

// Pre-norm with a norm after attention, one inside the feed-forward layer, and a gain for each head (Shleifer, Weston and
// Ott, 2021); f is attention, g the feed-forward layer:
//   x ← x + norm(f(norm(x)))      x ← x + g(norm(x))
// A learnable gain scales each head's result before the output projection; g normalises its hidden values.
class NormFormer : public Placement {
 public:
  explicit NormFormer(const PlacementOptions& options);
  bool normalizes_results() const override { return true; }
  SublayerExtras extras() const override { return {.head_gain = true, .inner_norm = true}; }
  void members(Members& m) override;

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;

  std::vector<LayerPtr> output_norms_;  // null at a feed-forward layer
};

// x ← norm(α x + f(norm(x))), α the number of sublayers of the stack: a highway past every outer norm (Keel: Chen and Wei, 2026).
// Each outer norm divides what comes from below by √(1 + 1/α²) and no more, so that of its gradient nothing vanishes with depth.
class HighwayNorm : public Placement {
 public:
  explicit HighwayNorm(const PlacementOptions& options) : Placement(options, 2) {}
  bool needs_final_norm() const override { return false; }
  bool relies_on_rescaling() const override { return true; }

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;
};

// Post-norm in the first quarter of the blocks, rounded up, and pre-norm above (Mix-LN: Li, Yin and Liu, 2024), whose authors
// round down: a stack of fewer than four blocks would have no post-norm.
class MixNorm : public Placement {
 public:
  explicit MixNorm(const PlacementOptions& options) : Placement(options, 1), post_(4 * stack().index < stack().layers) {}
  std::string describe() const override { return post_ ? "MixNorm(post)" : "MixNorm(pre)"; }

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;

  bool post_;
};

// x ← x + f(norm(x) / √l) in block l = 1, 2, … (LayerNorm scaling: Sun et al., 2025): what deep blocks add grows no louder with depth.
class DepthScaledNorm : public Placement {
 public:
  explicit DepthScaledNorm(const PlacementOptions& options) : Placement(options, 1) {}

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;
};

// Attention whose queries, keys and values are normalised over each head, and no norm before it; then one norm that both the
// feed-forward layer g and the stream are given (HybridNorm: Zhuo et al., 2025):
//   x ← x + f(x)      n = norm(x)      x ← n + g(n)
// HybridNorm* has pre-norm in the first block, beside the norms of q, k and v. Cross-attention is as attention.
// convention-hybrid-post: the authors call this post-norm; with norm(x + g(x)) the next block would be given a normalised stream.
class HybridNorm : public Placement {
 public:
  explicit HybridNorm(const PlacementOptions& options, bool first_is_pre = false);
  SublayerExtras extras() const override { return {.qkv_norm = true}; }
  void members(Members& m) override;  // "norm2", of the second sublayer, and where the block is of pre-norm "norm1", too
  std::string describe() const override { return pre_ ? "HybridNorm(pre)" : "HybridNorm"; }

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;

  bool pre_;
  std::vector<LayerPtr> stream_norms_;  // of each sublayer; null where it has none
};

// A post-norm and a pre-norm stream side by side, which both start as the embedding (Xie et al., 2023). With y = f(x):
//   x ← norm(x + y)      z ← z + y
// The stack hands on x + norm(z). Through z the gradient reaches every sublayer undivided, while x keeps the sublayers'
// inputs from becoming alike.
class ResiDual : public Placement {
 public:
  explicit ResiDual(const PlacementOptions& options) : Placement(options, 1) {}
  bool keeps_more() const override { return true; }
  Tensor finish(const Stream& stream, Layer* final_norm) const override;

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;
};

}  // namespace gradus::nn
