// The smallest language model of bytes that still looks back, and its training on a few thousand bytes.
#pragma once

#include <optional>

#include "core/tensor/generator.h"
#include "examples/widgets/small_block.h"
#include "nn/embedding.h"
#include "nn/norm/rms_norm.h"
#include "optim/adam.h"

namespace gradus::widgets {

// One block of width 32 between one table's two uses, in f64.
struct TinyModel : nn::Module {
  static constexpr std::int64_t kMostRead = 128;

  explicit TinyModel(std::int64_t context);

  Tensor operator()(const Tensor& ids);  // [B, T], T at most the context, to the scores of each next byte [B, T, 256]
  // The scores [256] of the byte after this text, which comes after what `past` holds. No byte sees more than the last `context`.
  // `past` may hold kMostRead bytes in all (ValueError).
  Tensor next(std::string_view text, nn::KeyValueCache& past);
  void members(nn::Members& m) override;

  nn::Embedding table;
  SmallBlock block;
  nn::RMSNorm norm;

 private:
  Tensor stream(const Tensor& ids, nn::KeyValueCache* past);
};

// What a training depends on.
struct TinyTrainingOptions {
  std::string text;
  double learning_rate;
  std::int64_t context;
  std::uint64_t seed;
  bool operator==(const TinyTrainingOptions&) const = default;
};

// Adam on four random windows of the text a step.
class TinyTraining {
 public:
  // ValueError for a text of no more than `context` bytes.
  explicit TinyTraining(const TinyTrainingOptions& options);

  void take_step();
  const TinyTrainingOptions& options() const { return options_; }
  std::int64_t step() const { return static_cast<std::int64_t>(losses_.size()) - 1; }
  const std::vector<double>& losses() const { return losses_; }  // [s]: of the windows of step s + 1, before that step
  TinyModel& model() { return model_; }

 private:
  Tensor loss_of_next_windows();

  TinyTrainingOptions options_;
  TinyModel model_;
  optim::Adam optimizer_;
  Generator windows_;
  Tensor loss_;  // of the next step, on the tape
  std::vector<double> losses_;
};

}  // namespace gradus::widgets
