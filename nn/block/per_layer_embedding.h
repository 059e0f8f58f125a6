// Per-layer embeddings: a small vector for each token and layer, which the layer reads through a gate (Gemma Team, 2025).
#pragma once

#include "nn/embedding.h"
#include "nn/linear.h"
#include "nn/norm/norm_table.h"

namespace gradus::nn {

// The vectors of all layers, of the token's id and of the stream x₀ that the first layer is given:
//   p_l = (√w E_l[id] + norm(W_l x₀ / √d)) / √2
class PerLayerTable : public Module {
 public:
  // ValueError unless all sizes are positive, and layers at most kMostLayers.
  PerLayerTable(int64_t vocabulary, int64_t layers, int64_t width, int64_t d_model, const NormChoice& norm);

  Tensor operator()(const Tensor& ids, const Tensor& x);  // ids [B, T] and x [B, T, d_model] to [B, T, layers, width]
  void members(Members& m) override;
  std::string describe() const override { return fmt::format("PerLayerTable({} layers of {})", layers_, width_); }

 private:
  int64_t layers_, width_;
  Embedding table_;    // the rows E_l[id] of all layers side by side, which start N(0, 1/w)
  Linear projection_;  // the maps W_l
  LayerPtr norm_;      // over the w numbers of a layer
};

// A layer's last step: its vector p, through a gate of the stream x.
//   y = x + norm(W_p (gelu(W_g x) ⊙ p))
class PerLayerInput : public Module {
 public:
  // ValueError unless both sizes are positive.
  PerLayerInput(int64_t width, int64_t d_model, const NormChoice& norm);

  Tensor operator()(const Tensor& x, const Tensor& p);  // x [B, T, d_model] and p [B, T, width]; GraphError without p
  void members(Members& m) override;
  std::string describe() const override { return fmt::format("PerLayerInput({})", gate_.weight.size(0)); }

 private:
  Linear gate_, projection_;  // W_g and W_p
  LayerPtr norm_;
};

}  // namespace gradus::nn
