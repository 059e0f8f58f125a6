#include "examples/ch08_placement/collapse.h"

#include <cmath>

#include "core/core.h"
#include "examples/shared/data/corpus.h"
#include "examples/shared/study/deep_stack.h"
#include "nn/loss/cross_entropy.h"

namespace gradus::examples {
namespace {

constexpr int64_t kCollapseSteps = 200;
const std::vector<double> kObserved{0, 3, 10, 20, 30, 60, 100, 150, 200};

struct CollapseRun {
  std::string path, placement;
  double rate;
  std::vector<double> alike = {}, before_norm = {}, gradient = {}, loss = {};  // at the observed steps
};

// How alike the stack's rows are, and the size of what its last norm is given: of the stream, or of the sum that the tape has
// before the last block's norm.
void observe_top(CollapseRun& run, nn::LanguageModel& model, const Tensor& ids) {
  std::vector<nn::Stream> trace;
  run.alike.push_back(alike(model.stack()(model.embed(ids), {.trace = &trace})));
  const Tensor& top = trace.back().x;
  const Tensor given = run.placement == "pre" ? top : top.node()->input(0);
  run.before_norm.push_back(std::sqrt(mean(square(given)).item()));
}

void train(CollapseRun& run, const Corpus& corpus, std::uint64_t seed) {
  const StackChoice choice{.placement = run.placement, .depth = 12, .d_model = 32};
  const Batch watched = corpus.validation_batch(0, choice.batch);
  trained_stack(choice, {.max_lr = run.rate, .warmup = 0}, kCollapseSteps + 1, corpus, seed,
                [&](int64_t step, nn::LanguageModel& model, double) {
                  if (static_cast<double>(step) != kObserved[run.alike.size()]) return;
                  observe_top(run, model, watched.inputs);
                  run.gradient.push_back(layer_signals(model, watched.inputs, watched.targets)[1].parameter_gradient);
                  const NoGrad off;
                  run.loss.push_back(nn::cross_entropy(model(watched.inputs), watched.targets).item());
                });
}

}  // namespace

double alike(const Tensor& x) {
  const Tensor rows = reshape(cast(x, DType::f64), {-1, x.size(-1)});
  return (sum(square(mean(rows, {0}))) / mean(sum(square(rows), {1}))).item();
}

void rank_collapse(Chapter& chapter) {
  const Corpus corpus = Corpus::shakespeare(StackChoice{}.context);
  std::vector<CollapseRun> runs{{"collapse.pre", "pre", 4e-3},
                                {"collapse.post", "post", 4e-3},
                                {"collapse.deepnorm", "deepnorm", 4e-3},
                                {"collapse.deepnorm_slow", "deepnorm", 2e-3}};
  chapter.number("collapse.steps", kObserved);
  for (CollapseRun& run : runs) {
    train(run, corpus, chapter.seed());
    chapter.number(run.path + ".alike", run.alike);
    chapter.number(run.path + ".before_norm", run.before_norm);
    chapter.number(run.path + ".gradient", run.gradient);
    chapter.number(run.path + ".loss", run.loss);
  }
  chapter.tell(
      fmt::format("12 blocks after {} steps: gradient of the lowest block\n  pre {}, post {}, DeepNorm {}, at half the "
                  "rate {}",
                  kCollapseSteps, shown(runs[0].gradient.back(), 2), shown(runs[1].gradient.back(), 2), shown(runs[2].gradient.back(), 2),
                  shown(runs[3].gradient.back(), 2)));
}

}  // namespace gradus::examples
