// A small language model whose parts can be exchanged: the library's, or a student's functions in their place.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"
#include "examples/exercises/in_place/training.h"
#include "examples/shared/data/corpus.h"

namespace gradus::exercises {

using Part = std::function<Tensor(const Tensor& x)>;  // a sublayer, or a norm
using Placement = std::function<Tensor(const Tensor& x, const Part& f1, const Part& f2, const Part& norm1, const Part& norm2)>;
using Turn = std::function<Tensor(const Tensor& x, const Tensor& positions)>;

// What a head has of the tokens before: keys and values, and how many tokens it has read.
struct Kept {
  Tensor k, v;
  int64_t read = 0;
};

// Tensors of two axes are [rows, n], a row for each token of all texts, or [T, d], of one head; in f64.
struct Parts {
  std::function<Tensor(const Tensor& x, int64_t texts)> embed;  // of the embeddings, before the first block
  std::function<Tensor(const Tensor& x, const Tensor& gain, const Tensor& bias)> norm;
  bool has_bias = false;  // that of the norm
  std::function<Tensor(const Tensor& a, const Tensor& b)> product;  // of matrices
  std::function<Tensor(const Tensor& a, const Tensor& b)> multiply;
  std::function<Tensor(const Tensor& x)> activation;
  std::function<Tensor(const Tensor& x, const Tensor& w1, const Tensor& w2, const Tensor& w3)> feed_forward;  // empty: of those above
  Turn rope;
  std::function<Tensor(const Tensor& q, const Tensor& k, const Tensor& v)> attention;  // [H, T, d], causal
  std::function<Tensor(const Tensor& q, const Tensor& k, const Tensor& v, const Turn& rope, Kept& kept)> cached;  // of new tokens; empty: no cache
  std::function<Tensor(const Tensor& x, int64_t heads)> split_heads;  // [B, T, H d] to [B, H, T, d]
  std::function<Tensor(const Tensor& x)> merge_heads;                 // and back
  std::vector<Placement> blocks;
  std::function<Tensor(const Tensor& scores, const Tensor& targets)> loss;  // of [rows, classes], [rows] (i64)
  Descent descent;
  std::function<Tensor(const Tensor& scores, const std::vector<int>& seen)> next;  // the probabilities of the next byte, [1, 256]
  int written = 0;  // bytes that are written after the training
};
Parts library_parts();
inline constexpr double kAlpha = 1.4;  // DeepNorm’s α

// A table, blocks of attention and a gated layer, each with its norm, and the table again: of bytes.
class LanguageModel : public Learner {
 public:
  static constexpr int64_t kBatch = 4, kContext = 16;

  explicit LanguageModel(const Parts& parts);

  Tensor loss() override;
  Tensor loss_of(const Tensor& inputs, const Tensor& targets);  // [B, T] ids
  examples::Batch next_batch();
  std::size_t first_gain() const { return blocks_[0].gain1; }  // which parameter it is
  void switch_dropout(bool on) { dropout_ = on; }

  // Bytes one after the other, from a line's end on; with what each was drawn by.
  std::string write(int count, Seen& seen);

 private:
  struct Block {
    std::string name;
    std::size_t gain1, bias1, gain2, bias2, query, key, value, out, gate, up, down;
    std::vector<Kept> kept;  // of each head
  };

  Block make_block(const std::string& name);
  std::size_t make_gain(const std::string& name);
  std::size_t make_bias(const std::string& name);
  Tensor scores_of(const Tensor& ids);
  Tensor run(std::size_t number, const Tensor& x, int64_t texts);
  Part normed(const std::string& name, std::size_t gain, std::size_t bias);
  Tensor attend(Block& block, const Tensor& h, int64_t texts);
  Tensor attend_in(Block& block, const Tensor& q, const Tensor& k, const Tensor& v);  // of one text, [H, T, d]
  Tensor feed_forward(const Block& block, const Tensor& h);

  Parts parts_;
  examples::Corpus plays_;
  Generator batches_{1};
  std::size_t table_ = 0, gain_ = 0, bias_ = 0;
  std::vector<Block> blocks_;
  bool dropout_ = false, with_cache_ = false;
};

Training train_language_model(const Parts& parts, int steps, const Tell& tell = {});

}  // namespace gradus::exercises
