#include "examples/claims/lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/check.h"
#include "examples/shared/experiment/sweep.h"
#include "examples/shared/report/read_json.h"

namespace gradus::examples {
namespace {

constexpr std::uint64_t kApart = 1000,
                        kTuning = 500;  // seeds: of one --seed and the next, of a run and a rate's trial

TrainOptions with_seed(TrainOptions cell, std::uint64_t seed) {
  cell.seed = seed;
  return cell;
}

// A measurement of one number.
Lab::Several one(const Lab::Measure& value) {
  return [value](const Where& where, std::uint64_t seed) { return std::vector{value(where, seed)}; };
}

}  // namespace

Lab::Lab(Journal& journal, bool full, std::uint64_t seed, std::function<void()> heard)
    : journal_(journal), full_(full), first_(kApart * seed), heard_(std::move(heard)) {
  check<ValueError>(seed <= kGreatestSeed, "--seed: at most {}, as each stands for a thousand seeds", kGreatestSeed);
}

// --- what is measured seed by seed ------------------------------------------------------------------------------------

Evidence Lab::each(const std::vector<Where>& places, const Measure& value) {
  return gathered(places, {{}}, one(value), false);
}

Evidence Lab::in_turn(const std::vector<Where>& places, const Measure& value) {
  return gathered(places, {{}}, one(value), true);
}

Evidence Lab::each(const std::vector<Where>& places, const std::string& factor,
                   const std::vector<std::string>& levels, const Several& values) {
  std::vector<Where> further;
  for (const std::string& level : levels) further.push_back({{factor, level}});
  return gathered(places, further, values, false);
}

// At each place a number for each of the levels, which add a factor to where it is; {{}}: one number, no factor.
Evidence Lab::gathered(const std::vector<Where>& places, const std::vector<Where>& levels, const Several& values,
                       bool in_turn) {
  const auto runs = static_cast<std::size_t>(seeds());
  std::vector<std::string> keys;
  for (const Where& where : places) {
    for (std::size_t i = 0; i < runs; ++i) {
      keys.push_back(
          fmt::format("{} at [{}], {}, seed {}", claim_, text_of(where), full_ ? "full" : "quick", first_ + i));
    }
  }
  const auto measure = [&](std::size_t i) {
    auto kept = nlohmann::json::array();
    for (const double x : values(places[i / runs], first_ + i % runs)) kept.push_back(as_kept(x));
    return kept;
  };
  if (in_turn) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (journal_.knows(keys[i])) continue;
      journal_.add(keys[i], measure(i));
      heard_();
    }
  } else {
    measure_missing(journal_, keys, measure, [&](std::size_t) { heard_(); });
  }
  Evidence evidence;
  for (std::size_t p = 0; p < places.size(); ++p) {
    for (std::size_t l = 0; l < levels.size(); ++l) {
      Condition condition{places[p], {}};
      condition.where.insert(condition.where.end(), levels[l].begin(), levels[l].end());
      for (std::size_t i = 0; i < runs; ++i) {
        const nlohmann::json& kept = journal_.at(keys[p * runs + i]);
        check<IoError>(kept.is_array() && kept.size() == levels.size(),
                       "cells.jsonl holds {} in place of {} numbers: it is damaged", told(kept), levels.size());
        condition.values.push_back(number_of(kept.at(l)));
      }
      evidence.push_back(condition);
    }
  }
  return evidence;
}

// --- training ---------------------------------------------------------------------------------------------------------

TrainOptions Lab::model() const {
  TrainOptions options = small_model(full_ ? 500 : 200);
  if (full_) {
    options.model.context = 48;
    options.model.d_model = 48;
    options.model.layers = 3;
    options.model.heads = 4;
  }
  vary(options, "norm", options.model.norm.name);  // the feed-forward layer's width follows
  return options;
}

TrainOptions Lab::model_with(const std::string& family, const std::string& variant) const {
  TrainOptions options = model();
  vary(options, family, variant);
  return options;
}

const Corpus& Lab::corpus(int64_t context) {
  const std::lock_guard lock(corpora_mutex_);
  const auto found = corpora_.find(context);
  return found != corpora_.end() ? found->second
                                 : corpora_.emplace(context, Corpus::shakespeare(context)).first->second;
}

std::vector<double> Lab::losses(const TrainOptions& cell) {
  std::vector<TrainOptions> runs;
  for (int64_t i = 0; i < seeds(); ++i) runs.push_back(with_seed(cell, first_ + static_cast<std::uint64_t>(i)));
  return losses_of(runs);
}

std::vector<double> Lab::losses_of(const std::vector<TrainOptions>& runs) {
  std::vector<std::string> keys;
  for (const TrainOptions& run : runs) keys.push_back(key_of(run, corpus(run.model.context)));
  measure_missing(
      journal_, keys, [&](std::size_t i) { return as_kept(train_cell(runs[i], corpus(runs[i].model.context))); },
      [&](std::size_t) { heard_(); });
  std::vector<double> losses;
  for (const std::string& key : keys) {
    const double loss = number_of(journal_.at(key));
    losses.push_back(std::isnan(loss) ? std::log(256.0) : loss);
  }
  return losses;
}

Arm Lab::arm(const std::string& name, const TrainOptions& cell, const std::vector<double>& losses) {
  return {name, losses, counting_loss(cell, corpus(cell.model.context))};
}

std::vector<TrainOptions> Lab::tuned(const std::vector<TrainOptions>& cells) {
  std::vector<double> untaught;
  for (const TrainOptions& cell : cells) untaught.push_back(counting_loss(cell, corpus(cell.model.context)));
  const SweepOptions sweep{.first_seed = first_ + kTuning,
                           .seeds = 2,
                           .farthest = 3,
                           .untaught = untaught};
  std::vector<TrainOptions> best;
  for (const Tuned& tuned : tune(cells, sweep, [&](const auto& runs) { return losses_of(runs); }))
    best.push_back(tuned.cell);
  return best;
}

Evidence Lab::differences(const std::vector<Contest>& contests) {
  std::vector<TrainOptions> cells;
  for (const Contest& contest : contests) cells.insert(cells.end(), {contest.first, contest.second});
  cells = tuned(cells);
  std::vector<TrainOptions> runs;
  for (const TrainOptions& cell : cells) {
    for (int64_t i = 0; i < seeds(); ++i) runs.push_back(with_seed(cell, first_ + static_cast<std::uint64_t>(i)));
  }
  const std::vector<double> all = losses_of(runs);  // cell by cell, each seed by seed
  Evidence evidence;
  auto next = all.begin();
  const auto next_arm = [&](const std::string& name, const TrainOptions& cell) {
    const auto begin = std::exchange(next, next + seeds());
    return arm(name, cell, {begin, next});
  };
  for (const Contest& contest : contests) {
    const Arm first = next_arm(contest.first_name, contest.first), second = next_arm(contest.second_name, contest.second);
    evidence.push_back(compared(contest.where, first, second));
  }
  return evidence;
}

Condition compared(const Where& where, const Arm& first, const Arm& second) {
  Condition condition{where, first.losses, {first, second}};
  for (std::size_t i = 0; i < condition.values.size(); ++i) condition.values[i] -= second.losses[i];
  return condition;
}

Condition which_trains(const Where& where, const Arm& first, const Arm& second) {
  Condition condition = compared(where, first, second);
  condition.arms = {spread_of(first.losses).mean < spread_of(second.losses).mean ? first : second};
  return condition;
}

const Condition& lowest(const Evidence& evidence) {
  const auto mean = [](const Condition& condition) { return spread_of(condition.values).mean; };
  return *std::min_element(evidence.begin(), evidence.end(), [&](const auto& a, const auto& b) { return mean(a) < mean(b); });
}

Evidence tabulated(const std::vector<Where>& places, const std::vector<int64_t>& sample,
                   const std::function<double(const Where&, int64_t)>& value) {
  Evidence evidence;
  for (const Where& where : places) {
    evidence.push_back({where, {}});
    for (const int64_t n : sample) evidence.back().values.push_back(value(where, n));
  }
  return evidence;
}

}  // namespace gradus::examples
