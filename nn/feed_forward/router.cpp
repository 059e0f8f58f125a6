#include "nn/feed_forward/router.h"

#include <algorithm>
#include <numeric>

#include "core/composites/composites.h"
#include "core/options/range.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/softmax.h"

namespace gradus::nn {

const Table<MakeScores>& routers() {
  const auto by_softmax = [](const Tensor& z) { return softmax(z); };
  const auto by_root = [](const Tensor& z) { return sqrt(act::softplus(z)); };
  static const Table<MakeScores> family{
      "router",
      {
          {"softmax-chosen", "ffn-moe-router", by_softmax},
          {"softmax", "ffn-moe-router", {by_softmax, {.normalized = false}}},
          {"sigmoid", "ffn-moe-router", [](const Tensor& z) { return gradus::sigmoid(z); }},
          {"sqrt-softplus", "ffn-moe-router", by_root},
          {"hash", "ffn-moe-hash", {by_root, {.hashed = true}}},
      },
  };
  return family;
}

void check_experts(const ExpertsOptions& o, OpName op) {
  constexpr int64_t most = 1 << 16;
  check<ValueError>(o.count >= 1 && o.count <= most, "{}: experts must be from 1 to {}, got {}", op, most, o.count);
  check<ValueError>(o.per_token >= 1 && o.per_token <= o.count, "{}: experts per token must be from 1 to the {} experts, got {}", op,
                    o.count, o.per_token);
  check<ValueError>(o.shared >= 0 && o.shared <= most, "{}: shared experts must be from 0 to {}, got {}", op, most, o.shared);
  check<ValueError>(o.latent >= 0, "{}: the width of the experts' space must not be negative, got {}", op, o.latent);
  for (const auto& [name, value] : {std::pair{"the experts' scale", o.scale},
                                    {"balance_loss", o.balance_loss},
                                    {"balance_bias", o.balance_bias},
                                    {"capacity", o.capacity}}) {
    check_range(name, value, range::not_negative, op);
  }
  check<ValueError>(o.balance_bias == 0 || !o.router.value.traits.hashed, "{}: router '{}' leaves nothing to balance; take balance_bias 0",
                    op, o.router.name);
}

namespace {

constexpr double kTiny = 1e-38;  // added to sums that may be 0, and no more: see the test of scores however small

}  // namespace

// #region ffn-moe-router
Tensor formula::chosen_experts(const Tensor& scores, const Tensor& bias, int64_t k) {
  const Tensor s = scores.detach();
  return topk(bias.defined() ? s + bias : s, k).indices;
}

// w_i = s_i, or s_i / Σ s of the chosen.      Divided, dL/ds_i = (dL/dw_i - Σ_j w_j dL/dw_j) / Σ s; 0 for those not chosen.
Tensor formula::expert_weights(const Tensor& scores, const Tensor& chosen, bool normalized) {
  const Tensor s = gather(scores, -1, chosen);
  return normalized ? s / (sum(s, -1, true) + kTiny) : s;
}
// #endregion ffn-moe-router

// #region ffn-moe-balance
// L = E Σ_i f_i P_i      dL/dP_i = E f_i: a constant, as the count has no gradient
Tensor formula::balance_loss(const Tensor& scores, const Tensor& chosen) {
  const int64_t experts = scores.size(-1);
  const Tensor f = mean(one_hot(flatten(chosen), experts, scores.dtype()), 0);
  const Tensor p = mean(scores / (sum(scores, -1, true) + kTiny), 0);
  return static_cast<double>(experts) * sum(f * p);
}
// #endregion ffn-moe-balance

ExpertRows rows_by_expert(const Tensor& chosen, int64_t experts, int64_t most) {
  const int64_t choices = chosen.numel(), per_token = chosen.size(-1);
  const int64_t* expert = chosen.data<int64_t>();
  std::vector<int64_t> taken(static_cast<std::size_t>(experts)), place_of, ends;
  const auto count = [&](int64_t i) -> int64_t& { return taken[static_cast<std::size_t>(expert[i])]; };
  for (int64_t i = 0; i < choices; ++i) count(i) = std::min(count(i) + 1, most);
  ends.resize(taken.size());
  std::partial_sum(taken.begin(), taken.end(), ends.begin());
  place_of = ends;  // where the next row of an expert goes; first, where its rows begin
  for (std::size_t e = 0; e < taken.size(); ++e) place_of[e] -= taken[e];
  std::vector<int64_t> tokens(static_cast<std::size_t>(ends.back())), kept(tokens.size());
  for (int64_t i = 0; i < choices; ++i) {
    const auto e = static_cast<std::size_t>(expert[i]);
    if (place_of[e] == ends[e]) continue;  // dropped
    const auto row = static_cast<std::size_t>(place_of[e]++);
    tokens[row] = i / per_token;
    kept[row] = i;
  }
  const auto vector = [](const std::vector<int64_t>& x) { return from_vector(x, {static_cast<int64_t>(x.size())}); };
  return {vector(tokens), vector(kept), vector(ends)};
}

}  // namespace gradus::nn
