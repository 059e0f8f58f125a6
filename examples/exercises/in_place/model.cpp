#include "examples/exercises/in_place/model.h"

#include <fmt/format.h>

#include "core/core.h"

namespace gradus::exercises {
namespace {

constexpr int64_t kHidden = 64;

// The id whose share of the probabilities, laid side by side, has this point of [0, 1).
int id_at(const Tensor& probabilities, double point) {
  const double* p = probabilities.data<double>();
  const int last = static_cast<int>(probabilities.numel()) - 1;
  for (int id = 0; id < last; ++id) {
    point -= p[id];
    if (point < 0) return id;
  }
  return last;
}

}  // namespace

LanguageModel::LanguageModel(const GptParts& parts) : parts_(parts), plays_(examples::Corpus::shakespeare(kContext)) {
  table_ = make("table", {256, kWidth}, 0.1);
  blocks_ = {make_block("block 1, ", parts_.whole), make_block("block 2, ", parts_.pieces)};
  gain_ = make_gain("the last gain");
}

std::size_t LanguageModel::make_gain(const std::string& name) {
  Generator random(3);
  return make(name, 1 + 0.1 * randn({1, kWidth}, DType::f64, random));
}

LanguageModel::Block LanguageModel::make_block(const std::string& name, const Parts& parts) {
  const double size = 0.18, wide = 0.14;  // as Xavier has them
  return {name,
          &parts,
          make_gain(name + "gain 1"),
          make_gain(name + "gain 2"),
          make(name + "query weights", {kWidth, kWidth}, size),
          make(name + "key weights", {kWidth, kWidth}, size),
          make(name + "value weights", {kWidth, kWidth}, size),
          make(name + "out weights", {kWidth, kWidth}, size),
          make(name + "gate weights", {kHidden, kWidth}, wide),
          make(name + "up weights", {kHidden, kWidth}, wide),
          make(name + "down weights", {kWidth, kHidden}, wide),
          std::vector<Kept>(kHeads)};
}

examples::Batch LanguageModel::next_batch() { return plays_.random_batch(kBatch, batches_); }

Tensor LanguageModel::loss() {
  const examples::Batch batch = next_batch();
  return loss_of(batch.inputs, batch.targets);
}

Tensor LanguageModel::loss_of(const Tensor& inputs, const Tensor& targets) {
  const Tensors scores = split(scores_of(inputs), inputs.size(1));
  Tensors losses;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    losses.push_back(see("the loss of a text", parts_.whole.loss(scores[i], targets[static_cast<int64_t>(i)])));
  }
  return see("the loss", parts_.whole.mean(losses));
}

Tensor LanguageModel::scores_of(const Tensor& ids) {
  Tensor x = see("the embedding", index_select(value(table_), 0, flatten(ids)));
  for (Block& block : blocks_) x = see(block.name + "the end", run(block, x, ids.size(0)));
  const Tensor last = normed(parts_.whole, "the last norm", gain_)(x);
  return see("the scores", parts_.whole.product(last, transpose(value(table_))));
}

Part LanguageModel::normed(const Parts& parts, const std::string& name, std::size_t gain) {
  return [=, this, &parts](const Tensor& x) { return see(name, parts.norm(x, value(gain))); };
}

Tensor LanguageModel::run(Block& b, const Tensor& x, int64_t texts) {
  const Part attention = [&](const Tensor& h) { return see(b.name + "attention", attend(b, h, texts)); };
  const Part gated = [&](const Tensor& h) { return see(b.name + "feed-forward", feed_forward(b, h)); };
  return b.parts->placement(x, attention, gated, normed(*b.parts, b.name + "norm 1", b.gain1),
                            normed(*b.parts, b.name + "norm 2", b.gain2));
}

Tensor LanguageModel::feed_forward(const Block& b, const Tensor& h) {
  const Tensor &w1 = value(b.gate), &w2 = value(b.down), &w3 = value(b.up);
  const Parts& parts = *b.parts;
  if (parts.feed_forward) return parts.feed_forward(h, w1, w2, w3);
  const Tensor gate = see(b.name + "activation", parts.activation(parts.product(h, transpose(w1))));
  return parts.product(parts.multiply(gate, parts.product(h, transpose(w3))), transpose(w2));
}

Tensor LanguageModel::attend(Block& b, const Tensor& h, int64_t texts) {
  const auto heads = [&](std::size_t weight, const char* what) {
    const Tensor all = reshape(b.parts->product(h, value(weight)), {texts, -1, kWidth});
    return see(b.name + what, b.parts->split_heads(all, kHeads));
  };
  const Tensor q = heads(b.query, "queries by head"), k = heads(b.key, "keys by head"), v = heads(b.value, "values by head");
  Tensors all;
  for (int64_t i = 0; i < texts; ++i) all.push_back(see(b.name + "attention of a text", attend_in(b, q[i], k[i], v[i])));
  const Tensor merged = see(b.name + "heads merged", b.parts->merge_heads(stack(all)));
  return b.parts->product(reshape(merged, h.shape()), value(b.out));
}

Tensor LanguageModel::attend_in(Block& b, const Tensor& q, const Tensor& k, const Tensor& v) {
  Tensors queries, keys, outputs;
  for (int64_t j = 0; j < kHeads; ++j) {
    if (with_cache_) {
      outputs.push_back(b.parts->cached(q[j], k[j], v[j], b.parts->rope, b.kept[static_cast<std::size_t>(j)]));
    } else {
      queries.push_back(see(b.name + "the queries' positions", b.parts->rope(q[j], arange(q.size(1)))));
      keys.push_back(see(b.name + "the keys' positions", b.parts->rope(k[j], arange(k.size(1)))));
    }
  }
  return with_cache_ ? stack(outputs) : b.parts->attention(stack(queries), stack(keys), v);
}

std::string LanguageModel::write(int count, double temperature, Seen* seen) {
  const NoGrad off;
  with_cache_ = static_cast<bool>(parts_.whole.cached);
  const Tensor nothing = zeros({0, kWidth / kHeads}, DType::f64);
  for (Block& block : blocks_) block.kept.assign(kHeads, {nothing, nothing});
  Generator draws(5);
  std::vector<int64_t> ids = {'\n'};
  std::vector<int> before = {'\n'};
  for (int i = 1; i <= count; ++i) {
    const std::vector<int64_t> read = with_cache_ ? std::vector<int64_t>{ids.back()} : ids;
    const Tensor scores = slice(scores_of(from_vector(read, {1, static_cast<int64_t>(read.size())})), 0, -1);
    const Tensor p = parts_.whole.next(scores, before, temperature);
    if (seen != nullptr) {
      seen->emplace_back(fmt::format("the scores of byte {} that is written", i), scores);
      seen->emplace_back(fmt::format("the probabilities of byte {} that is written", i), p);
    }
    before.push_back(id_at(p, uniform({}, 0, 1, DType::f64, draws).item()));
    ids.push_back(before.back());
  }
  with_cache_ = false;
  return {ids.begin() + 1, ids.end()};
}

Seen LanguageModel::seen_in(const std::string& text) {
  const NoGrad off;
  Seen seen;
  show_to(&seen);
  const std::vector<int64_t> ids(text.begin(), text.end());
  scores_of(from_vector(ids, {1, static_cast<int64_t>(ids.size())}));
  show_to(nullptr);
  return seen;
}

}  // namespace gradus::exercises
