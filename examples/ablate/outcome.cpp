#include "examples/ablate/outcome.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/check.h"
#include "core/tape/grad_mode.h"
#include "examples/shared/experiment/journal.h"
#include "examples/shared/study/signal.h"
#include "nn/loss/cross_entropy.h"

namespace gradus::examples {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kCurvePoints = 40;
constexpr int64_t kLongest = 4;   // times T
constexpr int64_t kWindows = 32;  // of that length; of T four times as many

// In eval mode, so that no number is drawn which training would have drawn.
std::vector<double> block_gradients(nn::LanguageModel& model, const Corpus& corpus, int64_t batch) {
  const Batch text = corpus.validation_batch(0, batch);
  model.eval();
  std::vector<double> norms;
  for (const LayerSignal& signal : layer_signals(model, text.inputs, text.targets)) norms.push_back(signal.parameter_gradient);
  model.train();
  norms.erase(norms.begin());  // before the first block
  return norms;
}

Json all_kept(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double x : values) list.push_back(examples::as_kept(x));
  return list;
}

std::vector<double> numbers_of(const Json& kept) {
  std::vector<double> values;
  for (const Json& x : kept) values.push_back(number_of(x));
  return values;
}

}  // namespace

AtLength loss_at(nn::LanguageModel& trained, const TrainOptions& cell, int64_t length) {
  AtLength result{.length = length, .loss = NAN};
  TrainOptions longer = cell;
  longer.model.context = length;
  try {
    const NoGrad off;
    const Corpus corpus = load_corpus(longer);
    nn::LanguageModel model(longer.model);
    if (cell.dtype == "f64") model.to(DType::f64);
    const std::vector<std::string> unfit = model.load_state_dict(trained.state_dict(), {.strict = false});
    if (!unfit.empty()) {
      throw ValueError(fmt::format("its weights are those of {} positions: {}", cell.model.context, unfit.front()));
    }
    model.eval();
    const Batch text = corpus.validation_batch(0, kWindows * kLongest * cell.model.context / length);
    result.loss = nn::cross_entropy(model(text.inputs), text.targets).item();
  } catch (const ValueError& reason) {
    result.cannot = reason.what();
  }
  return result;
}

Outcome measure(const TrainOptions& cell, const Corpus& corpus) {
  Trainer trainer(cell, corpus);
  Outcome outcome{.loss = NAN, .curve = {}, .lengths = {}, .gradients_before = {}, .gradients_after = {}};
  outcome.gradients_before = block_gradients(trainer.model(), corpus, cell.batch);
  const bool finite = train_through(
      trainer, cell, [&](const StepResult& step) { outcome.curve.add(static_cast<double>(trainer.steps_done()), step.loss); });
  outcome.curve = smoothed(outcome.curve, kCurvePoints);
  if (finite) {
    outcome.loss = trainer.validate(kValidationBatches);
    outcome.gradients_after = block_gradients(trainer.model(), corpus, cell.batch);
  }
  for (int64_t times = 1; times <= kLongest; times *= 2) {
    const int64_t length = times * cell.model.context;
    outcome.lengths.push_back(finite ? loss_at(trainer.model(), cell, length)
                                     : AtLength{.length = length, .loss = NAN, .cannot = "diverged"});
  }
  return outcome;
}

Json to_json(const Outcome& outcome) {
  Json lengths = Json::array();
  for (const auto& [length, loss, cannot] : outcome.lengths) {
    lengths.push_back({{"length", length}, {"loss", examples::as_kept(loss)}, {"cannot", cannot}});
  }
  return {{"loss", examples::as_kept(outcome.loss)},
          {"curve", {{"steps", all_kept(outcome.curve.steps)}, {"losses", all_kept(outcome.curve.losses)}}},
          {"lengths", lengths},
          {"gradients", {{"before", all_kept(outcome.gradients_before)}, {"after", all_kept(outcome.gradients_after)}}}};
}

Outcome outcome_from(const Json& kept) try {
  Outcome outcome{.loss = number_of(kept.at("loss")),
                  .curve = {numbers_of(kept.at("curve").at("steps")), numbers_of(kept.at("curve").at("losses"))},
                  .lengths = {},
                  .gradients_before = numbers_of(kept.at("gradients").at("before")),
                  .gradients_after = numbers_of(kept.at("gradients").at("after"))};
  for (const Json& at : kept.at("lengths")) {
    outcome.lengths.push_back({at.at("length"), number_of(at.at("loss")), at.at("cannot")});
  }
  check<IoError>(outcome.lengths.size() == 3 && outcome.curve.steps.size() == outcome.curve.losses.size(),
                 "cells.jsonl holds a run without all of its numbers: it is damaged");
  return outcome;
} catch (const Json::exception&) {
  throw IoError(fmt::format("cells.jsonl holds {} in place of a run: it is damaged", kept.dump().substr(0, 60)));
}

}  // namespace gradus::examples
