#include "examples/support/ch07/too_good.h"

#include <algorithm>
#include <cstdlib>

#include "core/core.h"
#include "examples/support/causality.h"
#include "examples/support/ch07/pictures.h"
#include "examples/support/corpus.h"

namespace gradus::examples {
namespace {

constexpr int64_t kSteps = 300, kBatch = 16;
const char* const kRight = "nn::attention";

double validation_loss(const AttentionFunction& attention, const Corpus& corpus, std::uint64_t seed) {
  manual_seed(seed);
  SmallModel model({.attention = attention});
  Generator generator(seed + 1);
  fit(model, kSteps, [&] {
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
  return loss;
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
  const char* root = std::getenv("GRADUS_ROOT");
  const Corpus corpus = Corpus::from_sources(root != nullptr ? root : GRADUS_SOURCE_DIR, 32);
  std::vector<Trained> all{{kRight, {}}};
  for (std::uint64_t seed = 0; seed < (chapter.full() ? 4 : 2); ++seed) {
    all[0].losses.push_back(validation_loss(nn::attention, corpus, chapter.seed() + seed));
  }
  for (const auto& [name, formula, wrong] : wrong_attentions().variants) {
    if (name == bug || chapter.full()) all.push_back({std::string(name), {validation_loss(wrong.function, corpus, chapter.seed())}});
  }
  for (const Trained& one : all) chapter.number(fmt::format("text.{}", one.name), one.losses);
  return all;
}

const Trained& named(const std::vector<Trained>& all, const std::string& name) {
  for (const Trained& one : all) {
    if (one.name == name) return one;
  }
  throw ValueError(fmt::format("'{}' was not trained", name));
}

void write_losses(Chapter& chapter, const std::vector<Trained>& all) {
  const auto& right = all[0].losses;
  const double least = *std::min_element(right.begin(), right.end()), spread = spread_of(right);
  std::string better;
  std::vector<Panel> strips;
  for (const Trained& one : all) {
    if (one.name != kRight && one.losses[0] < least - 10 * spread) better += (better.empty() ? "" : ", ") + one.name;
    strips.push_back({one.name, fmt::format("{} nats", shown(one.losses[0])),
                      draw(DotStrip{.values = one.losses, .from = 0, .to = std::log(256), .baseline_from = least - 0.02,
                                    .baseline_to = least + spread + 0.02, .colour = one.name == kRight ? "ink" : "f4",
                                    .alt = fmt::format("Validation loss of {}: {} nats", one.name, shown(one.losses[0]))})});
  }
  chapter.report.section("loss", "Too good to be true");
  chapter.report.figure({"The loss falls far below the right one's: the model does not guess better, it reads the answer.", panels(strips, 11),
                         fmt::format("Validation loss after {} steps on this project's own sources, from 0 to ln 256 = 5.55 nats, one dot for "
                                     "each of {} seeds; grey: the right one's spread. Bytes, context 32, two blocks of d = 48, batch {}.",
                                     kSteps, right.size(), kBatch)});
  const bool refuted = !better.empty();
  chapter.word("claim.loss-proves-the-model", refuted ? "refuted" : "undecided");
  chapter.report.claim("loss-proves-the-model", "The lower the validation loss, the better the model.",
                       refuted ? Verdict::refuted : Verdict::undecided,
                       fmt::format("Right: {} to {} nats over {} seeds. {} Rule: refuted if an attention that is wrong lies more than ten "
                                   "spreads below the least of the right one.", shown(least), shown(least + spread), right.size(),
                                   refuted ? "Wrong and far below: " + better + "." : "No wrong one that was trained lies below."));
}

void write_mistakes(Chapter& chapter, const std::vector<Trained>& all) {
  std::vector<Panel> maps;
  ReportTable table{"Each is one line of an attention, and each of these models trains.",
                    {{"mistake"}, {"it does"}, {"future", "in the map", true}, {"loss", "nats", true}, {"reported at"}}, {}};
  for (const auto& [name, formula, wrong] : wrong_attentions().variants) {
    const Numbers map = map_of(wrong.function, chapter.seed());
    const double future = greatest_of_future(map);
    chapter.number(fmt::format("mistakes.{}", name), future);
    maps.push_back({std::string(name), future > 0 ? "sees the future: " + shown(future) : "causal: exactly 0", causal_picture(map)});
    std::string loss = "<small>with --full</small>";
    for (const Trained& one : all) {
      if (one.name == name) loss = shown(one.losses[0]);
    }
    table.rows.push_back({"<code>" + std::string(name) + "</code>", wrong.what, shown(future), loss,
                          wrong.published.empty() ? "–" : wrong.published});
  }
  table.rows.insert(table.rows.begin(), {"<code>nn::attention</code>", "the formula", "0", shown(all[0].losses[0]), "–"});
  chapter.report.section("mistakes", "Ten mistakes, one map each");
  chapter.report.figure({"What leaks, the map shows at once. What is only scaled wrongly, it cannot: that takes a comparison of values.",
                         panels(maps),
                         "The same map for each mistake, in the same model with random weights. Empty cells are exactly 0. "
                         "<code>--bug ID</code> puts one beside the right one throughout."});
  chapter.report.table(table);
}

}  // namespace gradus::examples
