#include "examples/claims/all_claims.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/check.h"
#include "core/options/edit_distance.h"

namespace gradus::examples {
namespace {

using Json = nlohmann::ordered_json;

// The enumerator that has this place among the words.
template <typename Enum> Enum read(const std::string& word, const std::vector<std::string>& words) {
  const auto found = std::find(words.begin(), words.end(), word);
  check<ValueError>(found != words.end(), "sentences.json: '{}' is none of {}", word, fmt::join(words, ", "));
  return static_cast<Enum>(found - words.begin());
}

Criterion rule_of(const Json& rule) {
  return {.statistic = rule.at("statistic"),
          .unit = rule.value("unit", ""),
          .side = read<Side>(rule.at("side"), kSides),
          .bound = rule.at("bound"),
          .sample = rule.value("sample", "seeds"),
          .must_train = read<MustTrain>(rule.value("must_train", "none"), kMustTrain),
          .values = read<Values>(rule.value("values", "drawn"), kValues)};
}

Claim claim_of(const Json& json) {
  Claim claim{.id = json.at("id"),
              .sources = {},
              .quote = json.at("quote"),
              .says = json.at("says"),
              .meant = json.value("meant", ""),
              .predicted = read<Verdict>(json.at("predicted"), {"confirmed", "refuted", "depends", "undecided"}),
              .because = json.at("because"),
              .rule = rule_of(json.at("rule")),
              .beyond = json.value("beyond", ""),
              .timed = json.value("timed", false)};
  for (const Json& source : json.at("sources")) {
    claim.sources.push_back(source.is_string() ? Source{.published = source} : Source{source.at(0), source.at(1)});
  }
  return claim;
}

Experiments all_experiments() {
  Experiments all;
  for (Experiments family : {placement_experiments(), stream_experiments(), norm_experiments(), norm_reason_experiments(),
                             activation_experiments(), activation_training_experiments(), feed_forward_experiments(),
                             position_experiments(), model_experiments(), published_experiments(), clarified_errata()}) {
    all.merge(family);
  }
  return all;
}

}  // namespace

std::vector<Claim> claims_of(const std::string& text, Experiments experiments) {
  std::vector<Claim> claims;
  for (const Json& json : Json::parse(text)) {
    Claim& claim = claims.emplace_back(claim_of(json));
    const auto experiment = experiments.extract(claim.id);
    check<ValueError>(!experiment.empty(), "{}: it has no experiment, or stands twice in sentences.json", claim.id);
    claim.measure = experiment.mapped();
  }
  check<ValueError>(experiments.empty(), "{}: it has an experiment, and is not in sentences.json", experiments.begin()->first);
  return claims;
}

const std::vector<Claim>& all_claims() {
  static const std::vector<Claim> all = claims_of(sentences_json(), all_experiments());
  return all;
}

std::string name_of(const Claim& claim) { return claim.id.rfind("claim-", 0) == 0 ? claim.id.substr(6) : claim.id; }

const Claim& find_claim(const std::string& id) {
  std::vector<std::string> names;
  for (const Claim& claim : all_claims()) {
    if (id == claim.id || id == name_of(claim)) return claim;
    names.push_back(name_of(claim));
  }
  throw ValueError(fmt::format("there is no claim '{}'; did you mean '{}'? --list names all", id, nearest(id, names)));
}

}  // namespace gradus::examples
