#include "examples/ch07_attention/too_good.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "core/core.h"
#include "examples/ch07_attention/pictures.h"
#include "examples/shared/data/corpus.h"
#include "examples/shared/training/causality.h"

namespace gradus::examples {
namespace {

constexpr int64_t kSteps = 300, kBatch = 16;
const char* const kRight = "nn::attention";

void train(Trained& one, const AttentionFunction& attention, const Corpus& corpus, std::uint64_t seed) {
  manual_seed(seed);
  SmallModel model({.attention = attention});
  Generator generator(seed + 1);
  const std::vector<double> curve = fit(model, kSteps, [&] {
    const Batch batch = corpus.random_batch(kBatch, generator);
    return nn::cross_entropy(model(batch.inputs), batch.targets);
  });
  const NoGrad off;
  constexpr int64_t count = 8;
  double loss = 0;
  for (int64_t i = 0; i < count; ++i) {
    const Batch batch = corpus.validation_batch(i * (corpus.validation_batches(32) - 1) / count, 32);
    loss += nn::cross_entropy(model(batch.inputs), batch.targets).item() / count;
  }
  one.losses.push_back(loss);
  if (one.curve.empty()) one.curve = curve;
}

// Means of ten steps each.
Line curve_of(const Trained& one, const std::string& colour) {
  Line line{.name = one.name, .x = {}, .y = {}, .colour = colour};
  for (std::size_t step = 0; step + 10 <= one.curve.size(); step += 10) {
    line.x.push_back(static_cast<double>(step) + 5);
    line.y.push_back(std::accumulate(one.curve.begin() + static_cast<std::ptrdiff_t>(step),
                                     one.curve.begin() + static_cast<std::ptrdiff_t>(step) + 10, 0.0) /
                     10);
  }
  return line;
}

double spread_of(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end()) - *std::min_element(values.begin(), values.end());
}

}  // namespace

Numbers map_of(const AttentionFunction& attention, std::uint64_t seed) {
  manual_seed(seed);
  SmallModel model({.attention = attention});
  return causality_map([&](const Tensor& x) { return model.blocks(x); }, randn({1, 12, 48}));
}

std::vector<Trained> train_all(Chapter& chapter, const std::string& bug) {
  const Corpus corpus = Corpus::shakespeare(32);
  std::vector<Trained> all{{kRight}};
  for (std::uint64_t seed = 0; seed < (chapter.full() ? 4 : 2); ++seed) {
    train(all[0], nn::attention, corpus, chapter.seed() + seed);
  }
  for (const PublishedAttention& wrong : wrong_attentions()) {
    if (wrong.id != bug && !chapter.full()) continue;
    all.push_back({wrong.id});
    train(all.back(), wrong.function, corpus, chapter.seed());
  }
  for (const Trained& one : all) chapter.number("text." + path_of(one.name), one.losses);
  return all;
}

const Trained& named(const std::vector<Trained>& all, const std::string& name) {
  for (const Trained& one : all) {
    if (one.name == name) return one;
  }
  throw ValueError(fmt::format("'{}' was not trained", name));
}

void write_losses(Chapter& chapter, const std::vector<Trained>& all, const std::string& bug) {
  const Trained &right = all[0], &wrong = named(all, bug);
  const double least = *std::min_element(right.losses.begin(), right.losses.end()), spread = spread_of(right.losses);
  std::string better;
  for (const Trained& one : all) {
    if (one.name != kRight && one.losses[0] < least - 10 * spread) better += (better.empty() ? "" : ", ") + one.name;
  }
  const bool leaks = better.find(bug) != std::string::npos;
  Plot plot{
      .title = "Training loss of the right and of a wrong attention",
      .alt = fmt::format("Line plot. x: step from 0 to {}; y: loss from 0 to 5.6 nats. Both begin at 5.5; the right attention ends at {}, "
                         "{} at {}.",
                         kSteps, shown(right.losses[0]), bug, shown(wrong.losses[0])),
      .x = {"step", false, 0, static_cast<double>(kSteps)},
      .y = {"loss (nats)", false, 0, 5.7},
      .lines = {curve_of(right, "ink"), curve_of(wrong, "wrong")}};
  plot.lines[0].name = "right";
  plot.lines[1].name = "wrong";
  chapter.report.section("loss", leaks ? "Too good to be true" : "What the loss says");
  const bool worse = wrong.losses[0] > least + 2 * spread;
  chapter.report.figure(
      {leaks   ? "The wrong one wins by far. It does not guess better: it reads the answer."
       : worse ? "The wrong one is worse: this mistake one would notice, if one had the right one beside it."
               : "The loss cannot tell the wrong one from the right.",
       draw(plot),
       fmt::format("Mean loss of ten batches each; “wrong” is {}. On validation text: right {} to {} nats over {} seeds, wrong "
                   "{}. Guessing is ln 256 = 5.55. Bytes of Shakespeare, context 32, two blocks of d = 48, batch "
                   "{}.",
                   bug, shown(least), shown(least + spread), right.losses.size(), shown(wrong.losses[0]), kBatch)});
  const bool refuted = !better.empty();
  const Verdict verdict = refuted ? Verdict::refuted : Verdict::undecided;
  chapter.word("claim.loss-proves-the-model", seen_here(verdict));
  chapter.report.claim("loss-proves-the-model", "The lower the validation loss, the better the model.", badge(verdict, seen_here(verdict)),
                       fmt::format("Right: {} to {} nats over {} seeds. {} Rule: not seen if an attention that is wrong lies more than ten "
                                   "spreads below the least of the right one.",
                                   shown(least), shown(least + spread), right.losses.size(),
                                   refuted ? "Wrong and far below: " + better + "." : "No wrong one that was trained lies below."));
}

void write_mistakes(Chapter& chapter, const std::vector<Trained>& all, const std::string& bug) {
  std::vector<Panel> maps;
  ReportTable losses{
      "What the loss says of those that were trained; more with <code>--full</code>.", {{"attention"}, {"loss", "nats", true}}, {}};
  for (const Trained& one : all) losses.rows.push_back({"<code>" + one.name + "</code>", shown(one.losses[0])});
  const auto probes = [&](const PublishedAttention& attention) {
    const Numbers map = map_of(attention.function, chapter.seed());
    const double future = greatest_of_future(map);
    if (attention.id != "right") {
      maps.push_back({attention.id, future > 0 ? "sees the future: " + shown(future) : "causal: exactly 0", causal_picture(map)});
    }
    std::vector<Probe> found = probes_of(attention, chapter.seed());
    found.insert(found.begin(), {"future", "greatest ‖∂outₜ/∂inₛ‖ above the diagonal", future});
    return found;
  };
  write_published(chapter, right_attention(), wrong_attentions(), bug, probes);
  chapter.report.figure({"What leaks, the map shows at once. What is only scaled wrongly, it cannot: that takes a comparison of values.",
                         panels(maps),
                         "The same map for each mistake, in the same model with random weights. Empty cells are exactly 0. "
                         "<code>--bug ID</code> puts one beside the right one throughout."});
  chapter.report.table(losses);
}

}  // namespace gradus::examples
