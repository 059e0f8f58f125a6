#include "examples/exercises/in_place/translator.h"

#include <algorithm>

#include "core/core.h"
#include "nn/nn.h"

namespace gradus::exercises {
namespace in_translator {
namespace {

constexpr int64_t kLetters = 12, kBegin = kLetters, kLongest = 7, kWidth = 16, kHeads = 2;
constexpr int kTexts = 8;

// A word stands at the end of the source, after padding; the target is the word from its last letter to its first.
struct Pair {
  std::vector<int64_t> source, is_word, target;
};

Pair drawn_pair(Generator& random) {
  const int64_t length = randint(3, kLongest + 1, {1}, random).data<int64_t>()[0];
  const Tensor letters = randint(1, kLetters, {length}, random);
  Pair pair{std::vector<int64_t>(kLongest, 0), std::vector<int64_t>(kLongest, 0), {}};
  for (int64_t i = 0; i < length; ++i) {
    const auto place = static_cast<std::size_t>(kLongest - length + i);
    pair.source[place] = letters.data<int64_t>()[i];
    pair.is_word[place] = 1;
    pair.target.insert(pair.target.begin(), pair.source[place]);
  }
  return pair;
}

Tensor row_of(const std::vector<int64_t>& ids) { return from_vector(ids, {static_cast<int64_t>(ids.size())}); }

class Translator : public Learner {
 public:
  explicit Translator(AskSource ask) : ask_(std::move(ask)) {
    table_ = make("the table", {kLetters + 1, kWidth}, 0.5);
    places_ = make("the source's positions", {kLongest, kWidth}, 0.5);
    asking_ = make("the target's positions", {kLongest, kWidth}, 0.5);
    for (const char* name : {"the query weights", "the key weights", "the value weights", "the out weights"}) {
      weights_.push_back(make(name, {kWidth, kWidth}, 0.25));
    }
    up_ = make("the up weights", {kWidth, 2 * kWidth}, 0.2);
    down_ = make("the down weights", {2 * kWidth, kWidth}, 0.2);
  }

  Tensor loss() override {
    Tensors scores;
    std::vector<int64_t> targets;
    for (int i = 0; i < kTexts; ++i) {
      const Pair pair = drawn_pair(batches_);
      scores.push_back(see("the scores of a word", scores_of(pair)));
      targets.insert(targets.end(), pair.target.begin(), pair.target.end());
    }
    return see("the loss", nn::cross_entropy(cat(scores, 0), row_of(targets)));
  }

 private:
  Tensor scores_of(const Pair& pair) const {
    const Tensor memory = see("the memory", encode(pair.source));
    std::vector<int64_t> read(pair.target);
    std::rotate(read.rbegin(), read.rbegin() + 1, read.rend());  // each letter is said from the one before it
    read[0] = kBegin;
    Tensor x = embedded(read) + slice(value(asking_), 0, 0, static_cast<int64_t>(read.size()));
    x = x + see("cross-attention", ask_(x, memory, value(weights_[0]), value(weights_[1]), value(weights_[2]), value(weights_[3]),
                                        row_of(pair.is_word), kHeads));
    x = x + matmul(nn::act::silu(matmul(x, value(up_))), value(down_));
    return matmul(x, transpose(value(table_)));
  }

  Tensor embedded(const std::vector<int64_t>& ids) const { return index_select(value(table_), 0, row_of(ids)); }
  Tensor encode(const std::vector<int64_t>& source) const { return tanh(embedded(source) + value(places_)); }

  AskSource ask_;
  Generator batches_{1};
  std::size_t table_ = 0, places_ = 0, asking_ = 0, up_ = 0, down_ = 0;
  std::vector<std::size_t> weights_;  // of queries, keys, values and outputs
};

}  // namespace
}  // namespace in_translator

AskSource library_cross_attention() {
  return [](const Tensor& x, const Tensor& memory, const Tensor& w_q, const Tensor& w_k, const Tensor& w_v, const Tensor& w_o, const Tensor& is_word,
            int64_t heads) {
    const auto apart = [=](const Tensor& all) { return reshape(all, {1, all.size(0), heads, all.size(1) / heads}); };
    const Tensor mask = reshape(is_word, {1, 1, 1, memory.size(0)});
    const Tensor y = nn::attention(apart(matmul(x, w_q)), apart(matmul(memory, w_k)), apart(matmul(memory, w_v)), {.mask = mask});
    return matmul(reshape(y, x.shape()), w_o);
  };
}

Training train_translator(const AskSource& ask, int steps, const Tell& tell) {
  in_translator::Translator translator(ask);
  return train(translator, library_descent(), steps, tell);
}

}  // namespace gradus::exercises
