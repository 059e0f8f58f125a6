// The results that the book shows: every claim is there, with the rule as it stands in the code, and with the verdict that this
// rule gives to the numbers beside it. A rule that is changed after its measurement fails here.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "examples/claims/all_claims.h"
#include "examples/claims/decided.h"
#include "examples/shared/data/data.h"
#include "examples/shared/experiment/journal.h"
#include "examples/shared/experiment/statistics.h"
#include "tests/support/check.h"

using namespace gradus::examples;

namespace {

using Json = nlohmann::ordered_json;

Json read(const std::string& name) {
  std::ifstream file(source_root() / "docs/made/results" / name);
  const Json json = Json::parse(file, nullptr, false);
  REQUIRE_MESSAGE(json.is_object(), "docs/made/results/", name, " cannot be read");
  return json;
}

// After so few steps no model has trained, and none has to.
bool is_at_the_start(const Where& where) {
  return std::any_of(where.begin(), where.end(), [](const auto& one) { return one.first == "steps" && std::stoi(one.second) < 100; });
}

}  // namespace

TEST_CASE("results: docs/made/results has every claim and erratum, measured --full, with machine, date and commit") {
  const Json results = read("claims.json");
  CHECK(results.at("full") == true);
  for (const char* part : {"machine", "date", "commit", "command"}) CHECK_FALSE(results.at("made").at(part).get<std::string>().empty());
  CHECK(results.at("claims").size() == all_claims().size());
}

TEST_CASE("results: each verdict is what the claim's rule says of the numbers beside it") {
  const Json results = read("claims.json");
  for (const Claim& claim : all_claims()) {
    const auto found =
        std::find_if(results.at("claims").begin(), results.at("claims").end(), [&](const Json& one) { return one.at("id") == claim.id; });
    REQUIRE_MESSAGE(found != results.at("claims").end(), claim.id, " was not measured");
    CHECK_MESSAGE(found->at("rule").at("text") == text_of(claim.rule), claim.id, ": the rule was changed after the measurement");
    const Finding finding = judge(claim.rule, evidence_of(*found));
    CHECK_MESSAGE(found->at("verdict") == word_of(finding.verdict), claim.id);
    CHECK_MESSAGE(found->at("depends_on") == Json(finding.depends_on), claim.id);
    for (const Told& told : finding.places) {
      CHECK_MESSAGE(told.spread.runs >= 3, claim.id, ": fewer than three values");
      CHECK_MESSAGE(committed(told.condition.commits), claim.id, ": no commit to go back to");
      const bool trains = claim.rule.must_train != MustTrain::none && !is_at_the_start(told.condition.where);
      CHECK_MESSAGE((!trains || !told.condition.arms.empty()), claim.id, " at ", text_of(told.condition.where), " shows no losses");
      for (const Arm& arm : told.condition.arms) CHECK_MESSAGE((!trains || std::isfinite(arm.line.loss)), claim.id, ": no line");
    }
  }
}

TEST_CASE("results: each sentence has the words, the sources and the prediction of the code") {
  const Json results = read("claims.json");
  for (const Claim& claim : all_claims()) {
    CAPTURE(claim.id);
    for (const Json& told : results.at("claims")) {
      if (told.at("id") != claim.id) continue;
      CHECK(told.at("quote") == claim.quote);
      CHECK(told.at("says") == claim.says);
      CHECK(told.value("meant", "") == claim.meant);
      CHECK(told.at("because") == claim.because);
      CHECK(told.at("beyond") == claim.beyond);
      CHECK(told.at("predicted") == word_of(claim.predicted));
      REQUIRE(told.at("sources").size() == claim.sources.size());
      for (std::size_t i = 0; i < claim.sources.size(); ++i) {
        const Json& source = told.at("sources")[i];
        CHECK(source.value("published", "") == claim.sources[i].published);
        CHECK(source.value("note", 0) == claim.sources[i].note);
        CHECK(source.value("line", 0) == claim.sources[i].line);
      }
    }
  }
}

TEST_CASE("results: each ablation has its machine, date and commit, and a table that follows from its losses") {
  for (const std::string name :
       {"placement", "depth-2", "depth-12", "norm", "feed-forward", "experts", "position", "streams-12", "streams-24", "streams-12-long"}) {
    CAPTURE(name);
    const Json results = read(fmt::format("ablation-{}.json", name));
    CHECK(results.at("preset") == (name.starts_with("depth") ? "placement" : name.starts_with("streams") ? "streams" : name));
    CHECK(results.at("full") == true);
    for (const char* part : {"machine", "date", "commit"}) CHECK_FALSE(results.at("made").at(part).get<std::string>().empty());
    const auto losses_of = [](const Json& variant) {
      std::vector<double> losses;
      for (const Json& loss : variant.at("losses")) losses.push_back(number_of(loss));
      return losses;
    };
    const auto is_baseline = [&](const Json& v) { return v.at("name") == results.at("baseline").at("name"); };
    const Json& variants = results.at("variants");
    const std::vector<double> baseline = losses_of(*std::find_if(variants.begin(), variants.end(), is_baseline));
    const Spread spread = spread_of(baseline);
    double before = 0;
    for (const Json& variant : variants) {
      const std::vector<double> losses = losses_of(variant);
      const Spread own = spread_of(losses);
      if (std::isnan(own.mean)) continue;  // one that diverged
      if (!variant.value("trained", true)) {
        CHECK(variant.at("said") == "has not trained");
        continue;
      }
      CHECK(own.runs >= 3);
      CHECK(own.mean >= before);  // best first
      before = own.mean;
      CHECK(variant.at("mean").get<double>() == doctest::Approx(own.mean).epsilon(1e-4));
      CHECK(variant.at("in_spreads").get<double>() == doctest::Approx((own.mean - spread.mean) / spread.sigma).epsilon(1e-2));
      if (is_baseline(variant)) continue;
      const double p = paired(losses, baseline).p;
      CHECK(variant.at("p").get<double>() == doctest::Approx(p).epsilon(0.02));
      CHECK(variant.at("p_corrected").get<double>() ==
            doctest::Approx(std::min(1.0, p * results.at("comparisons").get<double>())).epsilon(0.02));
    }
  }
}
