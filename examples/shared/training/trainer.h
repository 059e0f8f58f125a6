// Trainer: a model, its optimizer and its data; one step, one validation, one checkpoint.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "examples/shared/data/corpus.h"
#include "examples/shared/options/train_options.h"
#include "examples/shared/training/causality.h"
#include "optim/distributed/reducer.h"
#include "optim/ema.h"
#include "optim/optimizer.h"

namespace gradus::examples {

// The text that --data names, or Shakespeare's.
Corpus load_corpus(const TrainOptions& options);

struct StepResult {
  double loss;  // of this batch, with z-loss, label smoothing and the balance of experts
  double lr;
  double gradient_norm;  // before clipping
};

class Trainer {
 public:
  // With a link, one of several ranks, each of which has such a trainer and computes its share of the micro-batches: the same bits
  // at 1, 2, 4 … ranks, but for options.all_reduce that adds in no binary tree. Rank 0 is told what to do, the others serve().
  // ValueError on all ranks unless they have the same program, options and text.
  Trainer(const TrainOptions& options, const Corpus& corpus, distributed::Link* link = nullptr);

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

  void serve();    // of a rank above 0: takes part in every step and validation of rank 0, until that calls dismiss()
  void dismiss();  // of rank 0
  // What each rank did when in the last step, as JSON: a list of {kind, what, begin, end}.
  std::vector<std::string> timelines();

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
  // What rank 0 asks of all ranks.
  enum class Order : int64_t { step, validate, tell_timeline, end };
  struct Task {
    Order order = Order::end;
    int64_t first = 0, count = 0;
  };
  Task next(Task task);  // on rank 0 it tells the others, who get to know it
  StepResult step_together();
  std::vector<double> validate_together(int64_t first, int64_t count);

  NamedTensors state();
  double learn(const Batch& batch);
  double add_gradients();
  template <typename Visit> void for_own_batches(const Visit& visit);
  void draw_for(int64_t micro_batch);
  void refuse(const char* what, const Generator& batches, const Generator& others);

  distributed::Alone alone_;
  distributed::Link& link_;
  TrainOptions options_;
  const Corpus& corpus_;
  nn::LanguageModel model_;
  std::unique_ptr<optim::Optimizer> optimizer_;
  std::optional<optim::MovingAverage> average_;
  optim::Schedule schedule_;
  distributed::Timeline timeline_;
  std::optional<distributed::Reducer> reducer_;
  Generator batches_;  // draws the training windows
  bool same_text_ = true;
  bool connected_ = false;  // has a step shown that each parameter gets a gradient?
};

}  // namespace gradus::examples
