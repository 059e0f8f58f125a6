#include "examples/ch08_placement/training.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "core/core.h"
#include "examples/shared/data/corpus.h"
#include "nn/loss/cross_entropy.h"
#include "optim/adam.h"

namespace gradus::examples {
namespace {

constexpr int64_t kSteps = 300, kWarmup = 150;
constexpr double kRate = 2e-3;

struct Run {
  std::string name, placement;
  int64_t warmup = 0;
  std::vector<std::vector<double>> gradients = {};  // of the blocks' parameters, after 0, 10, 100 and kSteps steps
  std::vector<double> losses = {};
};

void observe(Run& run, nn::LanguageModel& model, const Batch& batch) {
  std::vector<double> row;
  for (const LayerSignal& signal : layer_signals(model, batch.inputs, batch.targets)) row.push_back(signal.parameter_gradient);
  run.gradients.emplace_back(row.begin() + 1, row.end());  // the first belongs to no block
}

void train(Run& run, const Corpus& corpus, int64_t depth, std::uint64_t seed) {
  const StackChoice choice{.placement = run.placement, .depth = depth, .d_model = 32};
  const Batch watched = corpus.validation_batch(0, choice.batch);
  trained_stack(choice, {.max_lr = kRate, .warmup = run.warmup}, kSteps + 1, corpus, seed,
                [&](int64_t step, nn::LanguageModel& model, double loss) {
                  if (step == 0 || step == 10 || step == 100 || step == kSteps) observe(run, model, watched);
                  run.losses.push_back(loss);
                });
}

double at_the_end(const Run& run) { return std::accumulate(run.losses.end() - 20, run.losses.end(), 0.0) / 20; }

}  // namespace

std::vector<double> overfit(const StackChoice& choice, std::uint64_t seed, int64_t steps) {
  manual_seed(seed);
  nn::LanguageModel model = stack_of(choice);
  optim::AdamW optimizer(model.named_parameters(), {.lr = 1e-3});
  const Tensor ids = randint(0, 256, {choice.batch, choice.context}), targets = randint(0, 256, {choice.batch, choice.context});
  std::vector<double> losses;
  for (int64_t step = 0;; ++step) {
    const Tensor loss = nn::cross_entropy(model(ids), targets);
    losses.push_back(loss.item());
    if (step == steps) return losses;
    loss.backward();
    optimizer.step();
    optimizer.zero_grad();
  }
}

namespace {

// What warm-up gains a placement at the end, in three seeds, sorted. `done`: runs of the first seed that need not be repeated.
std::vector<double> warmup_gains(const std::string& placement, const std::vector<Run>& done, const Corpus& corpus, int64_t depth,
                                 std::uint64_t seed) {
  std::vector<double> gains;
  for (const std::uint64_t one : {seed, seed + 1, seed + 2}) {
    const auto end_of = [&](int64_t warmup) {
      for (const Run& run : done) {
        if (one == seed && run.placement == placement && run.warmup == warmup) return at_the_end(run);
      }
      Run run{"", placement, warmup};
      train(run, corpus, depth, one);
      return at_the_end(run);
    };
    gains.push_back(end_of(0) - end_of(kWarmup));
  }
  std::sort(gains.begin(), gains.end());
  return gains;
}

void judge_warmup(Chapter& chapter, const std::vector<Run>& done, const Corpus& corpus, int64_t depth) {
  const std::vector<double> post = warmup_gains("post", done, corpus, depth, chapter.seed()),
                            pre = warmup_gains("pre", done, corpus, depth, chapter.seed());
  chapter.number("training.warmup_gains", post);
  chapter.number("training.warmup_gain", post[1]);
  chapter.number("training.warmup_gains_pre", pre);
  const Verdict verdict = post[1] < 0 || pre[1] > post[1]         ? Verdict::refuted
                          : post[1] > 0.1 && pre[1] < post[1] / 2 ? Verdict::confirmed
                                                                  : Verdict::undecided;
  chapter.claim("warmup-rescues-post-norm", "Post-norm needs a warm-up of the learning rate; pre-norm does not.", verdict,
                fmt::format("Mean loss of the last 20 steps, without a warm-up less with one, three seeds each: post-norm {} to {}, "
                            "pre-norm {} to {}. {} blocks, one rate. Rule, of the middle seeds: seen here if post-norm gains more than "
                            "0.1 nats and pre-norm less than half of that; not seen if post-norm loses, or gains less than pre-norm.",
                            shown(post[0]), shown(post[2]), shown(pre[0]), shown(pre[2]), depth));
}

}  // namespace

void in_training(Chapter& chapter, int64_t depth) {
  const Corpus corpus = Corpus::shakespeare(StackChoice{}.context);
  std::vector<Run> runs{{"pre", "pre"}, {"post", "post"}, {"post_warmup", "post", kWarmup}, {"deepnorm", "deepnorm"}};
  for (Run& run : runs) {
    train(run, corpus, depth, chapter.seed());
    const std::string path = "training." + run.name;
    chapter.series(path, run.losses);
    chapter.number(path + ".gradients", run.gradients);
    chapter.number(path + ".loss", at_the_end(run));
  }
  const double post = at_the_end(runs[1]), warmed = at_the_end(runs[2]), pre = at_the_end(runs[0]);
  chapter.tell(
      fmt::format("{} blocks, {} steps at a rate of {}: loss\n  pre {:.2f}, post {:.2f}, post with warm-up {:.2f}, DeepNorm {:.2f}", depth,
                  kSteps, kRate, pre, post, warmed, at_the_end(runs[3])));
  judge_warmup(chapter, runs, corpus, depth);
}

}  // namespace gradus::examples
