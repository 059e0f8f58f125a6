#include "examples/exercises/in_place/model.h"

#include <fmt/format.h>

#include <cmath>

#include "core/core.h"
#include "examples/shared/data/corpus.h"
#include "nn/nn.h"
#include "optim/optim.h"

namespace gradus::exercises {
namespace {

constexpr int64_t kBatch = 4, kContext = 16, kWidth = 16, kHeads = 2, kHidden = 32, kBlocks = 2;

Tensor library_rope(const Tensor& x) {
  const Tensor angle = outer(cast(arange(x.size(0)), DType::f64),
                             pow(Scalar(10000), arange(0, static_cast<double>(x.size(1)), 2, DType::f64) / -static_cast<double>(x.size(1))));
  return reshape(nn::rope(reshape(x, {1, x.size(0), 1, x.size(1)}), cos(angle), sin(angle)), x.shape());
}

Tensor library_attention(const Tensor& q, const Tensor& k, const Tensor& v) {
  const auto lone = [](const Tensor& x) { return reshape(x, {1, x.size(0), 1, x.size(1)}); };
  return reshape(nn::attention(lone(q), lone(k), lone(v), {.causal = true}), v.shape());
}

void library_step(Optimized& p, int t, double lr) {
  const Tensor g = p.value.grad();
  p.m = 0.9 * p.m + 0.1 * g;
  p.v = 0.95 * p.v + 0.05 * square(g);
  if (p.value.size(0) > 1) p.value -= lr * 0.1 * p.value;  // a gain has one row
  p.value -= lr * (p.m / (1 - std::pow(0.9, t))) / (sqrt(p.v / (1 - std::pow(0.95, t))) + kEps);
}

// The model: a table, blocks of attention and a gated layer, each after a norm, and the table again.
class Model {
 public:
  Model(const Parts& parts, Training& training) : parts_(parts), training_(training) {
    table_ = make("table", {256, kWidth}, 0.1);
    for (int64_t i = 0; i < kBlocks; ++i) blocks_.push_back(make_block(fmt::format("block {}, ", i)));
    gain_ = make("the last gain", {1, kWidth}, 0);
  }

  std::vector<Optimized>& parameters() { return parameters_; }
  const std::string& name(std::size_t i) const { return names_[i]; }

  Tensor loss(const examples::Batch& batch, bool watch) {
    watch_ = watch;
    Tensor x = see("the embedding", index_select(value(table_), 0, flatten(batch.inputs)));  // [B T, C]
    for (const Block& block : blocks_) x = run(block, x);
    const Tensor scores = matmul(see("the last norm", parts_.norm(x, value(gain_))), value(table_), {.transpose_b = true});
    return see("the loss", parts_.loss(see("the scores", scores), flatten(batch.targets)));
  }

 private:
  struct Block {
    std::string name;
    std::size_t gain1, gain2, query, key, value, out, gate, up, down;
  };

  std::size_t make(const std::string& name, const Shape& shape, double size) {
    const Tensor noise = randn(shape, DType::f64, random_);
    const Tensor start = size == 0 ? 1 + 0.1 * noise : size * noise;
    parameters_.push_back({start.clone().set_requires_grad(), zeros_like(start), zeros_like(start)});
    names_.push_back(name);
    return parameters_.size() - 1;
  }

  Block make_block(const std::string& name) {
    const double size = 0.25, wide = 0.2;  // as Xavier has them
    return {name,
            make(name + "gain 1", {1, kWidth}, 0),
            make(name + "gain 2", {1, kWidth}, 0),
            make(name + "query weights", {kWidth, kWidth}, size),
            make(name + "key weights", {kWidth, kWidth}, size),
            make(name + "value weights", {kWidth, kWidth}, size),
            make(name + "out weights", {kWidth, kWidth}, size),
            make(name + "gate weights", {kWidth, kHidden}, wide),
            make(name + "up weights", {kWidth, kHidden}, wide),
            make(name + "down weights", {kHidden, kWidth}, wide)};
  }

  const Tensor& value(std::size_t i) const { return parameters_[i].value; }

  Tensor see(const std::string& name, Tensor x) {
    if (watch_) training_.seen.emplace_back(name, x.detach());
    return x;
  }

  Tensor run(const Block& b, Tensor x) {
    const Tensor h = see(b.name + "norm 1", parts_.norm(x, value(b.gain1)));
    x = x + see(b.name + "attention", matmul(attend(b, h), value(b.out)));
    const Tensor h2 = see(b.name + "norm 2", parts_.norm(x, value(b.gain2)));
    const Tensor gate = see(b.name + "activation", parts_.activation(matmul(h2, value(b.gate))));
    return x + see(b.name + "feed-forward", matmul(gate * matmul(h2, value(b.up)), value(b.down)));
  }

  // Head by head, as a student's functions take them.
  Tensor attend(const Block& b, const Tensor& h) {
    const auto heads = [&](std::size_t weight, const char* what) {
      return see(b.name + what, parts_.split_heads(reshape(matmul(h, value(weight)), {kBatch, kContext, kWidth}), kHeads));
    };
    const Tensor q = heads(b.query, "queries by head"), k = heads(b.key, "keys by head"), v = heads(b.value, "values by head");
    Tensors all;
    for (int64_t i = 0; i < kBatch; ++i) {
      Tensors of_text;
      for (int64_t j = 0; j < kHeads; ++j) {
        const Tensor turned = see(b.name + "rope", parts_.rope(q[i][j]));
        of_text.push_back(see(b.name + "attention of a head", parts_.attention(turned, parts_.rope(k[i][j]), v[i][j])));
      }
      all.push_back(stack(of_text));
    }
    return reshape(see(b.name + "heads merged", parts_.merge_heads(stack(all))), {kBatch * kContext, kWidth});
  }

  const Parts& parts_;
  Training& training_;
  Generator random_{2};  // the same start each time
  std::vector<Optimized> parameters_;
  std::vector<std::string> names_;
  std::size_t table_ = 0, gain_ = 0;
  std::vector<Block> blocks_;
  bool watch_ = false;
};

double greatest_difference(const Tensor& a, const Tensor& b) { return a.shape() == b.shape() ? max(abs(a - b)).item() : 1; }

}  // namespace

Parts library_parts() {
  return {
      .norm = [](const Tensor& x, const Tensor& gain) { return nn::rms_norm(x, reshape(gain, {gain.size(1)}), 1e-5); },
      .activation = [](const Tensor& x) { return nn::act::silu(x); },
      .rope = library_rope,
      .attention = library_attention,
      .split_heads =
          [](const Tensor& x, int64_t heads) {
            return permute(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), {0, 2, 1, 3});
          },
      .merge_heads = [](const Tensor& x) { return reshape(permute(x, {0, 2, 1, 3}), {x.size(0), x.size(2), x.size(1) * x.size(3)}); },
      .loss = [](const Tensor& scores, const Tensor& targets) { return nn::cross_entropy(scores, targets); },
      .optimize = library_step,
  };
}

Training train_with(const Parts& parts, int steps, const std::function<void(int, double)>& tell) {
  Training training;
  Model model(parts, training);
  const examples::Corpus plays = examples::Corpus::shakespeare(kContext);
  const optim::ScheduleOptions schedule = {.max_lr = 1e-2, .min_lr = 1e-3, .warmup = steps / 10, .total = steps};
  Generator random(1);  // the same pieces each time
  std::vector<Tensor> values;
  for (const Optimized& p : model.parameters()) values.push_back(p.value);
  for (int t = 1; t <= steps; ++t) {
    const Tensor loss = model.loss(plays.random_batch(kBatch, random), t == 1);
    loss.backward();
    if (t == 1) {
      for (std::size_t i = 0; i < values.size(); ++i) training.seen.emplace_back("the gradient of " + model.name(i), clone(values[i].grad()));
    }
    const NoGrad off;
    optim::clip_grad_norm(values, 1);
    for (std::size_t i = 0; i < values.size(); ++i) {
      parts.optimize(model.parameters()[i], t, optim::cosine_schedule(schedule, t));
      if (t == 1) training.seen.emplace_back("after a step, " + model.name(i), clone(values[i]));
      values[i].zero_grad();
    }
    training.losses.push_back(loss.item());
    if (tell) tell(t, loss.item());
  }
  return training;
}

std::string first_difference(const Training& mine, const Training& reference) {
  for (std::size_t i = 0; i < std::min(mine.seen.size(), reference.seen.size()); ++i) {
    if (!(greatest_difference(mine.seen[i].second, reference.seen[i].second) < 1e-6)) return reference.seen[i].first;
  }
  return "";
}

}  // namespace gradus::exercises
