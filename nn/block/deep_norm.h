// DeepNorm: post-norm with a louder stream and quieter weights, for a thousand layers (Wang et al., 2022).
#pragma once

#include "nn/block/sequential_placement.h"

namespace gradus::nn {

struct DeepNormScale {
  double alpha;  // of the stream
  double beta;   // gain of the weights that the size of an update depends on
};

// One stack of N layers: α = (2N)^¼, β = (8N)^-¼. N encoder and M decoder layers: the encoder α = 0.81 (N⁴M)^(1/16),
// β = 0.87 (N⁴M)^(-1/16), the decoder α = (3M)^¼, β = (12M)^-¼.
DeepNormScale deep_norm_scale(const StackShape& stack);
// convention-deepnorm-alpha: α = (2N)^½ and β = (2N)^-½ of the GLM family (Zeng et al., 2022).
DeepNormScale glm_deep_norm_scale(const StackShape& stack);

// x ← norm(α x + f(x)), x the sublayer's input; no final norm. Matrices start Xavier normal, with gain β in the
// feed-forward layer, v_proj and out_proj, with gain 1 in q_proj and k_proj, whatever init the options name: α and β
// belong together.
class DeepNorm : public SequentialPlacement {
 public:
  explicit DeepNorm(const PlacementOptions& options) : DeepNorm(options, deep_norm_scale(options.stack)) {}
  DeepNorm(const PlacementOptions& options, DeepNormScale scale) : SequentialPlacement(options, 1), scale_(scale) {}

  bool needs_final_norm() const override { return false; }
  bool relies_on_rescaling() const override { return true; }
  void initialize(const NamedTensors& parameters, const InitChoice& init) const override;
  std::string describe() const override { return fmt::format("DeepNorm(alpha {:.4g}, beta {:.4g})", scale_.alpha, scale_.beta); }

 protected:
  Tensor step(std::size_t i, const Tensor& x, const Sublayer& f) override;

 private:
  DeepNormScale scale_;
};

}  // namespace gradus::nn
