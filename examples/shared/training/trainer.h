// Trainer: a model, its optimizer and its data; one step, one validation, one checkpoint.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "examples/shared/data/corpus.h"
#include "examples/shared/options/train_options.h"
#include "examples/shared/training/causality.h"
#include "optim/ema.h"
#include "optim/optimizer.h"

namespace gradus::examples {

// The text that --data names, or Shakespeare's.
Corpus load_corpus(const TrainOptions& options);

struct StepResult {
  double loss;  // of this batch, z-loss and label smoothing included
  double lr;
  double gradient_norm;  // before clipping
};

class Trainer {
 public:
  Trainer(const TrainOptions& options, const Corpus& corpus);

  // ValueError for a loss or a gradient that is not finite: what made the first NaN or Inf is named, for which the step is
  // made a second time, in anomaly mode. GraphError, in the first step, if a parameter gets no gradient: it is named, and
  // the op or call that cut it off. No weight was changed then.
  StepResult step();
  int64_t steps_done() const { return optimizer_->steps(); }

  // Mean cross-entropy over the validation text, or over at most `batches` batches spread over it; over fewer once `stop` says
  // so, which is asked after each. This and the sample are of the averaged weights where an average is kept.
  double validate(int64_t batches = 0, const std::function<bool()>& stop = [] { return false; });

  // The prompt and `chars` bytes more, or what continues a line break; fewer once `stop` says so, which is asked before
  // each byte beyond the first window.
  std::string sample(int64_t chars, const std::function<bool()>& stop = [] { return false; });
  int64_t parameter_count() { return model_.parameter_count(); }
  nn::LanguageModel& model() { return model_; }

  // Does the blocks' output at a position depend on a later input? Asked of the first 16 bytes of the validation text.
  FutureSeen future_seen();

  // Everything needed to go on exactly, in one safetensors file. Tensors: "model/" and the parameter's path,
  // "optimizer/", what it is, and the parameter's path ("optimizer/first/blocks.0.…"); "average/" and the path, where an
  // average is kept. Metadata: "step", "optimizer", "schedule" (for the reader; it is a function of the step), "options" (those
  // that a resumed run keeps, as JSON), "text" (the corpus' fingerprint), and "generator.NAME.seed" and ".counter" of
  // "batches" and "default". IoError if it cannot be written, and then the old file is still whole.
  void save(const std::filesystem::path& path);
  // Nothing changes unless all of it fits: IoError for a file that is no checkpoint; ValueError for other options, and
  // with a list of all tensors that are missing, unexpected or of another shape. When not strict, loads what fits and
  // returns that list.
  std::vector<std::string> load(const std::filesystem::path& path, io::LoadOptions options = {});
  bool same_text() const { return same_text_; }  // Was the loaded checkpoint's text this one? (An older one does not say.)

 private:
  NamedTensors state();
  double add_gradients();
  [[noreturn]] void refuse(const char* what, const Generator& batches, const Generator& others);

  TrainOptions options_;
  const Corpus& corpus_;
  nn::LanguageModel model_;
  std::unique_ptr<optim::Optimizer> optimizer_;
  std::optional<optim::MovingAverage> average_;
  optim::Schedule schedule_;
  Generator batches_;  // draws the training windows
  bool same_text_ = true;
  bool connected_ = false;  // has a step shown that each parameter gets a gradient?
};

}  // namespace gradus::examples
