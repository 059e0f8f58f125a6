#include "nn/feed_forward/experts.h"

#include <cmath>

#include "core/composites/composites.h"
#include "core/options/range.h"
#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "nn/activation/swish.h"
#include "nn/feed_forward/grouped_linear.h"

namespace gradus::nn {
namespace {

constexpr const char* kName = "MixtureOfExperts";
const GatedUnit kExpert{"SwiGLU", act::silu};

const FeedForwardOptions& checked_mixture(const FeedForwardOptions& o) {
  checked(o, kName);
  check_experts(o.experts, kName);
  check<ValueError>(!o.activation, "{}: a gated layer has no activation but its gate's", kName);
  return o;
}

// #region ffn-moe-hash
// Fixed, and shared out equally: the ids in a random order, of which each has the next k experts.
Tensor random_experts(int64_t vocabulary, int64_t experts, int64_t k) {
  const Tensor place = randperm(check_size("vocabulary", vocabulary, kName));
  Tensor chosen(Shape{vocabulary, k}, DType::i64);
  int64_t* to = chosen.mutable_data<int64_t>();
  for (int64_t i = 0; i < chosen.numel(); ++i) to[i] = (place.data<int64_t>()[i / k] + i % k) % experts;
  return chosen;
}
// #endregion ffn-moe-hash

}  // namespace

MixtureOfExperts::MixtureOfExperts(const FeedForwardOptions& o)
    : d_model_(checked_mixture(o).d_model),
      options_(o.experts),
      router_(o.d_model, o.experts.count, {.bias = false}),
      inner_norm_(make_inner_norm(o, kName)),
      dropout_(o.dropout),
      load_(static_cast<std::size_t>(o.experts.count)) {
  const ExpertsOptions& own = o.experts;
  const auto expert = [&](int64_t width, int64_t d_ff) { return FeedForwardOptions{.d_model = width, .d_ff = d_ff, .bias = o.bias}; };
  for (int64_t e = 0; e < own.count; ++e) experts_.emplace_back(kExpert, expert(own.latent > 0 ? own.latent : o.d_model, o.d_ff));
  if (own.shared > 0) shared_.emplace(kExpert, expert(o.d_model, own.shared * o.d_ff));
  if (own.latent > 0) {
    down_.emplace(o.d_model, own.latent, LinearOptions{.bias = false});
    up_.emplace(own.latent, o.d_model, LinearOptions{.bias = false});  // W₂ has the share of those that write the stream already
  }
  if (own.balance_bias > 0) bias_ = zeros({own.count});
  if (own.router.value.traits.hashed) experts_of_id_ = random_experts(own.vocabulary, own.count, own.per_token);
}

Tensor MixtureOfExperts::operator()(const Tensor& x, const Tensor& ids) {
  const CallScope call(*this);
  check_defined({{"x", x}}, "forward");
  return mix(x, ids);
}

// #region ffn-moe-latent
Tensor MixtureOfExperts::mix(const Tensor& x, const Tensor& ids) {
  check<ShapeError>(x.rank() > 0 && x.size(-1) == d_model_, "expected [..., {}], got {}", d_model_, x.shape());
  const Shape of_tokens = x.shape().slice(0, x.rank() - 1), of_ids = ids.defined() ? ids.shape() : of_tokens;
  check<ShapeError>(of_ids == of_tokens, "x has shape {}, so ids must have shape {}, got {}", x.shape(), of_tokens, of_ids);
  const Tensor tokens = reshape(x, {x.numel() / d_model_, d_model_});
  const Tensor scores = options_.router.value(router_(tokens));
  chosen_ = choose(scores, ids);
  watch(scores);
  const Tensor weights = formula::expert_weights(scores, chosen_, options_.router.value.traits.normalized);
  Tensor y = through_experts(down_ ? (*down_)(tokens) : tokens, options_.scale == 1 ? weights : options_.scale * weights);
  if (up_) y = (*up_)(y);
  if (shared_) y = y + (*shared_)(tokens);
  return dropout_(reshape(y, x.shape()));
}
// #endregion ffn-moe-latent

Tensor MixtureOfExperts::choose(const Tensor& scores, const Tensor& ids) const {
  if (!experts_of_id_.defined()) return formula::chosen_experts(scores, bias_, options_.per_token);
  check<GraphError>(ids.defined(), "the router is a hash of the tokens' ids, and none were given; a LanguageModel hands them on");
  return index_select(experts_of_id_, 0, flatten(ids));
}

// In training: the load, and the loss that balances it.
void MixtureOfExperts::watch(const Tensor& scores) {
  loss_ = {};
  if (!training() || experts_of_id_.defined() || chosen_.numel() == 0) return;
  for (int64_t i = 0; i < chosen_.numel(); ++i) ++load_[static_cast<std::size_t>(chosen_.data<int64_t>()[i])];
  if (options_.balance_loss > 0) loss_ = options_.balance_loss * formula::balance_loss(scores, chosen_);
}

// What each expert makes of its tokens, at its tokens' places, times their weights.
Tensor MixtureOfExperts::through_experts(const Tensor& x, const Tensor& weights) {
  // #region ffn-moe-capacity
  const double mean_load = static_cast<double>(chosen_.numel()) / static_cast<double>(options_.count);
  const bool limited = training() && options_.capacity > 0;
  const int64_t most = limited ? std::llround(std::ceil(std::min(options_.capacity * mean_load, 1e15))) : chosen_.numel();
  // #endregion ffn-moe-capacity
  const auto [tokens, choices, ends] = rows_by_expert(chosen_, options_.count, most);
  Tensors in{x, weights, tokens, choices, ends};
  for (const auto field : {&Linear::weight, &Linear::bias}) {
    for (const auto map : {&GatedFeedForward::w1, &GatedFeedForward::w3, &GatedFeedForward::w2}) {
      for (GatedFeedForward& expert : experts_) in.push_back(expert.*map.*field);
    }
  }
  return inner_norm_ != nullptr ? formula::experts(in, inner_norm_.get()) : experts(in);
}

void MixtureOfExperts::own_step(const SumOverRanks& sum) {
  if (!bias_.defined()) return;
  if (sum) sum(load_);
  const NoGrad off;
  // #region ffn-moe-bias
  // b_e ← b_e + u sign(mean load - load_e)
  const Tensor load = from_vector(load_, {options_.count});
  const Tensor step = options_.balance_bias * sign(mean(load) - load);
  bias_.assign(bias_ + cast(step, bias_.dtype()));
  // #endregion ffn-moe-bias
  load_.assign(load_.size(), 0);
}

void MixtureOfExperts::members(Members& m) {
  m.child("router", router_);
  m.buffer("bias", bias_);
  m.buffer("experts_of_id", experts_of_id_);
  for (std::size_t e = 0; e < experts_.size(); ++e) m.child(fmt::format("experts.{}", e), experts_[e]);
  if (shared_) m.child("shared", *shared_);
  if (down_) m.child("down", *down_), m.child("up", *up_);
  if (inner_norm_ != nullptr) m.child("inner_norm", *inner_norm_);
  m.child("dropout", dropout_);
}

}  // namespace gradus::nn
