// Placements that run their sublayers one after another. The formula of each says what a sublayer f makes of the stream x;
// sequential_placement.cpp shows them side by side.
#pragma once

#include "nn/block/placement.h"

namespace gradus::nn {

// A placement that is one step for each sublayer. Its members are "norm1", "norm2", …
class SequentialPlacement : public Placement {
 public:
  void members(Members& m) override;

 protected:
  // Makes `norms_per_sublayer` norms for each sublayer of the model, in order.
  SequentialPlacement(const PlacementOptions& options, std::size_t norms_per_sublayer);
  // The same for sublayers in another order than the model's.
  SequentialPlacement(const PlacementOptions& options, std::size_t norms_per_sublayer, SublayerOrder order);

  Stream forward(const Stream& stream, const std::vector<Sublayer>& sublayers) final;
  virtual Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) = 0;  // x after the i-th sublayer, f

  Tensor norm(std::size_t i, const Tensor& x) { return (*norms_[i])(x); }  // by norm i, from 0

 private:
  std::vector<LayerPtr> norms_;
};

// x ← x + f(norm(x)). The residual stream itself is never normalised (Xiong et al., 2020). One final norm after the stack.
class PreNorm : public SequentialPlacement {
 public:
  explicit PreNorm(const PlacementOptions& options) : SequentialPlacement(options, 1) {}

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;
};

// x ← norm(x + f(x)), which the paper calls add & norm (Vaswani et al., 2017); no final norm. Each norm divides what goes
// around the sublayer, too: if f(x) is as large as x, by √2, so that after l sublayers 2^(-l/2) of the first stream is left.
class PostNorm : public SequentialPlacement {
 public:
  explicit PostNorm(const PlacementOptions& options) : SequentialPlacement(options, 1) {}
  bool needs_final_norm() const override { return false; }

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;
};

// x ← x + norm(f(norm(x))) (Ding et al., 2021). What a sublayer adds has the norm's scale, so that the stream grows no
// faster than its depth. One final norm after the stack.
class SandwichNorm : public SequentialPlacement {
 public:
  explicit SandwichNorm(const PlacementOptions& options) : SequentialPlacement(options, 2) {}
  bool normalizes_results() const override { return true; }

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;
};

// x ← x + norm(f(x)): SandwichNorm without its inner norm (Liu et al., 2021; OLMo 2, 2024). One final norm after the stack.
class OutputNorm : public SequentialPlacement {
 public:
  explicit OutputNorm(const PlacementOptions& options) : SequentialPlacement(options, 1) {}
  bool normalizes_results() const override { return true; }

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;
};

// Attention f between two feed-forward layers g and g′ (Lu et al., 2019; Gulati et al., 2020):
//   x ← x + ½ g(norm(x))      x ← x + f(norm(x))      x ← x + ½ g′(norm(x))
// g is added before the model's sublayers. One final norm after the stack.
class Macaron : public SequentialPlacement {
 public:
  explicit Macaron(const PlacementOptions& options);

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;
};

}  // namespace gradus::nn
