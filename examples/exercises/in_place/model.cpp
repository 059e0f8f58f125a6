#include "examples/exercises/in_place/model.h"

#include <fmt/format.h>

#include "core/core.h"

namespace gradus::exercises {
namespace {

constexpr int64_t kWidth = 16, kHeads = 2, kHidden = 32;

Tensor near_one() {
  Generator random(3);
  return 1 + 0.1 * randn({1, kWidth}, DType::f64, random);
}

// Dropout that the byte, its place and the channel decide: the same, however often and in whatever parts the model is asked.
Tensor kept_by(const Tensor& ids) {
  std::vector<double> numbers;
  for (int64_t i = 0; i < ids.numel(); ++i) {
    const int64_t id = ids.data<int64_t>()[i], place = i % ids.size(1);
    for (int64_t c = 0; c < kWidth; ++c) numbers.push_back((3 * id + 5 * place + 7 * c + id * c) % 4 == 0 ? 0 : 1 / 0.75);
  }
  return from_vector(numbers, {ids.numel(), kWidth});
}

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

std::string one_line(std::string text) {
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos;) text.replace(at, 1, "⏎");
  return text;
}

}  // namespace

LanguageModel::LanguageModel(const Parts& parts) : parts_(parts), plays_(examples::Corpus::shakespeare(kContext)) {
  table_ = make("table", {256, kWidth}, 0.1);
  for (std::size_t i = 0; i < parts_.blocks.size(); ++i) blocks_.push_back(make_block(fmt::format("block {}, ", i)));
  gain_ = make_gain("the last gain");
  bias_ = make_bias("the last bias");
}

std::size_t LanguageModel::make_gain(const std::string& name) { return make(name, near_one()); }

std::size_t LanguageModel::make_bias(const std::string& name) { return parts_.has_bias ? make(name, {1, kWidth}, 0.1) : 0; }

LanguageModel::Block LanguageModel::make_block(const std::string& name) {
  const double size = 0.25, wide = 0.2;  // as Xavier has them
  return {name,
          make_gain(name + "gain 1"),
          make_bias(name + "bias 1"),
          make_gain(name + "gain 2"),
          make_bias(name + "bias 2"),
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
  return see("the loss", parts_.loss(scores_of(inputs), flatten(targets)));
}

Tensor LanguageModel::scores_of(const Tensor& ids) {
  Tensor x = see("the embedding", parts_.embed(index_select(value(table_), 0, flatten(ids)), ids.size(0)));
  if (dropout_) x = x * kept_by(ids);
  for (std::size_t i = 0; i < blocks_.size(); ++i) x = see(blocks_[i].name + "the end", run(i, x, ids.size(0)));
  const Tensor last = normed("the last norm", gain_, bias_)(x);
  return see("the scores", parts_.product(last, transpose(value(table_))));
}

Part LanguageModel::normed(const std::string& name, std::size_t gain, std::size_t bias) {
  return [=, this](const Tensor& x) { return see(name, parts_.norm(x, value(gain), parts_.has_bias ? value(bias) : Tensor())); };
}

Tensor LanguageModel::run(std::size_t number, const Tensor& x, int64_t texts) {
  Block& b = blocks_[number];
  const Part attention = [&](const Tensor& h) { return see(b.name + "attention", attend(b, h, texts)); };
  const Part gated = [&](const Tensor& h) { return see(b.name + "feed-forward", feed_forward(b, h)); };
  return parts_.blocks[number](x, attention, gated, normed(b.name + "norm 1", b.gain1, b.bias1), normed(b.name + "norm 2", b.gain2, b.bias2));
}

Tensor LanguageModel::feed_forward(const Block& b, const Tensor& h) {
  const Tensor &w1 = value(b.gate), &w2 = value(b.down), &w3 = value(b.up);
  if (parts_.feed_forward) return parts_.feed_forward(h, w1, w2, w3);
  const Tensor gate = see(b.name + "activation", parts_.activation(parts_.product(h, transpose(w1))));
  return parts_.product(parts_.multiply(gate, parts_.product(h, transpose(w3))), transpose(w2));
}

Tensor LanguageModel::attend(Block& b, const Tensor& h, int64_t texts) {
  const auto heads = [&](std::size_t weight, const char* what) {
    const Tensor all = reshape(parts_.product(h, value(weight)), {texts, -1, kWidth});
    return see(b.name + what, parts_.split_heads(all, kHeads));
  };
  const Tensor q = heads(b.query, "queries by head"), k = heads(b.key, "keys by head"), v = heads(b.value, "values by head");
  Tensors all;
  for (int64_t i = 0; i < texts; ++i) all.push_back(see(b.name + "attention of a text", attend_in(b, q[i], k[i], v[i])));
  const Tensor merged = see(b.name + "heads merged", parts_.merge_heads(stack(all)));
  return parts_.product(reshape(merged, h.shape()), value(b.out));
}

Tensor LanguageModel::attend_in(Block& b, const Tensor& q, const Tensor& k, const Tensor& v) {
  Tensors queries, keys, outputs;
  for (int64_t j = 0; j < kHeads; ++j) {
    if (with_cache_) {
      outputs.push_back(parts_.cached(q[j], k[j], v[j], parts_.rope, b.kept[static_cast<std::size_t>(j)]));
    } else {
      queries.push_back(see(b.name + "the queries' positions", parts_.rope(q[j], arange(q.size(1)))));
      keys.push_back(see(b.name + "the keys' positions", parts_.rope(k[j], arange(k.size(1)))));
    }
  }
  return with_cache_ ? stack(outputs) : parts_.attention(stack(queries), stack(keys), v);
}

std::string LanguageModel::write(int count, Seen& seen) {
  const NoGrad off;
  with_cache_ = static_cast<bool>(parts_.cached);
  const Tensor nothing = zeros({0, kWidth / kHeads}, DType::f64);
  for (Block& block : blocks_) block.kept.assign(kHeads, {nothing, nothing});
  Generator draws(5);
  std::vector<int64_t> ids = {'\n'};
  std::vector<int> before = {'\n'};
  for (int i = 1; i <= count; ++i) {
    const std::vector<int64_t> read = with_cache_ ? std::vector<int64_t>{ids.back()} : ids;
    const Tensor scores = slice(scores_of(from_vector(read, {1, static_cast<int64_t>(read.size())})), 0, -1);
    seen.emplace_back(fmt::format("the scores of byte {} that is written", i), scores);
    const Tensor p = parts_.next(scores, before);
    seen.emplace_back(fmt::format("the probabilities of byte {} that is written", i), p);
    before.push_back(id_at(p, uniform({}, 0, 1, DType::f64, draws).item()));
    ids.push_back(before.back());
  }
  with_cache_ = false;
  return {ids.begin() + 1, ids.end()};
}

Training train_language_model(const Parts& parts, int steps, const Tell& tell) {
  LanguageModel model(parts);
  Training training = train(model, parts.descent, steps, tell);
  if (parts.written > 0) training.remarks = {"written: " + one_line(model.write(parts.written, training.ended))};
  return training;
}

}  // namespace gradus::exercises
