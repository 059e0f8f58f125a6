// MixtureOfExperts: many feed-forward layers, of which each token goes through a few (Shazeer et al., 2017).
#pragma once

#include <optional>
#include <vector>

#include "nn/feed_forward/feed_forward.h"

namespace gradus::nn {

// y = Σ_e w_e W₂ᵉ (silu(W₁ᵉ x) ⊙ W₃ᵉ x), over the k experts e that the router chose for x
// and besides them, if asked for: shared experts, which are one SwiGLU as wide as they are together, y + shared(x) (Dai et al.,
// 2024); or experts in a narrower space, W_u Σ_e w_e E_e(W_d x), while router and shared experts see x itself (Elango et al., 2026).
// x [..., d_model] (ShapeError). In training it counts the load of each expert and makes a loss of it; what is dropped for want of
// capacity, in training alone, adds nothing.
class MixtureOfExperts : public Layer {
 public:
  // ValueError as of check_experts and of GatedFeedForward. d_ff is the width of one expert.
  explicit MixtureOfExperts(const FeedForwardOptions& options);

  using Layer::operator();
  // For router "hash": ids [...] (i64) of the tokens. GraphError without.
  Tensor operator()(const Tensor& x, const Tensor& ids);

  void members(Members& m) override;
  Tensor auxiliary_loss() const override { return loss_; }
  void own_step(const SumOverRanks& sum) override;

  const Tensor& chosen() const { return chosen_; }  // the experts of the last call's tokens, [tokens, k]
  const Tensor& bias() const { return bias_; }      // of the scores, [count]; undefined without

 private:
  Tensor forward(const Tensor& x) override { return mix(x, {}); }
  Tensor mix(const Tensor& x, const Tensor& ids);
  Tensor choose(const Tensor& scores, const Tensor& ids) const;
  Tensor through_experts(const Tensor& x, const Tensor& weights);
  void watch(const Tensor& scores);

  int64_t d_model_;
  ExpertsOptions options_;
  Linear router_;
  std::vector<GatedFeedForward> experts_;
  std::optional<GatedFeedForward> shared_;
  std::optional<Linear> down_, up_;
  LayerPtr inner_norm_;  // null without
  Dropout dropout_;
  Tensor bias_;               // b [E]
  Tensor experts_of_id_;      // of router "hash": [vocabulary, k]
  Tensor chosen_, loss_;      // of the last call
  std::vector<double> load_;  // choices of each expert since the last step
};

}  // namespace gradus::nn
