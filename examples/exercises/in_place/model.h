// A small language model of parts that can be exchanged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"
#include "examples/exercises/in_place/parts.h"
#include "examples/shared/data/corpus.h"

namespace gradus::exercises {

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
