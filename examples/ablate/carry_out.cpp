#include "examples/ablate/carry_out.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/check.h"
#include "examples/shared/experiment/runs.h"
#include "examples/shared/training/progress.h"

namespace gradus::examples {
namespace {

using Json = nlohmann::json;

class Carrier {
 public:
  Carrier(const Plan& plan, const std::vector<Variation>& variations, Journal& journal)
      : plan_(plan),
        journal_(journal),
        progress_(0, runs_at_least(plan, variations), false),
        runs_(journal, [this](const Json&) { progress_.advance(stage_); }) {
    for (const Variation& variation : variations) all_.push_back({.variation = variation, .tuned = {}, .outcomes = {}});
    for (Measured& measured : all_) {
      if (!measured.variation.refused.empty()) continue;
      measured.untaught = runs_.counting_loss(measured.variation.cell, 1);
      measured.pairs = runs_.counting_loss(measured.variation.cell, 2);
      live_.push_back(&measured);
    }
  }

  std::vector<Measured> operator()() {
    if (plan_.equal == Equal::time) set_steps();
    if (plan_.farthest > 0) sweep();
    compare();
    progress_.finish();
    return std::move(all_);
  }

 private:
  // With a sweep of three rates; it may want more.
  static std::int64_t runs_at_least(const Plan& plan, const std::vector<Variation>& variations) {
    const auto live = std::count_if(variations.begin(), variations.end(), [](const Variation& v) { return v.refused.empty(); });
    return live * (plan.seeds + (plan.farthest > 0 ? kFirstRates * plan.sweep_seeds : 0));
  }

  // One after the other, so that nothing else runs meanwhile.
  void set_steps() {
    const TrainOptions baseline = all_[0].variation.cell;
    const Corpus& text = runs_.corpus(baseline);
    for (Measured* measured : live_) {
      TrainOptions& cell = measured->variation.cell;
      if (measured != live_.front()) {
        const Corpus& own = runs_.corpus(cell);
        const std::string key = fmt::format("time of a step: {}; against: {}", key_of(cell, own), key_of(baseline, text));
        if (!journal_.knows(key)) measure_into(journal_, key, [&] { return Json(time_ratio(cell, baseline, own, text)); });
        measured->ratio = number_of(journal_.at(key));
        check<IoError>(std::isfinite(measured->ratio) && measured->ratio > 1e-3, "cells.jsonl holds a ratio of times of {}: it is damaged",
                       measured->ratio);
      }
      cell = at_equal_time(cell, measured->ratio);
    }
  }

  void sweep() {
    Cells cells;
    SweepOptions options = plan_.sweep();
    for (const Measured* measured : live_) {
      cells.push_back(measured->variation.cell);
      options.untaught.push_back(measured->untaught);
    }
    bool first = true;
    const std::vector<Tuned> tuned = tune(cells, options, [&](const Cells& runs) {
      if (!first) progress_.expect(static_cast<std::int64_t>(runs.size()));
      begin("sweep", "", runs,
            first ? "a learning rate for each variant: the given one, half and twice"
                  : "for some the outermost rate was the best, or none has trained yet: one farther out");
      first = false;
      return runs_.losses(runs);
    });
    for (std::size_t i = 0; i < live_.size(); ++i) {
      live_[i]->variation.cell = tuned[i].cell;
      live_[i]->tuned = tuned[i];
    }
  }

  void compare() {
    Cells runs;
    for (const Measured* measured : live_) {
      for (const TrainOptions& run : with_seeds(measured->variation.cell, plan_.first_seed(), plan_.seeds)) runs.push_back(run);
    }
    begin("comparison", "outcome", runs, "each variant at its own rate, with every seed");
    const std::vector<Json> kept =
        runs_.measured("outcome", runs, [](const TrainOptions& run, const Corpus& text) { return to_json(measure(run, text)); });
    for (std::size_t i = 0; i < kept.size(); ++i) {
      live_[i / static_cast<std::size_t>(plan_.seeds)]->outcomes.push_back(outcome_from(kept[i]));
    }
  }

  // A stage by its name, and why these runs are made.
  void begin(const std::string& stage, const std::string& what, const Cells& runs, const char* why) {
    const std::size_t found = runs_.known(what, runs);
    stage_ = stage;
    progress_.expect(-static_cast<std::int64_t>(found));
    progress_.line(fmt::format("{} ({}): {} run{}{}", stage, why, runs.size(), runs.size() == 1 ? "" : "s",
                               found > 0 ? fmt::format(", {} of them found from before", found) : ""));
  }

  const Plan& plan_;
  Journal& journal_;
  Progress progress_;
  std::string stage_;
  Runs runs_;
  std::vector<Measured> all_;
  std::vector<Measured*> live_;
};

}  // namespace

std::vector<Measured> carry_out(const Plan& plan, const std::vector<Variation>& variations, Journal& journal) {
  return Carrier(plan, variations, journal)();
}

}  // namespace gradus::examples
