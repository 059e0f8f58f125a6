// LanguageModel: ids to the scores of every next id. Embedding → blocks → final norm → projection to the vocabulary.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/kernels/random.h"
#include "nn/block/block.h"
#include "nn/dropout.h"
#include "nn/embedding.h"
#include "nn/linear.h"

namespace gradus::nn {

struct LanguageModelOptions {
  int64_t vocabulary = 256;  // 256: bytes
  int64_t context = 64;      // the longest sequence
  int64_t d_model = 128;
  int64_t layers = 4;
  int64_t heads = 4;
  int64_t d_ff = 384;
  std::string norm = "rms";  // names in the families' tables
  std::string placement = "pre";
  std::string position = "rope";
  std::string feed_forward = "swiglu";
  double dropout = 0;
  bool tie_weights = true;  // the head's weight *is* the embedding's: one parameter, its gradients add
};

class LanguageModel : public Layer {
 public:
  // ValueError for an unknown variant (with the nearest name), sizes that are not positive, heads that do not divide.
  explicit LanguageModel(const LanguageModelOptions& options);

  // ids [B, T] (i64), T <= context (ValueError), to logits [B, T, vocabulary].
  Tensor forward(const Tensor& ids) override;
  void members(Members& m) override;
  std::string name() const override;
  const LanguageModelOptions& options() const { return options_; }

 private:
  void initialize();

  LanguageModelOptions options_;
  Embedding embedding_;
  Dropout dropout_;
  PositionPtr position_;  // shared by all blocks
  std::vector<Block> blocks_;
  LayerPtr final_norm_;
  std::optional<Linear> head_;  // none when tied
};

struct SampleOptions {
  int64_t count = 200;       // ids to add
  double temperature = 0.8;  // ValueError unless positive
};
// Continues `ids` by drawing from the model's distribution, one id after the other. Leaves the model in the mode it
// was in.
std::vector<int64_t> sample(LanguageModel& model, std::vector<int64_t> ids, const SampleOptions& options,
                            Generator& generator);

}  // namespace gradus::nn
