#include "examples/ablate/plan.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "examples/shared/data/median.h"
#include "examples/shared/options/command_line.h"
#include "examples/shared/options/train_config.h"
#include "examples/shared/options/train_fields.h"
#include "nn/model/language_model.h"

namespace gradus::examples {
namespace {

constexpr int kMostCombinations = 1000;

bool is_family(const std::string& option) {
  bool family = false;
  const TrainOptions options;
  for_each_field(options, [&](const OptionGroup&, const char* name, const auto& value, const char*) {
    family = family || (name == option && IsChoice<std::decay_t<decltype(value)>>::value);
  });
  return family;
}

// "post" says what it is, "4" does not.
std::string name_of_value(const std::string& option, const std::string& value) {
  const std::string spoken = flag_of(option).substr(2);
  if (is_family(option)) return value.empty() ? "no " + spoken : value;
  return spoken + " " + value;
}

TrainOptions cell_of(const std::vector<Given>& given, const Where& where) {
  TrainOptions cell;
  for (const auto& [option, values] : given) set_option(cell, option, values.size() > 1 ? level(where, option) : values[0]);
  if (cell.model.d_ff == 0) {  // not rounded to 64, which in a small model would be half as much again
    cell.model.d_ff = nn::feed_forward_width(cell.model.feed_forward, cell.model.d_model, 1);
  }
  fill_defaults(cell);
  return cell;
}

std::string refusal(const TrainOptions& cell) {
  try {
    check_options(cell);
    parameters_of(cell);
    load_corpus(cell);  // is it long enough?
  } catch (const ValueError& reason) {
    return reason.what();
  }
  return "";
}

void check_lists(const Plan& plan) {
  const std::vector<Given> factors = plan.factors();
  check<ValueError>(!factors.empty(), "nothing is varied: name a preset, or give an option of train several values: --norm layer,rms");
  double combinations = 1;
  for (const Given& factor : factors) combinations *= static_cast<double>(factor.values.size());
  check<ValueError>(combinations <= kMostCombinations, "the lists have {} combinations; at most {} are trained", combinations,
                    kMostCombinations);
  for (const auto& [option, values] : factors) {
    const auto is_set_by = [&, &name = option](const char* what, bool active, const char* by, const char* instead) {
      check<ValueError>(!active || name != what, "{}: is what {} sets; {} takes it as it is given", flag_of(name), by, instead);
    };
    is_set_by("d_ff", plan.equal == Equal::parameters, "--equal parameters", "--equal nothing");
    is_set_by("steps", plan.equal == Equal::time, "--equal time", "--equal nothing");
    is_set_by("lr", plan.farthest > 0, "the sweep", "--sweep 0");
    std::set<std::string> seen;
    for (const std::string& value : values) {
      TrainOptions cell;
      set_option(cell, option, value);
      const bool first =
          seen.insert(to_json(cell).dump() + fmt::format("{} {}", cell.min_lr.value_or(-1), cell.warmup.value_or(-1))).second;
      check<ValueError>(first, "{}: '{}' is in the list twice", flag_of(option), value);
    }
  }
}

void equalize(Variation& variation, std::int64_t parameters) {
  const std::int64_t width = fitted_width(variation.cell, parameters);
  if (width < 1) {
    variation.refused = fmt::format(
        "it has more than the baseline's {} parameters however narrow its feed-forward layer is; --equal nothing takes it "
        "as it is",
        parameters);
    return;
  }
  variation.cell.model.d_ff = width;
}

}  // namespace

std::vector<Given> Plan::factors() const {
  std::vector<Given> factors;
  std::copy_if(given.begin(), given.end(), std::back_inserter(factors), [](const Given& g) { return g.values.size() > 1; });
  return factors;
}

std::vector<Variation> variations_of(const Plan& plan) {
  examples::first_seed(plan.seed);  // there is one
  check_lists(plan);
  std::vector<Factor> factors;
  for (const auto& [option, values] : plan.factors()) factors.push_back({option, values});
  std::vector<Variation> all;
  for (const Where& where : crossed(factors)) {
    Variation variation{.values = {}, .name = {}, .cell = cell_of(plan.given, where)};
    for (const auto& [option, value] : where) {
      variation.values.push_back(value);
      variation.name += (variation.name.empty() ? "" : ", ") + name_of_value(option, value);
    }
    variation.refused = refusal(variation.cell);
    check<ValueError>(!all.empty() || variation.refused.empty(), "the baseline, {}: {}", variation.name, variation.refused);
    if (variation.refused.empty() && !all.empty() && plan.equal == Equal::parameters) equalize(variation, all[0].parameters);
    if (variation.refused.empty()) variation.parameters = parameters_of(variation.cell);
    all.push_back(std::move(variation));
  }
  check<ValueError>(std::any_of(all.begin() + 1, all.end(), [](const Variation& v) { return v.refused.empty(); }),
                    "nothing is left to compare with {}: {}: {}", all[0].name, all[1].name, all[1].refused);
  return all;
}

TrainOptions at_equal_time(TrainOptions cell, double ratio) {
  const auto scaled = [ratio](std::int64_t steps) { return std::llround(static_cast<double>(steps) / ratio); };
  cell.schedule.total = std::max<std::int64_t>(scaled(cell.schedule.total), 1);
  cell.schedule.warmup = std::min<std::int64_t>(scaled(cell.schedule.warmup), cell.schedule.total);
  return cell;
}

double time_ratio(const TrainOptions& cell, const TrainOptions& baseline, const Corpus& corpus, const Corpus& baseline_corpus) {
  using Clock = std::chrono::steady_clock;
  constexpr double slow = 1e-3;  // a rate at which none diverges: time does not depend on it
  Trainer variant(at_rate(cell, slow), corpus), standard(at_rate(baseline, slow), baseline_corpus);
  const auto seconds = [](Trainer& trainer) {
    const auto begun = Clock::now();
    for (int i = 0; i < 4; ++i) trainer.step();
    return std::chrono::duration<double>(Clock::now() - begun).count();
  };
  seconds(variant), seconds(standard);  // the first steps ask for memory
  std::vector<double> ratios;
  for (int turn = 0; turn < 15; ++turn) ratios.push_back(seconds(variant) / seconds(standard));
  return median(ratios);
}

}  // namespace gradus::examples
