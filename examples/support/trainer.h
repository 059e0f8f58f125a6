// Trainer: a model, its optimizer and its data; one step, one validation, one checkpoint.
#pragma once

#include <filesystem>
#include <memory>

#include "examples/support/corpus.h"
#include "examples/support/train_options.h"
#include "optim/optimizer.h"

namespace gradus::examples {

struct StepResult {
  double loss;           // of this batch, z-loss included
  double lr;
  double gradient_norm;  // before clipping
};

class Trainer {
 public:
  Trainer(const TrainOptions& options, const Corpus& corpus);

  StepResult step();
  int64_t steps_done() const { return optimizer_->steps(); }

  // Mean cross-entropy over the validation text, or over at most `batches` batches spread over it.
  double validate(int64_t batches = 0);

  std::string sample(int64_t chars);  // continues a line break
  int64_t parameter_count() { return model_.parameter_count(); }

  // Everything needed to go on exactly: parameters, moments, step and generators. IoError if it cannot be written, and
  // then the old file is still whole.
  void save(const std::filesystem::path& path);
  void load(const std::filesystem::path& path);

 private:
  TrainOptions options_;
  const Corpus& corpus_;
  nn::LanguageModel model_;
  std::unique_ptr<optim::Optimizer> optimizer_;
  Generator batches_;  // draws the training windows
};

}  // namespace gradus::examples
