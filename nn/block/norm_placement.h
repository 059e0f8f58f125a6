// Placements that differ in where their norms stand. The formula of each says what a sublayer f makes of the stream x;
// norm_placement.cpp shows them side by side.
#pragma once

#include "nn/block/placement.h"

namespace gradus::nn {

// x ← x + f(norm(x)). The residual stream itself is never normalised (Xiong et al., 2020). One final norm after the stack.
class PreNorm : public Placement {
 public:
  explicit PreNorm(const PlacementOptions& options) : Placement(options, 1) {}

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;
};

// x ← norm(x + f(x)), which the paper calls add & norm (Vaswani et al., 2017); no final norm. Each norm divides what goes
// around the sublayer, too: if f(x) is as large as x, by √2, so that after l sublayers 2^(-l/2) of the first stream is left.
class PostNorm : public Placement {
 public:
  explicit PostNorm(const PlacementOptions& options) : Placement(options, 1) {}
  bool needs_final_norm() const override { return false; }

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;
};

// x ← x + norm(f(norm(x))) (Ding et al., 2021). What a sublayer adds has the norm's scale, so that the stream grows no
// faster than its depth. One final norm after the stack.
class SandwichNorm : public Placement {
 public:
  explicit SandwichNorm(const PlacementOptions& options) : Placement(options, 2) {}
  bool normalizes_results() const override { return true; }

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;
};

// x ← x + norm(f(x)): SandwichNorm without its inner norm (Liu et al., 2021; OLMo 2, 2024). One final norm after the stack.
class OutputNorm : public Placement {
 public:
  explicit OutputNorm(const PlacementOptions& options) : Placement(options, 1) {}
  bool normalizes_results() const override { return true; }

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;
};

// Attention f between two feed-forward layers g and g′ (Lu et al., 2019; Gulati et al., 2020):
//   x ← x + ½ g(norm(x))      x ← x + f(norm(x))      x ← x + ½ g′(norm(x))
// g is added before the model's sublayers. One final norm after the stack.
class Macaron : public Placement {
 public:
  explicit Macaron(const PlacementOptions& options);

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;
};

}  // namespace gradus::nn
