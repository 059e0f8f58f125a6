// The table of an ablation: each variant beside the baseline, best first, and what may be said of the difference.
#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "examples/ablate/carry_out.h"
#include "examples/shared/experiment/made.h"
#include "examples/shared/experiment/statistics.h"

namespace gradus::examples {

struct Row {
  const Measured* of = nullptr;
  const std::string& name() const { return of->variation.name; }

  bool baseline = false;
  std::vector<double> losses;  // by seed; NaN: diverged
  std::int64_t diverged = 0;   // how many; one is enough for no mean
  Spread spread;               // of the losses
  bool trained = true;         // see has_trained(); a variant that has not is not compared
  double in_spreads = 0;       // (mean - baseline's) / the baseline's σ; NaN where either has none
  Paired difference;           // to the baseline, seed by seed; of no use for the baseline itself, or where one diverged
  double p = 1;                // of that, times the number of comparisons: Bonferroni, at most 1
};

struct ResultTable {
  std::vector<Row> rows;  // by mean loss, variants that diverged at the end
  Row baseline;
  std::int64_t comparisons = 0;

  // |difference| < 2 σ, not more than another seed does: grey and ≈, whether it is significant or not.
  static bool within(const Row& row);
};

// ValueError where the baseline has not one loss. `all` must outlive the table.
ResultTable table_of(const std::vector<Measured>& all);

// What is said of a row. Where p is below 5 %: "lower", "higher", and within two spreads "slightly lower", "slightly
// higher": with enough seeds a difference is significant that is less than what another seed does. Else "no difference seen",
// or beyond two spreads "not significant". And "baseline", "diverged", "has not trained", "the baseline has not trained" (where nothing
// can be compared), "too few seeds" (fewer than three).
std::string said_of(const ResultTable& table, const Row& row);

// A row's numbers as text: "2.1234 ± 0.0123"; "≈ +0.8"; "0.012"; "12,345", or with equal time "583 (1.03×)" steps.
std::string shown_loss(const Row& row);
std::string shown_difference(const Row& row);
std::string shown_p(const Row& row);
std::string shown_size(const Plan& plan, const Row& row);

// For a terminal, at most 80 columns.
std::string terminal_table(const Plan& plan, const ResultTable& table);

std::string table_csv(const Plan& plan, const ResultTable& table);  // one row per variant
std::string runs_csv(const Plan& plan, const ResultTable& table);   // one row per run
nlohmann::ordered_json json_of(const Plan& plan, const ResultTable& table, const std::vector<Measured>& all, const Made& made);

// What was fixed before the first run, in words: seeds, rates, rule.
std::vector<std::string> fixed_beforehand(const Plan& plan, const ResultTable& table);

}  // namespace gradus::examples
