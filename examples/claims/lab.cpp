#include "examples/claims/lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/check.h"
#include "examples/shared/data/ngrams.h"
#include "examples/shared/experiment/commit.h"
#include "examples/shared/report/read_json.h"

namespace gradus::examples {
namespace {

double no_loss(const TrainOptions&, const Corpus&) { return 0; }

// A measurement of one number.
Lab::Several one(const Lab::Measure& value) {
  return [value](const Where& where, std::uint64_t seed) { return std::vector{value(where, seed)}; };
}

}  // namespace

Lab::Lab(Journal& journal, const LabOptions& options, std::function<void()> heard)
    : journal_(journal),
      options_(options),
      first_(examples::first_seed(options.seed)),
      heard_(std::move(heard)),
      runs_(journal, [this](const auto&) { heard_(); }, options.only_named ? no_loss : train_cell, std::log(256.0)) {}

std::vector<std::string> Lab::steps(int64_t usual) const {
  return usual_and_long<std::string>({std::to_string(usual)}, {std::to_string(4 * usual)});
}

int64_t Lab::seeds(int64_t blocks, int64_t steps) const { return blocks * steps < 20'000 ? seeds() : 5; }

// --- what is measured seed by seed ------------------------------------------------------------------------------------

Evidence Lab::each(const std::vector<Where>& places, const Measure& value) { return gathered(places, {{}}, one(value), false); }

Evidence Lab::in_turn(const std::vector<Where>& places, const Measure& value) { return gathered(places, {{}}, one(value), true); }

Evidence Lab::each(const std::vector<Where>& places, const std::string& factor, const std::vector<std::string>& levels,
                   const Several& values) {
  std::vector<Where> further;
  for (const std::string& level : levels) further.push_back({{factor, level}});
  return gathered(places, further, values, false);
}

Evidence Lab::each(const std::vector<Where>& places, const std::vector<Arm>& arms, const Several& value_and_losses) {
  const std::vector<Where> numbers(1 + arms.size());
  const Evidence all = gathered(places, numbers, value_and_losses, false);
  Evidence evidence;
  for (std::size_t i = 0; i < all.size(); i += numbers.size()) {
    Condition& place = evidence.emplace_back(all[i]);
    place.arms = arms;
    for (std::size_t a = 0; a < arms.size(); ++a) place.arms[a].losses = all[i + 1 + a].values;
  }
  return evidence;
}

// At each place a number for each of the levels, which add a factor to where it is; {{}}: one number, no factor.
Evidence Lab::gathered(const std::vector<Where>& places, const std::vector<Where>& levels, const Several& values, bool in_turn) {
  std::vector<std::string> keys;
  std::vector<std::pair<Where, std::uint64_t>> runs;  // of each key
  const auto number = [](const Where& where, const char* factor) {
    const auto found = std::find_if(where.begin(), where.end(), [&](const auto& one) { return one.first == factor; });
    return found == where.end() ? 1 : std::stoll(found->second);
  };
  for (const Where& where : places) {
    const auto count = static_cast<std::uint64_t>(seeds(number(where, "blocks"), number(where, "steps")));
    for (std::uint64_t seed = first_; seed < first_ + count; ++seed) {
      keys.push_back(fmt::format("{} at [{}], {}, seed {}", claim_, text_of(where), full() ? "full" : "quick", seed));
      runs.emplace_back(where, seed);
    }
  }
  const auto measure = [&](std::size_t i) {
    auto kept = nlohmann::json::array();
    for (const double x : values(runs[i].first, runs[i].second)) kept.push_back(as_kept(x));
    return kept;
  };
  if (options_.only_named) {
    for (const std::string& key : keys) journal_.add(key, std::vector<double>(levels.size()));
  } else if (in_turn) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (journal_.knows(keys[i])) continue;
      measure_into(journal_, keys[i], [&] { return measure(i); });
      heard_();
    }
  } else {
    measure_missing(journal_, keys, measure, [&](std::size_t) { heard_(); });
  }
  Evidence evidence;
  std::size_t next = 0;
  for (const Where& where : places) {
    const std::size_t first = evidence.size();
    for (const Where& level : levels) {
      evidence.push_back({where, {}});
      evidence.back().where.insert(evidence.back().where.end(), level.begin(), level.end());
    }
    for (; next < keys.size() && runs[next].first == where; ++next) {
      const nlohmann::json& kept = journal_.at(keys[next]);
      check<IoError>(kept.is_array() && kept.size() == levels.size(), "cells.jsonl holds {} in place of {} numbers: it is damaged",
                     told(kept), levels.size());
      for (std::size_t l = 0; l < levels.size(); ++l) {
        evidence[first + l].values.push_back(number_of(kept.at(l)));
        evidence[first + l].commits.insert(journal_.commit_of(keys[next]));
      }
    }
  }
  return evidence;
}

// --- training ---------------------------------------------------------------------------------------------------------

TrainOptions Lab::model() const {
  TrainOptions options = small_model(full() ? 500 : 200);
  if (full()) {
    options.model.context = 48;
    options.model.d_model = 48;
    options.model.layers = 3;
    options.model.heads = 4;
  }
  vary(options, "norm", options.model.norm.of(0).name);  // the feed-forward layer's width follows
  return options;
}

TrainOptions Lab::model_with(const std::string& family, const std::string& variant) const {
  TrainOptions options = model();
  vary(options, family, variant);
  return options;
}

const Corpus& Lab::corpus(int64_t context) {
  TrainOptions cell;
  cell.model.context = context;
  return runs_.corpus(cell);
}

Cells Lab::with_each_seed(const TrainOptions& cell) const {
  return with_seeds(cell, first_, seeds(cell.model.layers, cell.schedule.total));
}

Arm Lab::arm(const std::string& name, const TrainOptions& cell) {
  const Cells runs = with_each_seed(cell);
  return {.name = name, .losses = runs_.losses(runs), .line = pairs(cell), .commits = runs_.commits(runs)};
}

Baseline Lab::pairs(const TrainOptions& cell) { return {"counting pairs of bytes", runs_.counting_loss(cell, 2)}; }

Rate Lab::best_rate(const Where& of, const std::vector<double>& rates, const Measure& loss) {
  std::vector<Where> trials;
  for (const double rate : rates) trials.push_back(joined(of, {{"rate", fmt::format("{}", rate)}, {"seeds", "of trials"}}));
  const Evidence losses = each(trials, [&](const Where& where, std::uint64_t seed) { return loss(where, seed + kTrials); });
  std::vector<double> means;
  for (const Condition& condition : losses) means.push_back(spread_of(condition.values).mean);
  const auto best = static_cast<std::size_t>(std::min_element(means.begin(), means.end()) - means.begin());
  return {rates[best], best == 0 || best + 1 == rates.size()};
}

Arm Lab::at_best_rate(const std::string& name, const Baseline& line, const Where& of, const std::vector<double>& rates,
                      const Measure& loss) {
  const Rate rate = best_rate(of, rates, loss);
  const Condition found = each({joined(of, {{"rate", fmt::format("{}", rate.value)}})}, loss)[0];
  return {name, found.values, line, rate, found.commits};
}

std::vector<Contest> Lab::with_steps(const std::vector<Contest>& contests) const {
  const auto is_named = [](const auto& one) { return one.first == "steps"; };
  std::vector<Contest> all;
  if (std::any_of(contests[0].where.begin(), contests[0].where.end(), is_named)) {
    all = contests;
  } else {
    for (const std::string& level : steps(contests[0].first.schedule.total)) {
      for (Contest contest : contests) {
        contest.where.insert(contest.where.begin(), {"steps", level});
        for (TrainOptions* run : {&contest.first, &contest.second}) *run = of_steps(*run, std::stoll(level));
        all.push_back(contest);
      }
    }
  }
  std::erase_if(all, [&](const Contest& contest) { return !wanted(contest.where); });
  return all;
}

Evidence Lab::differences(const std::vector<Contest>& contests) {
  const std::vector<Contest> all = with_steps(contests);
  Cells cells, runs;
  for (const Contest& contest : all) cells.insert(cells.end(), {contest.first, contest.second});
  const std::vector<Tuned> best = runs_.tuned(cells, {.first_seed = first_ + kTrials, .seeds = 2, .farthest = 3});
  for (const Tuned& one : best) runs = joined(runs, with_each_seed(one.cell));
  runs_.losses(runs);  // all of them at once
  auto next = best.begin();
  const auto next_arm = [&](const std::string& name) {
    const Tuned& one = *next++;
    Arm found = arm(name, one.cell);
    found.rate = Rate{one.cell.schedule.max_lr, one.at_edge};
    return found;
  };
  Evidence evidence;
  for (const Contest& contest : all) {
    const Arm first = next_arm(contest.first_name), second = next_arm(contest.second_name);
    evidence.push_back(compared(contest.where, first, second));
  }
  return evidence;
}

Condition compared(const Where& where, const Arm& first, const Arm& second) {
  Condition condition{where, first.losses, {first, second}, first.commits};
  condition.commits.insert(second.commits.begin(), second.commits.end());
  for (std::size_t i = 0; i < condition.values.size(); ++i) condition.values[i] -= second.losses[i];
  return condition;
}

Baseline pairs_line(const Corpus& corpus) {
  return {"counting pairs of bytes", ngram_loss(corpus.train_text(), corpus.validation_text(), 2, kAddedCount)};
}

Baseline one_pixel_line(DigitsPart measured) {
  static const double train = one_pixel_loss(DigitsPart::train), held_out = one_pixel_loss(DigitsPart::held_out);
  return {"counting the shades of one pixel", measured == DigitsPart::train ? train : held_out};
}

std::function<Evidence(Lab&)> each(const std::vector<Factor>& factors, const Lab::Measure& value) {
  return [=](Lab& lab) { return lab.each(crossed(factors), value); };
}

std::function<Evidence(Lab&)> in_turn(const std::vector<Factor>& factors, const Lab::Measure& value) {
  return [=](Lab& lab) { return lab.in_turn(crossed(factors), value); };
}

Evidence at_each(const std::vector<Where>& places, const std::function<Condition(const Where&)>& comparison) {
  Evidence evidence;
  for (const Where& where : places) evidence.push_back(comparison(where));
  return evidence;
}

Evidence tabulated(const std::vector<Where>& places, const std::vector<int64_t>& sample,
                   const std::function<double(const Where&, int64_t)>& value) {
  Evidence evidence;
  for (const Where& where : places) {
    evidence.push_back({.where = where, .values = {}, .commits = {source_commit()}});
    for (const int64_t n : sample) evidence.back().values.push_back(value(where, n));
  }
  return evidence;
}

}  // namespace gradus::examples
