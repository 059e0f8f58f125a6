#include "examples/shared/experiment/cell.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/options/edit_distance.h"
#include "examples/shared/data/ngrams.h"
#include "examples/shared/options/train_config.h"
#include "examples/shared/options/train_fields.h"
#include "nn/model/compatibility.h"
#include "nn/model/language_model.h"

namespace gradus::examples {
namespace {

// As many parameters with a gate as without: at this width the usual rounding to 64 would give a gate half as many again.
void equalize(TrainOptions& cell) { cell.model.d_ff = nn::feed_forward_width(cell.model.feed_forward, cell.model.d_model, 1); }

}  // namespace

void vary(TrainOptions& options, const std::string& family, const std::string& variant) {
  std::vector<std::string> families;
  bool found = false;
  for_each_field(options, [&](const OptionGroup&, const char* name, auto& value, const char*) {
    if constexpr (IsChoice<std::decay_t<decltype(value)>>::value) {
      families.push_back(name);
      if (name != family) return;
      choose(value, variant);
      found = true;
    }
  });
  check<ValueError>(found, "there is no family '{}'; did you mean '{}'?", family, nearest(family, families));
  equalize(options);
}

TrainOptions small_model(int64_t steps) {
  TrainOptions options;
  options.model = {.context = 32, .d_model = 32, .layers = 2, .heads = 2};
  options.schedule = {.max_lr = 6e-3, .min_lr = 6e-4, .warmup = steps / 10, .total = steps};
  options.batch = 4;
  equalize(options);
  return options;
}

std::uint64_t first_seed(std::uint64_t seed) {
  constexpr std::uint64_t apart = 1000, greatest = (~std::uint64_t{0} - 999) / apart;
  check<ValueError>(seed <= greatest, "--seed: at most {}, as each stands for a thousand seeds", greatest);
  return apart * seed;
}

std::vector<TrainOptions> with_seeds(const TrainOptions& cell, std::uint64_t first, int64_t count) {
  std::vector<TrainOptions> runs(static_cast<std::size_t>(count), cell);
  for (TrainOptions& run : runs) run.seed = first++;
  return runs;
}

std::vector<TrainOptions> cross(const TrainOptions& base, const std::vector<Factor>& families) {
  std::vector<TrainOptions> cells;
  for (const Where& where : crossed(families)) {
    TrainOptions& cell = cells.emplace_back(base);
    for (const auto& [family, variant] : where) vary(cell, family, variant);
  }
  return cells;
}

TrainOptions with_rate(TrainOptions cell, double rate) {
  cell.schedule.max_lr = rate;
  cell.schedule.min_lr = rate / 10;
  return cell;
}

TrainOptions of_steps(TrainOptions cell, int64_t steps) {
  cell.schedule.warmup = cell.schedule.warmup * steps / cell.schedule.total;
  cell.schedule.total = steps;
  return cell;
}

int64_t parameters_of(const TrainOptions& cell) { return nn::LanguageModel(cell.model).parameter_count(); }

int64_t fitted_width(const TrainOptions& cell, int64_t parameters) {
  constexpr int64_t here = 64;  // the count is a line in the width
  TrainOptions at = cell;
  at.model.d_ff = here;
  const int64_t count = parameters_of(at);
  at.model.d_ff = here + 1;
  const auto slope = static_cast<double>(parameters_of(at) - count);
  return here + std::llround(static_cast<double>(parameters - count) / slope);
}

std::string why_not(const TrainOptions& cell) { return nn::why_not(cell.model); }

std::string key_of(const TrainOptions& cell, const Corpus& corpus) {
  return fmt::format("{} {}, {} batches of validation", to_json(cell).dump(), corpus.fingerprint(), kValidationBatches);
}

bool train_through(Trainer& trainer, const TrainOptions& cell, const std::function<void(const StepResult&)>& tell) {
  try {
    while (trainer.steps_done() < cell.schedule.total) tell(trainer.step());
  } catch (const ValueError&) {
    return false;
  }
  return true;
}

double train_cell(const TrainOptions& cell, const Corpus& corpus) {
  Trainer trainer(cell, corpus);
  const bool finite = train_through(trainer, cell, [](const StepResult&) {});
  return finite ? trainer.validate(kValidationBatches) : std::numeric_limits<double>::quiet_NaN();
}

double counting_loss(const TrainOptions& cell, const Corpus& corpus, int n) {
  const int64_t count = std::min(kValidationBatches, corpus.validation_batches(cell.batch));
  std::vector<std::string> pieces;  // neighbouring windows, with the byte before them where it is a history
  for (int64_t i = 0; i < count; ++i) {
    const auto [inputs, targets] = corpus.spread_validation_batch(i, count, cell.batch);
    std::string& piece = pieces.emplace_back(n > 1 ? 1 : 0, static_cast<char>(inputs.data<int64_t>()[0]));
    piece.append(targets.data<int64_t>(), targets.data<int64_t>() + targets.numel());
  }
  return std::min(ngram_loss(corpus.train_text(), pieces, n, kAddedCount), std::log(256.0));
}

}  // namespace gradus::examples
