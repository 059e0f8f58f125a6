// DeepNorm: post-norm with a louder stream and quieter weights, for a thousand layers (Wang et al., 2022).
#pragma once

#include "nn/block/placement.h"

namespace gradus::nn {

// The two constants of DeepNorm.
struct DeepNormScale {
  double alpha;  // factor of the stream
  double beta;   // gain with which the weights of the feed-forward layer, v_proj and out_proj start
};

// The paper's constants, for one stack of N layers:
//   α = (2N)^¼      β = (8N)^-¼
// and for an encoder of N layers with the decoder of M layers that reads it:
//   encoder: α = 0.81 (N⁴M)^(1/16)      β = 0.87 (N⁴M)^(-1/16)
//   decoder: α = (3M)^¼      β = (12M)^-¼
DeepNormScale deep_norm_scale(const StackShape& stack);

// convention-deepnorm-alpha: in the GLM family (Zeng et al., 2022), α = (2N)^½ and β = (2N)^-½ for N layers.
DeepNormScale glm_deep_norm_scale(const StackShape& stack);

// x ← norm(α x + f(x)), with x the sublayer's input; no final norm. Whatever the options' init, the matrices start Xavier
// normal, with a gain of β in the feed-forward layer, v_proj and out_proj, and of 1 in q_proj and k_proj.
class DeepNorm : public Placement {
 public:
  explicit DeepNorm(const PlacementOptions& options) : DeepNorm(options, deep_norm_scale(options.stack)) {}
  DeepNorm(const PlacementOptions& options, DeepNormScale scale) : Placement(options, 1), scale_(scale) {}

  bool needs_final_norm() const override { return false; }
  bool relies_on_rescaling() const override { return true; }
  void initialize(const NamedTensors& parameters, const InitChoice& init) const override;
  std::string describe() const override { return fmt::format("DeepNorm(alpha {:.4g}, beta {:.4g})", scale_.alpha, scale_.beta); }

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;

  DeepNormScale scale_;
};

}  // namespace gradus::nn
