#include "examples/ch07_attention/small_model.h"

#include "optim/adam.h"
#include "optim/schedule.h"

namespace gradus::examples {

SelfAttention::SelfAttention(const SmallOptions& o)
    : heads_(o.heads),
      attention_(o.attention),
      q_proj_(o.d_model, o.d_model, {.bias = false, .role = nn::Role::scores}),
      k_proj_(o.d_model, o.d_model, {.bias = false, .role = nn::Role::scores}),
      v_proj_(o.d_model, o.d_model, {.bias = false}),
      out_proj_(o.d_model, o.d_model, {.bias = false, .role = nn::Role::writes_stream}),
      position_({.d_model = o.d_model, .heads = o.heads, .head_dim = nn::head_dim(o.d_model, o.heads), .max_length = o.context}) {}

Tensor SelfAttention::forward(const Tensor& x) {
  const auto in_heads = [&](const Tensor& y) { return reshape(y, {x.size(0), x.size(1), heads_, x.size(2) / heads_}); };
  const Tensor positions = arange(x.size(1));
  const Tensor q = position_.on_queries(in_heads(q_proj_(x)), positions), k = position_.on_keys(in_heads(k_proj_(x)), positions);
  return out_proj_(reshape(attention_(q, k, in_heads(v_proj_(x)), {.causal = true}), x.shape()));
}

void SelfAttention::members(nn::Members& m) {
  m.child("q_proj", q_proj_);
  m.child("k_proj", k_proj_);
  m.child("v_proj", v_proj_);
  m.child("out_proj", out_proj_);
  m.child("position", position_);
}

SmallModel::SmallModel(const SmallOptions& o)
    : embedding_(o.vocabulary, o.d_model, 0.1),
      final_norm_(o.d_model),
      head_(o.d_model, o.vocabulary, {.bias = false, .role = nn::Role::head}) {
  const int64_t d_ff = nn::feed_forward_width("swiglu", o.d_model, 16);
  for (int64_t i = 0; i < o.layers; ++i) {
    blocks_.push_back({nn::RMSNorm(o.d_model), nn::RMSNorm(o.d_model), SelfAttention(o),
                       nn::FeedForwardChoice("swiglu").make({.d_model = o.d_model, .d_ff = d_ff})});
  }
}

Tensor SmallModel::blocks(const Tensor& x) {
  Tensor stream = x;
  for (Block& block : blocks_) {
    stream = stream + block.attention(block.norm1(stream));
    stream = stream + (*block.feed_forward)(block.norm2(stream));
  }
  return final_norm_(stream);
}

Tensor SmallModel::forward(const Tensor& ids) { return head_(blocks(embedding_(ids))); }

void SmallModel::members(nn::Members& m) {
  m.child("embedding", embedding_);
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const std::string name = fmt::format("blocks.{}.", i);
    m.child(name + "norm1", blocks_[i].norm1);
    m.child(name + "attention", blocks_[i].attention);
    m.child(name + "norm2", blocks_[i].norm2);
    m.child(name + "feed_forward", *blocks_[i].feed_forward);
  }
  m.child("final_norm", final_norm_);
  m.child("head", head_);
}

std::vector<double> fit(nn::Module& model, int64_t steps, const std::function<Tensor()>& loss) {
  constexpr optim::ScheduleOptions rate{.max_lr = 3e-3, .warmup = 20};
  optim::AdamW optimizer(model.named_parameters(), {});
  std::vector<double> losses;
  for (int64_t step = 1; step <= steps; ++step) {
    const Tensor of_batch = loss();
    of_batch.backward();
    losses.push_back(of_batch.item());
    optimizer.step(optim::warmup_schedule(rate, step));
    optimizer.zero_grad();
  }
  return losses;
}

}  // namespace gradus::examples
