// Placements that run their sublayers one after another. Each is one line: the new stream after a sublayer f.
// sequential_placement.cpp shows them side by side.
#pragma once

#include "nn/block/placement.h"

namespace gradus::nn {

class SequentialPlacement : public Placement {
 public:
  void members(Members& m) override;  // "norm1", "norm2", …

 protected:
  // Makes `norms_per_sublayer` norms for each sublayer of the model, in order.
  SequentialPlacement(const PlacementOptions& options, std::size_t norms_per_sublayer);
  // The same over another order than the model's.
  SequentialPlacement(const PlacementOptions& options, std::size_t norms_per_sublayer, SublayerOrder order);

  Stream forward(const Stream& stream, const std::vector<Sublayer>& sublayers) final;
  virtual Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) = 0;  // the i-th sublayer

  Tensor norm(std::size_t i, const Tensor& x) { return (*norms_[i])(x); }

 private:
  std::vector<LayerPtr> norms_;
};

// x ← x + f(norm(x)): the residual stream itself is never normalised (Xiong et al., 2020); one final norm after the
// stack.
class PreNorm : public SequentialPlacement {
 public:
  explicit PreNorm(const PlacementOptions& options) : SequentialPlacement(options, 1) {}

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;
};

// x ← norm(x + f(x)), add & norm (Vaswani et al., 2017); no final norm. Each norm divides the way around the sublayer
// too: with f as large as x by √2, so that after l sublayers 2^(-l/2) of the first stream is left.
class PostNorm : public SequentialPlacement {
 public:
  explicit PostNorm(const PlacementOptions& options) : SequentialPlacement(options, 1) {}
  bool needs_final_norm() const override { return false; }

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;
};

// x ← x + norm(f(norm(x))) (Ding et al., 2021): what a sublayer adds has the norm's scale, so the stream grows no
// faster than its depth. One final norm after the stack.
class SandwichNorm : public SequentialPlacement {
 public:
  explicit SandwichNorm(const PlacementOptions& options) : SequentialPlacement(options, 2) {}
  bool normalizes_results() const override { return true; }

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;
};

// x ← x + norm(f(x)), the inner norm of the sandwich left out (Liu et al., 2021; OLMo 2, 2024). One final norm.
class OutputNorm : public SequentialPlacement {
 public:
  explicit OutputNorm(const PlacementOptions& options) : SequentialPlacement(options, 1) {}
  bool normalizes_results() const override { return true; }

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;
};

// x ← x + ½ feed_forward(norm(x)), x ← x + attention(norm(x)), x ← x + ½ feed_forward′(norm(x)): the first
// feed-forward layer stands before what the model has (Lu et al., 2019; Gulati et al., 2020). One final norm after
// the stack.
class Macaron : public SequentialPlacement {
 public:
  explicit Macaron(const PlacementOptions& options);

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;
};

}  // namespace gradus::nn
