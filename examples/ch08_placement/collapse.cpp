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
  std::string name, placement;
  double rate;
  std::string colour;
  bool dashed = false;
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

std::string plot_of(const std::vector<CollapseRun>& runs, const std::string& title, const Axis& y,
                    std::vector<double> CollapseRun::* values) {
  Plot plot{.title = title,
            .alt = fmt::format("Line plot. x: step from 0 to {}; y: {}.", kCollapseSteps, y.name),
            .x = {"step", false, 0, static_cast<double>(kCollapseSteps)},
            .y = y,
            .lines = {}};
  for (const CollapseRun& run : runs) {
    plot.lines.push_back({.name = run.name, .x = kObserved, .y = run.*values, .colour = run.colour, .dashed = run.dashed});
    plot.alt += fmt::format(" {}: {} at the end.", run.name, shown((run.*values).back()));
  }
  return draw(plot);
}

}  // namespace

double alike(const Tensor& x) {
  const Tensor rows = reshape(cast(x, DType::f64), {-1, x.size(-1)});
  return (sum(square(mean(rows, {0}))) / mean(sum(square(rows), {1}))).item();
}

void rank_collapse(Chapter& chapter) {
  const Corpus corpus = Corpus::shakespeare(StackChoice{}.context);
  std::vector<CollapseRun> runs{{"pre at 0.004", "pre", 4e-3, "f1"},
                                {"post at 0.004", "post", 4e-3, "f2"},
                                {"DeepNorm at 0.004", "deepnorm", 4e-3, "f3"},
                                {"DeepNorm at 0.002", "deepnorm", 2e-3, "f3", true}};
  chapter.number("collapse.steps", kObserved);
  for (CollapseRun& run : runs) {
    train(run, corpus, chapter.seed());
    const std::string path = fmt::format("collapse.{}{}", run.placement, run.dashed ? "_slow" : "");
    chapter.number(path + ".alike", run.alike);
    chapter.number(path + ".before_norm", run.before_norm);
    chapter.number(path + ".gradient", run.gradient);
    chapter.number(path + ".loss", run.loss);
  }
  chapter.tell(
      fmt::format("12 blocks after {} steps: gradient of the lowest block\n  pre {}, post {}, DeepNorm {}, at half the "
                  "rate {}",
                  kCollapseSteps, shown(runs[0].gradient.back(), 2), shown(runs[1].gradient.back(), 2), shown(runs[2].gradient.back(), 2),
                  shown(runs[3].gradient.back(), 2)));
  chapter.report.section("collapse", "How a deep stack dies");
  chapter.report.figure(
      {"The first steps make all rows one. Pre-norm finds back, as its stream goes around the norms; where a norm stands on "
       "the stream, the rows’ differences get no gradient.",
       plot_of(runs, "How alike the rows at the top are", {"‖mean row‖² / mean ‖row‖²", false, 0, 1}, &CollapseRun::alike) +
           plot_of(runs, "Gradient of the lowest block", {"‖dL/dθ‖ of block 1", true}, &CollapseRun::gradient),
       "12 blocks of d = 32, layer norm, ReLU, Xavier normal, batch 4 × 32 bytes of Shakespeare, AdamW without warm-up, one "
       "seed. Measured on the same validation batch."});
}

}  // namespace gradus::examples
