// A small GPT of parts that can be exchanged.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"
#include "examples/exercises/in_place/parts.h"
#include "examples/shared/data/corpus.h"

namespace gradus::exercises {

// A table, two blocks of attention and a gated layer, each with its norm, and the table again: of bytes.
class LanguageModel : public Learner {
 public:
  static constexpr int64_t kBatch = 4, kContext = 32, kWidth = 32, kHeads = 2;

  explicit LanguageModel(const GptParts& parts = {});
  LanguageModel(const LanguageModel&) = delete;  // its blocks point into it

  Tensor loss() override;
  Tensor loss_of(const Tensor& inputs, const Tensor& targets);  // [B, T] ids
  examples::Batch next_batch();
  std::size_t first_gain() const { return blocks_[0].gain1; }  // which parameter it is

  // Bytes one after the other, from a line's end on, the whole text read anew for each unless there is a cache; with what each was
  // drawn by.
  std::string write(int count, double temperature, Seen* seen = nullptr);

  Seen seen_in(const std::string& text);  // each result, by its name, without gradients

 private:
  struct Block {
    std::string name;
    const Parts* parts;
    std::size_t gain1, gain2, query, key, value, out, gate, up, down;
    std::vector<Kept> kept;  // of each head
  };

  Block make_block(const std::string& name, const Parts& parts);
  std::size_t make_gain(const std::string& name);
  Tensor scores_of(const Tensor& ids);
  Tensor run(Block& block, const Tensor& x, int64_t texts);
  Part normed(const Parts& parts, const std::string& name, std::size_t gain);
  Tensor attend(Block& block, const Tensor& h, int64_t texts);
  Tensor attend_in(Block& block, const Tensor& q, const Tensor& k, const Tensor& v);  // of one text, [H, T, d]
  Tensor feed_forward(const Block& block, const Tensor& h);

  GptParts parts_;
  examples::Corpus plays_;
  Generator batches_{1};
  std::size_t table_ = 0, gain_ = 0;
  std::vector<Block> blocks_;
  bool with_cache_ = false;
};

}  // namespace gradus::exercises
