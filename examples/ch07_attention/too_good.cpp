#include "examples/ch07_attention/too_good.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "core/core.h"
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

double spread_of(const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end()) - *std::min_element(values.begin(), values.end());
}

}  // namespace

std::vector<std::vector<double>> map_of(const AttentionFunction& attention, std::uint64_t seed) {
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
  std::vector<std::string> better;
  for (const Trained& one : all) {
    if (one.name != kRight && one.losses[0] < least - 10 * spread) better.push_back(one.name);
  }
  chapter.series("loss.better", better);
  chapter.series("loss.curve", right.curve);
  chapter.series("loss.wrong_curve", wrong.curve);
  const bool refuted = !better.empty();
  const Verdict verdict = refuted ? Verdict::refuted : Verdict::undecided;
  chapter.sentence("loss-proves-the-model", "The lower the validation loss, the better the model.", verdict,
                   fmt::format("Right: {} to {} nats over {} seeds. {} Rule: not seen if an attention that is wrong lies more than ten "
                               "spreads below the least of the right one.",
                               shown(least), shown(least + spread), right.losses.size(),
                               refuted ? fmt::format("Wrong and far below: {}.", fmt::join(better, ", "))
                                       : "No wrong one that was trained lies below."));
}

void write_mistakes(Chapter& chapter, const std::vector<Trained>& all, const std::string& bug) {
  std::vector<std::string> names;
  for (const Trained& one : all) names.push_back(one.name);
  chapter.series("trained", names);
  const auto probes = [&](const PublishedAttention& attention) {
    const auto map = map_of(attention.function, chapter.seed());
    const double future = greatest_of_future(map);
    if (attention.id != "right") chapter.series("mistakes." + path_of(attention.id), map);
    std::vector<Probe> found = probes_of(attention, chapter.seed());
    found.insert(found.begin(), {"future", "greatest ‖∂outₜ/∂inₛ‖ above the diagonal", future});
    return found;
  };
  write_published(chapter, right_attention(), wrong_attentions(), bug, probes);
}

}  // namespace gradus::examples
