#include "examples/ablate/carry_out.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "core/check.h"
#include "examples/shared/training/progress.h"

namespace gradus::examples {
namespace {

using Json = nlohmann::json;
using Cells = std::vector<TrainOptions>;

class Carrier {
 public:
  Carrier(const Plan& plan, const std::vector<Variation>& variations, Journal& journal)
      : plan_(plan), journal_(journal), progress_(0, runs_at_least(plan, variations), false) {
    for (const Variation& variation : variations) {
      all_.push_back({.variation = variation, .tuned = {}, .outcomes = {}});
      const std::int64_t context = variation.cell.model.context;
      if (variation.refused.empty() && !texts_.contains(context)) texts_.emplace(context, load_corpus(variation.cell));
    }
    for (Measured& measured : all_) {
      if (!measured.variation.refused.empty()) continue;
      const TrainOptions& cell = measured.variation.cell;
      measured.untaught = counting_loss(cell, text_of(cell));
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
    std::int64_t live = 0;
    for (const Variation& variation : variations) live += variation.refused.empty() ? 1 : 0;
    return live * (plan.seeds + (plan.farthest > 0 ? kFirstRates * plan.sweep_seeds : 0));
  }

  const Corpus& text_of(const TrainOptions& cell) const { return texts_.at(cell.model.context); }

  // One after the other, so that nothing else runs meanwhile.
  void set_steps() {
    const TrainOptions baseline = all_[0].variation.cell;
    for (Measured* measured : live_) {
      TrainOptions& cell = measured->variation.cell;
      if (measured != live_.front()) {
        const std::string key =
            fmt::format("time of a step: {}; against: {}", key_of(cell, text_of(cell)), key_of(baseline, text_of(baseline)));
        measure_missing(journal_, {key}, [&](std::size_t) { return Json(time_ratio(cell, baseline, text_of(cell), text_of(baseline))); });
        measured->ratio = number_of(journal_.at(key));
        check<IoError>(std::isfinite(measured->ratio) && measured->ratio > 1e-3, "cells.jsonl holds a ratio of times of {}: it is damaged",
                       measured->ratio);
      }
      cell = at_equal_time(cell, measured->ratio);
    }
  }

  void sweep() {
    Cells cells;
    for (const Measured* measured : live_) cells.push_back(measured->variation.cell);
    bool first = true;
    SweepOptions options = plan_.sweep();
    for (const Measured* measured : live_) options.untaught.push_back(measured->untaught);
    const std::vector<Tuned> tuned = tune(cells, options, [&](const Cells& runs) {
      const char* why = first ? "a learning rate for each variant: the given one, half and twice"
                              : "for some the outermost rate was the best, or none has trained yet: one farther out";
      if (!first) progress_.expect(static_cast<std::int64_t>(runs.size()));
      first = false;
      std::vector<double> losses;
      const auto train = [&](std::size_t i) { return as_kept(train_cell(runs[i], text_of(runs[i]))); };
      for (const std::string& key : run_all(runs, "", "sweep", why, train)) losses.push_back(number_of(journal_.at(key)));
      return losses;
    });
    for (std::size_t i = 0; i < live_.size(); ++i) {
      live_[i]->variation.cell = tuned[i].cell;
      live_[i]->tuned = tuned[i];
    }
  }

  void compare() {
    Cells runs;
    for (const Measured* measured : live_) {
      for (std::int64_t s = 0; s < plan_.seeds; ++s) {
        runs.push_back(measured->variation.cell);
        runs.back().seed = plan_.first_seed() + static_cast<std::uint64_t>(s);
      }
    }
    const auto train = [&](std::size_t i) { return to_json(measure(runs[i], text_of(runs[i]))); };
    const std::vector<std::string> keys =
        run_all(runs, "outcome of ", "comparison", "each variant at its own rate, with every seed", train);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      live_[i / static_cast<std::size_t>(plan_.seeds)]->outcomes.push_back(outcome_from(journal_.at(keys[i])));
    }
  }

  // The runs' keys; all are in the journal then. `why` they are made is said beside the name of the stage.
  std::vector<std::string> run_all(const Cells& runs, const std::string& prefix, const std::string& stage, const char* why,
                                   const std::function<Json(std::size_t)>& train) {
    std::vector<std::string> keys;
    std::size_t found = 0;
    for (const TrainOptions& run : runs) {
      keys.push_back(prefix + key_of(run, text_of(run)));
      if (!journal_.knows(keys.back())) continue;
      ++found;
      progress_.expect(-1);
    }
    progress_.line(fmt::format("{} ({}): {} run{}{}", stage, why, runs.size(), runs.size() == 1 ? "" : "s",
                               found > 0 ? fmt::format(", {} of them found from before", found) : ""));
    measure_missing(journal_, keys, train, [&](std::size_t) { progress_.advance(stage); });
    return keys;
  }

  const Plan& plan_;
  Journal& journal_;
  Progress progress_;
  std::map<std::int64_t, Corpus> texts_;  // by context
  std::vector<Measured> all_;
  std::vector<Measured*> live_;
};

}  // namespace

std::vector<Measured> carry_out(const Plan& plan, const std::vector<Variation>& variations, Journal& journal) {
  return Carrier(plan, variations, journal)();
}

}  // namespace gradus::examples
