// Generation piece by piece: the cache changes the work, not the result.
#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "nn/model/language_model.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

nn::LanguageModel model_with(const std::string& position) {
  manual_seed(5);
  nn::LanguageModel model({.vocabulary = 11, .context = 12, .d_model = 8, .layers = 2, .heads = 2, .d_ff = 12, .position = position});
  model.to(DType::f64);
  for (const auto& [path, parameter, role] : model.named_parameters()) {  // larger than at the start, so that positions matter
    Tensor handle = parameter;
    if (parameter.rank() == 2) handle.assign(randn(parameter.shape(), DType::f64) / 2);
  }
  return model;
}

using Ids = std::vector<int64_t>;

// As sample() does, but reading the whole window for every id.
Ids sampled_anew(nn::LanguageModel& model, Ids ids, const nn::SampleOptions& options, Generator& generator) {
  const NoGrad off;
  for (int64_t i = 0; i < options.count; ++i) {
    const auto seen = std::min<int64_t>(static_cast<int64_t>(ids.size()), model.options().context);
    const Tensor window = from_vector(Ids(ids.end() - seen, ids.end()), {1, seen});
    ids.push_back(nn::draw(select(select(model(window), 0, 0), 0, -1), options, generator));
  }
  return ids;
}

}  // namespace

TEST_CASE("attn-kv-cache: in pieces of any size the logits are those of the whole, under every encoding") {
  const Tensor ids = randint(0, 11, {2, 12});
  for (const auto& row : nn::position_encodings().variants) {
    CAPTURE(row.name);
    nn::LanguageModel model = model_with(std::string(row.name));
    const Tensor whole = model(ids);
    nn::GenerationCache past;
    Tensors pieces;
    for (const auto& [first, last] : {std::pair{0, 3}, {3, 4}, {4, 5}, {5, 10}, {10, 12}}) {
      pieces.push_back(model(slice(ids, 1, first, last), past));
    }
    CHECK(past.length == 12);
    CHECK(difference(cat(pieces, 1), whole, 1e-13) == "");
    CHECK_THROWS_WITH_AS(model(slice(ids, 1, 0, 1), past),
                         "LanguageModel(11 ids, context 12, d_model 8, tied head): 13 ids, but the context is 12; give fewer, or build it "
                         "with a larger context",
                         ValueError);
  }
}

TEST_CASE("attn-kv-cache: a cache of empty layers is a new one; from the first id on it holds to its batch") {
  nn::LanguageModel model = model_with("rope");
  const Tensor ids = randint(0, 11, {2, 3});
  nn::GenerationCache past{.layers = std::vector<nn::KeyValueCache>(2)};
  CHECK(difference(model(slice(ids, 1, 0, 1), past), slice(model(ids), 1, 0, 1), 1e-13) == "");
  CHECK_THROWS_WITH_AS(model(ones({3, 1}, DType::i64), past),
                       "LanguageModel(11 ids, context 12, d_model 8, tied head): ids have shape [3, 1], but the cache is of batch 2",
                       ShapeError);
}

TEST_CASE("attn-kv-cache: a call that is refused leaves the cache as it was, under every encoding") {
  const Tensor ids = randint(0, 11, {1, 4});
  for (const auto& row : nn::position_encodings().variants) {
    CAPTURE(row.name);
    nn::LanguageModel model = model_with(std::string(row.name));
    nn::GenerationCache past;
    model(slice(ids, 1, 0, 3), past);
    CHECK_THROWS_WITH_AS(model(zeros({2, 1}, DType::i64), past),
                         "LanguageModel(11 ids, context 12, d_model 8, tied head): ids have shape [2, 1], but the cache is of batch 1",
                         ShapeError);
    CHECK_THROWS_AS(model(tensor({{11}}, DType::i64), past), ValueError);
    CHECK(past.length == 3);
    CHECK(past.layers[0].length() == 3);
    CHECK(difference(model(slice(ids, 1, 3), past), slice(model(ids), 1, 3), 1e-13) == "");
  }
}

TEST_CASE("attn-kv-cache: the cache of a model of another depth, or with other heads, is refused and left as it was") {
  const auto model_of = [](int64_t layers, int64_t kv_heads) {
    return nn::LanguageModel({.vocabulary = 11, .d_model = 8, .layers = layers, .heads = 2, .kv_heads = kv_heads, .d_ff = 12});
  };
  nn::LanguageModel model = model_of(1, 2), deep = model_of(64, 2), shared = model_of(1, 1);
  const Tensor ids = randint(0, 11, {1, 4}), first = slice(ids, 1, 0, 3), last = slice(ids, 1, 3);
  nn::GenerationCache past;
  model(first, past);
  CHECK_THROWS_WITH_AS(deep(last, past), "Stack(64 blocks): 64 blocks, but 1 caches", ValueError);
  CHECK_THROWS_AS(shared(last, past), ShapeError);
  CHECK(past.length == 3);
  CHECK(difference(model(last, past), slice(model(ids), 1, 3), 1e-6) == "");
}

TEST_CASE("attn-kv-cache: sampling is the same id for id, past the end of the context too, under every encoding") {
  for (const auto& row : nn::position_encodings().variants) {
    CAPTURE(row.name);
    nn::LanguageModel model = model_with(std::string(row.name));
    Generator one(4), same(4);
    const nn::SampleOptions options{.count = 25, .temperature = 1};
    CHECK(nn::sample(model, {1, 2}, options, one) == sampled_anew(model, {1, 2}, options, same));
  }
}

TEST_CASE("attn-kv-cache: with shared heads, a window and qk-norm") {
  manual_seed(8);
  const auto position = nn::position_encodings().find("rope").value({.d_model = 8, .heads = 4, .head_dim = 2, .max_length = 16});
  nn::MultiHeadAttention layer({.d_model = 8, .heads = 4, .kv_heads = 2, .causal = true, .window = 3, .softcap = 5, .qk_norm = "rms"},
                               position);
  layer.to(DType::f64);
  const Tensor x = randn({2, 9, 8}, DType::f64), whole = layer(x);
  nn::KeyValueCache cache;
  Tensors pieces;
  for (const auto& [first, last] : {std::pair{0, 4}, {4, 5}, {5, 9}}) {
    pieces.push_back(layer(slice(x, 1, first, last), {.cache = &cache}));
  }
  CHECK(cache.keys.shape() == Shape{2, 9, 2, 2});
  CHECK(difference(cat(pieces, 1), whole, 1e-14) == "");
}

TEST_CASE("attn-kv-cache: keys keep the positions they were given, those of each sample its own") {
  manual_seed(8);
  const auto position = nn::position_encodings().find("alibi").value({.d_model = 8, .heads = 2, .head_dim = 4, .max_length = 16});
  nn::MultiHeadAttention layer({.d_model = 8, .heads = 2, .causal = true}, position);
  layer.to(DType::f64);
  const Tensor x = randn({2, 4, 8}, DType::f64), positions = tensor({{0, 1, 2, 3}, {4, 6, 7, 9}}, DType::i64);
  const Tensor whole = layer(x, {.positions = positions});
  nn::KeyValueCache cache;
  const auto piece = [&](int64_t first, int64_t last) {
    return layer(slice(x, 1, first, last), {.positions = slice(positions, 1, first, last), .cache = &cache});
  };
  const Tensor first = piece(0, 3), second = piece(3, 4);
  CHECK(difference(cat({first, second}, 1), whole, 1e-14) == "");
  CHECK(equal(cache.positions, positions));
}

TEST_CASE("attn-kv-cache: positions that all samples share and those of each sample's own can follow each other") {
  nn::KeyValueCache cache;
  const auto extend = [&](Tensor positions) {
    Tensor k = zeros({2, positions.size(-1), 1, 1}), v = zeros({2, positions.size(-1), 1, 1});
    cache.extend(k, v, positions);
    CHECK(equal(cache.positions, positions));
    return positions;
  };
  extend(tensor({0, 1, 2}, DType::i64));
  CHECK(equal(extend(tensor({3}, DType::i64)), tensor({0, 1, 2, 3}, DType::i64)));
  CHECK(equal(extend(tensor({{4, 6, 7}, {5, 9, 10}}, DType::i64)), tensor({{0, 1, 2, 3, 4, 6, 7}, {0, 1, 2, 3, 5, 9, 10}}, DType::i64)));
  CHECK(equal(extend(tensor({11, 12, 13}, DType::i64)),
              tensor({{0, 1, 2, 3, 4, 6, 7, 11, 12, 13}, {0, 1, 2, 3, 5, 9, 10, 11, 12, 13}}, DType::i64)));
}

TEST_CASE("MultiHeadAttention: errors of its inputs") {
  nn::MultiHeadAttention layer({.d_model = 8, .heads = 4, .kv_heads = 2}, nullptr);
  const Tensor x = zeros({2, 3, 8});
  nn::KeyValueCache cache;
  CHECK_THROWS_WITH_AS(
      layer(x, {.memory = x, .cache = &cache}),
      "MultiHeadAttention(4 heads of 2, 2 of keys and values): a cache holds the past of self-attention; it cannot be used with a memory",
      ValueError);
  CHECK_THROWS_WITH_AS(layer(x, {.memory = zeros({2, 3, 4})}),
                       "MultiHeadAttention(4 heads of 2, 2 of keys and values): expected [B, T, 8], got [2, 3, 4]", ShapeError);
  CHECK_THROWS_WITH_AS(
      layer(x, {.positions = arange(4)}),
      "MultiHeadAttention(4 heads of 2, 2 of keys and values): x has shape [2, 3, 8], so positions must have shape [3] or [2, 3], got [4]",
      ShapeError);
  CHECK_THROWS_WITH_AS(nn::MultiHeadAttention({.d_model = 8, .heads = 4, .kv_heads = 3}, nullptr),
                       "MultiHeadAttention: 3 heads of keys and values do not divide 4 heads", ValueError);
  CHECK_THROWS_AS(nn::MultiHeadAttention({.d_model = 8, .heads = 4, .qk_norm = "nothing"}, nullptr), ValueError);
}

TEST_CASE("attn-kv-cache: a call that fails leaves the cache as it was") {
  manual_seed(5);
  nn::MultiHeadAttention layer({.d_model = 8, .heads = 2, .causal = true});
  nn::KeyValueCache cache;
  const Tensor first = randn({1, 3, 8}), next = randn({1, 1, 8});
  layer(first, {.cache = &cache});
  const nn::KeyValueCache before = cache;
  CHECK_THROWS_AS(layer(next, {.mask = ones({7, 7}, DType::i64), .cache = &cache}), ShapeError);
  CHECK_THROWS_AS(layer(randn({2, 1, 8}), {.cache = &cache}), ShapeError);
  layer.out_proj.to(DType::f64);
  Tensor values;
  CHECK_THROWS_AS(layer(next, {.first_values = &values, .cache = &cache}), DTypeError);
  CHECK_FALSE(values.defined());
  CHECK(cache.length() == 3);
  CHECK(cache.keys.same_as(before.keys));
  CHECK(cache.positions.same_as(before.positions));
  nn::Stack stack(
      {.attention = {.d_model = 8, .heads = 2, .causal = true}, .feed_forward = {.d_model = 8, .d_ff = 12}, .stack = {.layers = 2}});
  std::vector<nn::KeyValueCache> caches;
  CHECK_THROWS_AS(stack(first, {.self = {.mask = ones({7, 7}, DType::i64)}, .caches = &caches}), ShapeError);
  CHECK(caches.empty());
  stack(first, {.caches = &caches});
  CHECK_THROWS_AS(stack(next, {.self = {.mask = ones({7, 7}, DType::i64)}, .caches = &caches}), ShapeError);
  REQUIRE(caches.size() == 2);
  CHECK(caches[0].length() == 3);
  CHECK(caches[1].length() == 3);
}
