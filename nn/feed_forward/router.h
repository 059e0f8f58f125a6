// Routers: to which experts of a mixture a token goes, and how much each of them counts.
#pragma once

#include "core/options/table.h"
#include "core/tensor/tensor.h"

namespace gradus::nn {

// What becomes of the scores.
struct RouterTraits {
  bool normalized = true;  // are the weights of a token's experts divided by their sum?
  bool hashed = false;     // are the experts chosen by the token's id, and not by the scores?
};

// The scores s [N, E], none below 0, of the logits z = W_r x [N, E].
using MakeScores = Factory<Tensor, Tensor, RouterTraits>;

// The routers by name. convention-moe-weights: they differ in the scores and in whether the weights are divided by their sum.
// "softmax-chosen" is the softmax of the chosen logits alone (Jiang et al., 2024), which is softmax, then choice, then division;
// "softmax" does not divide (Fedus et al., 2021); "sigmoid" (DeepSeek-AI, 2024) and "sqrt-softplus" (DeepSeek-AI, 2026) do. "hash"
// is for layers that know the ids (Roller et al., 2021).
const Table<MakeScores>& routers();

using RouterChoice = Choice<routers>;  // a name in the table, or a MakeScores

// The options of a mixture of experts.
struct ExpertsOptions {
  int64_t count = 8;      // E
  int64_t per_token = 2;  // k: how many of them a token goes to
  int64_t shared = 0;     // experts more, to which every token goes
  int64_t latent = 0;     // width of the space in which they work; 0: d_model
  RouterChoice router = "softmax-chosen";
  double scale = 1;            // what the weights are multiplied by
  double balance_loss = 0.01;  // α of the loss that balances the load; 0: none
  double balance_bias = 0;     // u, by which the bias of each expert's score moves after a step; 0: no biases
  double capacity = 0;         // in training, how many times the mean load an expert takes; 0: no limit
  int64_t vocabulary = 256;    // ids of router "hash"

  friend bool operator==(const ExpertsOptions&, const ExpertsOptions&) = default;
};

// ValueError, beginning with `op`, unless 1 ≤ k ≤ E ≤ 2¹⁶, none else is negative, all are finite, and "hash" has no balance_bias.
void check_experts(const ExpertsOptions& options, OpName op = {});

namespace formula {
// The k experts of the largest s + b: s [N, E] to [N, k] (i64). b [E] may be undefined. No gradient goes through the choice.
Tensor chosen_experts(const Tensor& scores, const Tensor& bias, int64_t k);
// How much each of them counts: s [N, E] and chosen [N, k] to weights [N, k].
Tensor expert_weights(const Tensor& scores, const Tensor& chosen, bool normalized);
// E Σ f_i P_i, with f_i the share of all choices that fall on expert i, a constant, and P_i the mean of s_i / Σ_j s_j. It is 1 where
// either is uniform.
Tensor balance_loss(const Tensor& scores, const Tensor& chosen);
}  // namespace formula

// The tokens' choices [N, k] sorted by expert, in the order of the tokens, so that the rows of an expert are neighbours.
struct ExpertRows {
  Tensor tokens;   // [M] the token of each row
  Tensor choices;  // [M] the row's place among the N·k choices
  Tensor ends;     // [E] where the rows of each expert end
};
// An expert takes the first `most` of its choices, and the others are dropped: M ≤ N·k. A token's rows depend on no later token.
ExpertRows rows_by_expert(const Tensor& chosen, int64_t experts, int64_t most);

}  // namespace gradus::nn
