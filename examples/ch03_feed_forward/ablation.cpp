#include "examples/ch03_feed_forward/ablation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/core.h"
#include "examples/ch03_feed_forward/wrong_gates.h"
#include "examples/shared/data/corpus.h"
#include "nn/loss/cross_entropy.h"
#include "nn/model/language_model.h"
#include "optim/adam.h"
#include "optim/schedule.h"

namespace gradus::examples {
namespace {

constexpr int64_t kContext = 32, kBatch = 16, kLayers = 2;

double validation_loss(nn::LanguageModel& model, const Corpus& corpus) {
  constexpr int64_t count = 8, batch = 64;
  const NoGrad off;
  double loss = 0;
  for (int64_t i = 0; i < count; ++i) {  // windows from all over the validation text
    const Batch b = corpus.validation_batch(i * (corpus.validation_batches(batch) - 1) / count, batch);
    loss += nn::cross_entropy(model(b.inputs), b.targets).item() / count;
  }
  return loss;
}

int64_t feed_forward_parameters(nn::LanguageModel& model) {
  int64_t count = 0;
  for (const NamedTensor& p : model.named_parameters()) {
    count += p.name.rfind("blocks.0.feed_forward.", 0) == 0 ? p.tensor.numel() : 0;
  }
  return count;
}

void train(Contestant& one, const Corpus& corpus, int64_t steps, std::uint64_t seed) {
  manual_seed(seed);
  nn::LanguageModel model({.context = kContext, .d_model = kWidth, .layers = kLayers, .heads = 3, .feed_forward = one.layer});
  optim::AdamW optimizer(model.named_parameters(), {});
  const optim::ScheduleOptions rate{.max_lr = 3e-3, .min_lr = 3e-4, .warmup = std::min<int64_t>(20, steps / 4), .total = steps};
  Generator batches(seed + 1);
  for (int64_t step = 1; step <= steps; ++step) {
    const Batch batch = corpus.random_batch(kBatch, batches);
    nn::cross_entropy(model(batch.inputs), batch.targets).backward();
    optimizer.step(optim::cosine_schedule(rate, step));
    optimizer.zero_grad();
  }
  one.parameters = feed_forward_parameters(model);
  one.losses.push_back(validation_loss(model, corpus));
}

}  // namespace

nn::LayerPtr layer_of(const nn::FeedForwardChoice& layer, int64_t d_model, int64_t multiple_of) {
  return layer.make({.d_model = d_model, .d_ff = nn::feed_forward_width(layer, d_model, multiple_of), .bias = nn::FeedForwardBias::none});
}

double Contestant::mean() const { return std::accumulate(losses.begin(), losses.end(), 0.0) / static_cast<double>(losses.size()); }

double range_of(const std::vector<double>& losses) {
  return *std::max_element(losses.begin(), losses.end()) - *std::min_element(losses.begin(), losses.end());
}

std::vector<Contestant> ablation(int64_t steps, int64_t seeds, std::uint64_t first_seed) {
  std::vector<Contestant> all;
  for (const char* name : {"relu", "gelu", "silu", "glu", "bilinear", "reglu", "geglu", "swiglu"}) all.push_back({name, name});
  const auto wrong = [](const nn::FeedForwardOptions& o) { return std::make_unique<SiLUOfProduct>(o); };
  all.push_back({"silu(ab)", nn::MakeFeedForward(wrong, {.gated = true}), true});
  const Corpus corpus = Corpus::shakespeare(kContext);
  for (Contestant& one : all) {
    for (int64_t i = 0; i < seeds; ++i) train(one, corpus, steps, first_seed + 10 * static_cast<std::uint64_t>(i));
  }
  return all;
}

Pairs pairs_of(const Contestant& one, const Contestant& other) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < one.losses.size(); ++i) differences.push_back(one.losses[i] - other.losses[i]);
  return {one.mean() - other.mean(), range_of(differences),
          std::count_if(differences.begin(), differences.end(), [](double d) { return d < 0; }), static_cast<int64_t>(differences.size())};
}

void write_ablation(Chapter& chapter, const std::vector<Contestant>& all, int64_t steps) {
  const double spread = range_of(all[0].losses);
  chapter.series("ablation.steps", static_cast<double>(steps));
  int64_t by_spread = 0, by_seed = 0;  // layers that differ from the first
  for (const Contestant& one : all) {
    const Pairs p = pairs_of(one, all[0]);
    const double in_spreads = p.mean / spread;
    by_spread += std::abs(in_spreads) >= 2 ? 1 : 0;
    by_seed += p.better() || p.worse() ? 1 : 0;
    chapter.number("ablation." + one.name + ".losses", one.losses);
    chapter.number("ablation." + one.name + ".parameters", static_cast<double>(one.parameters));
    chapter.number("ablation." + one.name + ".spreads", in_spreads);
  }
  chapter.number("ablation.by_spread", static_cast<double>(by_spread));
  chapter.number("ablation.by_seed", static_cast<double>(by_seed));
}

}  // namespace gradus::examples
