// The result's files: CSV for tables, JSON for all.
#include <fmt/ranges.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "examples/ablate/table.h"
#include "examples/shared/options/train_config.h"
#include "examples/shared/options/train_options.h"

namespace gradus::examples {
namespace {

using Ordered = nlohmann::ordered_json;

std::string quoted_for_csv(const std::string& cell) {  // RFC 4180
  if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
  std::string doubled;
  for (const char c : cell) doubled += c == '"' ? "\"\"" : std::string(1, c);
  return "\"" + doubled + "\"";
}

std::string line_of(const std::vector<std::string>& cells) {
  std::vector<std::string> quoted;
  for (const std::string& cell : cells) quoted.push_back(quoted_for_csv(cell));
  return fmt::format("{}\n", fmt::join(quoted, ","));
}

std::string number(double x) { return std::isnan(x) ? "nan" : fmt::format("{}", x); }

void add_factors(std::vector<std::string>& head, const Plan& plan) {
  for (const Given& factor : plan.factors()) head.push_back(factor.option);
}

Ordered list_of(const std::vector<double>& values) {
  Ordered list = Ordered::array();
  for (const double x : values) list.push_back(Ordered(as_kept(x)));
  return list;
}

Ordered json_of(const Row& row, const ResultTable& table) {
  const auto& [variation, ratio, tuned, outcomes, untaught, pairs] = *row.of;
  Ordered json{{"name", variation.name},
               {"values", variation.values},
               {"parameters", variation.parameters},
               {"d_ff", variation.cell.model.d_ff},
               {"steps", variation.cell.schedule.total},
               {"time_ratio", ratio},
               {"rate", variation.cell.schedule.max_lr},
               {"at_edge", tuned.at_edge},
               {"untaught", as_kept(untaught)},
               {"pairs", as_kept(pairs)},
               {"trained", row.trained},
               {"losses", list_of(row.losses)},
               {"mean", as_kept(row.spread.mean)},
               {"sigma", as_kept(row.spread.sigma)},
               {"in_spreads", as_kept(row.in_spreads)},
               {"difference", as_kept(row.difference.mean)},
               {"standard_error", as_kept(row.difference.standard_error)},
               {"p", as_kept(row.difference.p)},
               {"p_corrected", as_kept(row.p)},
               {"said", said_of(table, row)}};
  json["tried"] = Ordered::array();
  for (const auto& [rate, loss] : tuned.tried) json["tried"].push_back({as_kept(rate), as_kept(loss)});
  json["runs"] = Ordered::array();
  for (const Outcome& outcome : outcomes) json["runs"].push_back(Ordered(to_json(outcome)));
  return json;
}

const char* name_of(Equal equal) { return equal == Equal::parameters ? "parameters" : equal == Equal::time ? "time" : "nothing"; }

}  // namespace

std::string table_csv(const Plan& plan, const ResultTable& table) {
  std::vector<std::string> head{"rank", "variant"};
  add_factors(head, plan);
  for (const char* name : {"parameters", "d_ff", "steps", "time_ratio", "rate", "at_edge", "seeds", "diverged", "mean", "sigma",
                           "in_spreads", "difference", "p", "p_corrected", "said"})
    head.emplace_back(name);
  std::string text = line_of(head);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const Row& row = table.rows[i];
    const Variation& variation = row.of->variation;
    std::vector<std::string> cells{std::to_string(i + 1), variation.name};
    cells.insert(cells.end(), variation.values.begin(), variation.values.end());
    for (const std::string& cell :
         {std::to_string(variation.parameters), std::to_string(variation.cell.model.d_ff), std::to_string(variation.cell.schedule.total),
          number(row.of->ratio), number(variation.cell.schedule.max_lr), std::string(row.of->tuned.at_edge ? "true" : "false"),
          std::to_string(row.losses.size()), std::to_string(row.diverged), number(row.spread.mean), number(row.spread.sigma),
          number(row.in_spreads), number(row.difference.mean), number(row.difference.p), number(row.p), said_of(table, row)})
      cells.push_back(cell);
    text += line_of(cells);
  }
  return text;
}

std::string runs_csv(const Plan& plan, const ResultTable& table) {
  std::vector<std::string> head{"variant"};
  add_factors(head, plan);
  for (const char* name : {"seed", "rate", "steps", "loss", "loss_at_T", "loss_at_2T", "loss_at_4T"}) head.emplace_back(name);
  std::string text = line_of(head);
  for (const Row& row : table.rows) {
    const Variation& variation = row.of->variation;
    for (std::size_t s = 0; s < row.losses.size(); ++s) {
      std::vector<std::string> cells{variation.name};
      cells.insert(cells.end(), variation.values.begin(), variation.values.end());
      for (const std::string& cell : {std::to_string(plan.first_seed() + s), number(variation.cell.schedule.max_lr),
                                      std::to_string(variation.cell.schedule.total), number(row.losses[s])})
        cells.push_back(cell);
      for (const AtLength& at : row.of->outcomes[s].lengths) cells.push_back(number(at.loss));
      text += line_of(cells);
    }
  }
  return text;
}

Ordered json_of(const Plan& plan, const ResultTable& table, const std::vector<Measured>& all, const Made& made) {
  Ordered json{{"program", "ablate"}, {"preset", plan.preset}, {"full", plan.full}, {"equal", name_of(plan.equal)}, {"show", plan.show}};
  json["made"] = to_json(made);
  for (const auto& [option, values] : plan.given) json["options"][option] = values;
  json["seeds"] = {{"first", plan.first_seed()}, {"count", plan.seeds}};
  json["sweep"] = {{"first_seed", plan.sweep().first_seed}, {"seeds", plan.sweep_seeds}, {"farthest", plan.farthest}};
  json["fixed_beforehand"] = fixed_beforehand(plan, table);
  json["comparisons"] = table.comparisons;
  json["unigram"] = as_kept(table.baseline.of->untaught);
  json["pairs"] = as_kept(table.baseline.of->pairs);
  json["baseline"] = {{"name", table.baseline.of->variation.name}, {"config", to_json(table.baseline.of->variation.cell)}};
  json["variants"] = Ordered::array();
  for (const Row& row : table.rows) json["variants"].push_back(json_of(row, table));
  json["refused"] = Ordered::array();
  for (const Measured& measured : all) {
    if (!measured.variation.refused.empty())
      json["refused"].push_back({{"name", measured.variation.name}, {"why", measured.variation.refused}});
  }
  return rounded(json);
}

}  // namespace gradus::examples
