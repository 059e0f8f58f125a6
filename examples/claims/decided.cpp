#include "examples/claims/decided.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "examples/claims/all_claims.h"
#include "examples/shared/experiment/journal.h"
#include "examples/shared/report/words.h"

namespace gradus::examples {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kColumns = 80;
constexpr const char* kIndent = "  ";

std::string here(Verdict verdict) {
  return std::string(word_of(verdict)) + (verdict == Verdict::undecided ? " here" : "");
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// "; post has not trained: 3.43 nats, and how often each answer comes gives 3.40"
std::string untrained_text(const std::vector<Arm>& arms, const std::string& unit) {
  std::string text;
  for (const Arm& arm : arms) {
    if (!has_trained(arm)) {
      text += fmt::format("; {} has not trained: {}{}, and how often each answer comes gives {}", arm.name,
                          shown(spread_of(arm.losses).mean), unit.empty() ? "" : " " + unit, shown(arm.untaught));
    }
  }
  return text;
}

std::string place_line(const Told& told, const Criterion& rule, bool alone) {
  const std::string where = text_of(told.condition.where);
  return folded(fmt::format("{}{} ± {}{}, {} {}{}{}", where.empty() ? "" : where + ": ", shown(told.spread.mean),
                            shown(told.spread.sigma, 2), rule.unit.empty() ? "" : " " + rule.unit, told.spread.runs,
                            rule.sample,
                            alone && told.verdict != Verdict::nothing ? "" : ": " + std::string(word_of(told.verdict)),
                            untrained_text(told.condition.arms, rule.unit)),
                kColumns, kIndent);
}

Json json_of(const Arm& arm) {
  const Spread spread = spread_of(arm.losses);
  return {{"name", arm.name},        {"mean", as_kept(spread.mean)},      {"sigma", as_kept(spread.sigma)},
          {"losses", arm.losses},    {"untaught", as_kept(arm.untaught)}, {"trained", has_trained(arm)}};
}

Json json_of(const Told& told) {
  Json where = Json::object(), values = Json::array();
  for (const auto& [factor, level] : told.condition.where) where[factor] = level;
  for (const double value : told.condition.values) values.push_back(Json(as_kept(value)));
  Json json{{"where", where},       {"mean", as_kept(told.spread.mean)}, {"sigma", as_kept(told.spread.sigma)},
            {"p", as_kept(told.p)}, {"verdict", word_of(told.verdict)},  {"values", values}};
  for (const Arm& arm : told.condition.arms) json["arms"].push_back(json_of(arm));
  return json;
}

Json json_of(const Decided& decided) {
  const auto& [claim, finding] = decided;
  Json sources = Json::array(), places = Json::array();
  for (const auto& [note, line] : claim->sources) sources.push_back({{"note", note}, {"line", line}});
  for (const Told& told : finding.places) places.push_back(json_of(told));
  const Criterion& rule = claim->rule;
  Json json{{"id", claim->id},
            {"verdict", word_of(finding.verdict)},
            {"depends_on", finding.depends_on},
            {"sources", sources},
            {"quote", claim->quote},
            {"says", claim->says}};
  if (is_erratum(*claim)) json["meant"] = claim->meant;
  json["predicted"] = word_of(claim->predicted);
  json["because"] = claim->because;
  json["rule"] = {
      {"statistic", rule.statistic}, {"unit", rule.unit},     {"side", rule.side == Side::below ? "below" : "above"},
      {"bound", rule.bound},         {"sample", rule.sample}, {"text", text_of(rule)}};
  json["places"] = places;
  json["beyond"] = claim->beyond;
  json["seeds_needed"] = std::ceil(finding.seeds_needed);
  json["timed"] = claim->timed;
  return json;
}

}  // namespace

std::string told_text(const Decided& decided) {
  const auto& [claim, finding] = decided;
  std::string text = fmt::format("{} {}: {}", is_erratum(*claim) ? "erratum" : "claim",
                                 is_erratum(*claim) ? claim->id.substr(8) : name_of(*claim), here(finding.verdict));
  if (!finding.depends_on.empty()) text += " on " + joined(finding.depends_on);
  text += "\n" + folded(fmt::format("{} ({})", claim->says, text_of(claim->sources)), kColumns, kIndent) +
          folded(text_of(claim->rule), kColumns, kIndent);
  for (const Told& told : finding.places) text += place_line(told, claim->rule, finding.places.size() == 1);
  if (is_erratum(*claim)) text += folded("meant: " + claim->meant, kColumns, kIndent);
  if (claim->timed) text += folded("These are times: another run has others, an idle machine the best.", kColumns, kIndent);
  if (finding.seeds_needed > 0 && finding.seeds_needed < 1e5) {
    text += folded(fmt::format("About {} {} would tell.", shown(std::ceil(finding.seeds_needed), 2), claim->rule.sample),
                   kColumns, kIndent);
  }
  if (finding.verdict == Verdict::undecided && !claim->beyond.empty()) {
    text += folded("beyond this: " + claim->beyond, kColumns, kIndent);
  }
  return text;
}

std::string counts_text(const std::vector<Decided>& all) {
  const auto count = [&](Verdict verdict) {
    return std::count_if(all.begin(), all.end(), [&](const Decided& d) { return d.finding.verdict == verdict; });
  };
  return fmt::format("{} confirmed, {} refuted, {} depend, {} undecided here", count(Verdict::confirmed),
                     count(Verdict::refuted), count(Verdict::depends), count(Verdict::undecided));
}

Json json_of(const std::vector<Decided>& all, const Setting& setting) {
  Json json{{"program", "claims"}, {"full", setting.full}, {"seed", setting.seed}};
  json["made"] = to_json(setting.made);
  json["claims"] = Json::array();
  for (const Decided& decided : all) json["claims"].push_back(json_of(decided));
  return rounded(json);
}

}  // namespace gradus::examples
