#include "examples/claims/decided.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "examples/claims/all_claims.h"
#include "examples/shared/experiment/journal.h"
#include "examples/shared/report/words.h"

namespace gradus::examples {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kColumns = 80;
constexpr const char* kIndent = "  ";

std::string here(Verdict verdict) { return std::string(word_of(verdict)) + (verdict == Verdict::undecided ? " here" : ""); }

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// "; post has not trained: 3.43 nats, and counting pairs of bytes gives 2.45"
std::string untrained_text(const std::vector<Arm>& arms, const std::string& unit) {
  std::string text;
  for (const Arm& arm : arms) {
    if (!has_trained(arm)) {
      text += fmt::format("; {} has not trained: {}{}, and {} gives {}", arm.name, shown(spread_of(arm.losses).mean),
                          unit.empty() ? "" : " " + unit, arm.line.of, shown(arm.line.loss));
    }
  }
  return text;
}

// "0.150 ± 0.050", and of listed values "0.100 … 0.200"
std::string value_text(const Told& told, const Criterion& rule) {
  const auto [least, greatest] = std::minmax_element(told.condition.values.begin(), told.condition.values.end());
  return rule.values == Values::listed ? fmt::format("{} … {}", shown(*least), shown(*greatest))
                                       : fmt::format("{} ± {}", shown(told.spread.mean), shown(told.spread.sigma, 2));
}

std::string place_line(const Told& told, const Criterion& rule, bool alone) {
  const std::string where = text_of(told.condition.where);
  return folded(
      fmt::format("{}{}{}, {} {}{}{}", where.empty() ? "" : where + ": ", value_text(told, rule), rule.unit.empty() ? "" : " " + rule.unit,
                  told.spread.runs, rule.sample, alone && told.verdict != Verdict::nothing ? "" : ": " + std::string(word_of(told.verdict)),
                  untrained_text(told.condition.arms, rule.unit)),
      kColumns, kIndent);
}

Json json_of(const Arm& arm) {
  const Spread spread = spread_of(arm.losses);
  Json json{{"name", arm.name}, {"mean", as_kept(spread.mean)}, {"sigma", as_kept(spread.sigma)}, {"losses", arm.losses}};
  if (!arm.line.of.empty()) {
    json["line"] = {{"of", arm.line.of}, {"loss", arm.line.loss}};
    json["trained"] = has_trained(arm);
  }
  if (arm.rate) json["rate"] = {{"value", arm.rate->value}, {"at_edge", arm.rate->at_edge}};
  return json;
}

Json json_of(const Told& told, const Criterion& rule) {
  Json where = Json::object(), values = Json::array();
  for (const auto& [factor, level] : told.condition.where) where[factor] = level;
  for (const double value : told.condition.values) values.push_back(Json(as_kept(value)));
  Json json{{"where", where}, {"commit", text_of(told.condition.commits)}, {"mean", as_kept(told.spread.mean)}};
  if (rule.values == Values::listed) {
    const auto [least, greatest] = std::minmax_element(told.condition.values.begin(), told.condition.values.end());
    json["least"] = as_kept(*least), json["greatest"] = as_kept(*greatest);
  } else {
    json["sigma"] = as_kept(told.spread.sigma), json["p"] = as_kept(told.p);
    if (told.one_side) json["signed_rank"] = told.signed_rank;
  }
  json["verdict"] = word_of(told.verdict), json["values"] = values;
  for (const Arm& arm : told.condition.arms) json["arms"].push_back(json_of(arm));
  return json;
}

Json json_of(const Decided& decided) {
  const auto& [claim, finding] = decided;
  Json sources = Json::array(), places = Json::array();
  for (const auto& [note, line, published] : claim->sources) {
    sources.push_back(published.empty() ? Json{{"note", note}, {"line", line}} : Json{{"published", published}});
  }
  for (const Told& told : finding.places) places.push_back(json_of(told, claim->rule));
  const Criterion& rule = claim->rule;
  Json json{{"id", claim->id},
            {"verdict", word_of(finding.verdict)},
            {"count", count_of(finding.places)},
            {"depends_on", finding.depends_on},
            {"sources", sources},
            {"quote", claim->quote},
            {"says", claim->says}};
  if (is_erratum(*claim)) json["meant"] = claim->meant;
  json["predicted"] = word_of(claim->predicted);
  json["because"] = claim->because;
  json["rule"] = {{"statistic", rule.statistic},
                  {"unit", rule.unit},
                  {"side", word_of(rule.side, kSides)},
                  {"bound", rule.bound},
                  {"sample", rule.sample},
                  {"text", text_of(rule)},
                  {"must_train", word_of(rule.must_train, kMustTrain)},
                  {"values", word_of(rule.values, kValues)}};
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
  const bool mixed = finding.verdict == Verdict::undecided || finding.verdict == Verdict::depends;
  if (mixed && finding.places.size() > 1) text += " (" + count_of(finding.places) + ")";
  text += "\n" + folded(fmt::format("{} ({})", claim->says, text_of(claim->sources)), kColumns, kIndent) +
          folded(text_of(claim->rule), kColumns, kIndent);
  for (const Told& told : finding.places) text += place_line(told, claim->rule, finding.places.size() == 1);
  if (is_erratum(*claim)) text += folded("meant: " + claim->meant, kColumns, kIndent);
  if (claim->timed) text += folded("These are times: another run has others, an idle machine the best.", kColumns, kIndent);
  if (finding.seeds_needed > 0 && finding.seeds_needed < 1e5) {
    text += folded(fmt::format("With about {} {} four of five trials would be significant.", shown(std::ceil(finding.seeds_needed), 2),
                               claim->rule.sample),
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
  return fmt::format("{} confirmed, {} refuted, {} depend, {} undecided here", count(Verdict::confirmed), count(Verdict::refuted),
                     count(Verdict::depends), count(Verdict::undecided));
}

Evidence evidence_of(const Json& claim) {
  const auto commits = [](const Json& kept) {
    std::istringstream list(kept.get<std::string>());
    Commits all;
    for (std::string commit; std::getline(list >> std::ws, commit, ',');) all.insert(commit);
    return all;
  };
  Evidence evidence;
  for (const Json& place : claim.at("places")) {
    Condition& condition = evidence.emplace_back();
    for (const auto& [factor, level] : place.at("where").items()) condition.where.emplace_back(factor, level);
    for (const Json& value : place.at("values")) condition.values.push_back(number_of(value));
    condition.commits = commits(place.at("commit"));
    for (const Json& arm : place.value("arms", Json::array())) {
      Arm& one = condition.arms.emplace_back(Arm{arm.at("name"), arm.at("losses")});
      if (arm.contains("line")) one.line = {arm.at("line").at("of"), arm.at("line").at("loss")};
      if (arm.contains("rate")) one.rate = Rate{arm.at("rate").at("value"), arm.at("rate").at("at_edge")};
    }
  }
  return evidence;
}

Evidence merged(Evidence kept, const Evidence& found) {
  for (const Condition& place : found) {
    const auto same = std::find_if(kept.begin(), kept.end(), [&](const Condition& one) { return one.where == place.where; });
    if (same == kept.end()) kept.push_back(place);
    else *same = place;
  }
  return kept;
}

Json json_of(const std::vector<Decided>& all, const Setting& setting) {
  Json json{{"program", "claims"}, {"full", setting.full}, {"seed", setting.seed}};
  json["made"] = to_json(setting.made);
  json["claims"] = Json::array();
  for (const Decided& decided : all) json["claims"].push_back(json_of(decided));
  return rounded(json);
}

}  // namespace gradus::examples
