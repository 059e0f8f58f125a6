// A claim's verdict: by the rule and the values alone, for every claim that there is; and a lab that deals out seeds fairly.
#include "examples/shared/experiment/claim.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "core/tensor/generator.h"
#include "examples/claims/all_claims.h"
#include "examples/claims/decided.h"
#include "examples/claims/lab.h"
#include "tests/support/check.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

const Criterion below_one{.statistic = "x", .unit = "", .side = Side::below, .bound = 1};
const std::vector<double> low{0.1, 0.2, 0.15}, high{2.1, 2.2, 2.15}, wide{0.1, 1.9, 1.2};

Verdict verdict_of(const Criterion& rule, const Evidence& evidence) { return judge(rule, evidence).verdict; }

// Three values well on one side of the bound.
std::vector<double> values_at(const Criterion& rule, Side side) {
  const double off = (side == Side::below ? -1 : 1) * std::max(std::abs(rule.bound), 1e-3);
  return {rule.bound + off, rule.bound + 1.1 * off, rule.bound + 1.2 * off};
}

}  // namespace

TEST_CASE(
    "claims: every claim of the notes is refuted by data on the wrong side of its bound, and confirmed on the "
    "right") {
  for (const Claim& claim : all_claims()) {
    const Side right = claim.rule.side, wrong = right == Side::below ? Side::above : Side::below;
    CHECK_MESSAGE(verdict_of(claim.rule, {{{}, values_at(claim.rule, wrong)}}) == Verdict::refuted, claim.id);
    CHECK_MESSAGE(verdict_of(claim.rule, {{{}, values_at(claim.rule, right)}}) == Verdict::confirmed, claim.id);
  }
}

TEST_CASE(
    "claims: each has an id of its own, a source with a quote, a statistic, a prediction with its reason, an "
    "experiment") {
  std::set<std::string> ids;
  for (const Claim& claim : all_claims()) {
    CAPTURE(claim.id);
    CHECK(ids.insert(claim.id).second);
    CHECK((claim.id.rfind("claim-", 0) == 0 || is_erratum(claim)));
    CHECK(is_erratum(claim) == !claim.meant.empty());
    REQUIRE_FALSE(claim.sources.empty());
    for (const Source& source : claim.sources) {
      if (!source.published.empty()) continue;
      CHECK(source.note >= 0);
      CHECK(source.note <= 4);
      CHECK(source.line >= 1);
    }
    for (const std::string& text : {claim.quote, claim.says, claim.because, claim.rule.statistic, claim.rule.sample})
      CHECK_FALSE(text.empty());
    CHECK(claim.measure != nullptr);
    CHECK(find_claim(claim.id).id == claim.id);
    CHECK(find_claim(name_of(claim)).id == claim.id);
  }
  CHECK_THROWS_WITH_AS(find_claim("rms-fastr"), "there is no claim 'rms-fastr'; did you mean 'rms-faster'? --list names all", ValueError);
}

TEST_CASE("claims: a sentence without an experiment, an experiment without a sentence, and a word that no rule has are errors") {
  const std::string sentence = R"({"id": "a", "sources": [[0, 13]], "quote": "q", "says": "s", "predicted": "depends", "because": "b",
                                   "rule": {"statistic": "x", "side": "above", "bound": 2, "must_train": "one"}})";
  const auto nothing = [](Lab&) { return Evidence{}; };
  const Claim claim = claims_of("[" + sentence + "]", {{"a", nothing}})[0];
  CHECK(claim.sources[0].line == 13);
  CHECK(text_of(claim.rule) == "x: above 2; void unless one of the models has trained");
  CHECK_THROWS_AS(claims_of("[" + sentence + "]", {}), ValueError);
  CHECK_THROWS_AS(claims_of("[" + sentence + "," + sentence + "]", {{"a", nothing}}), ValueError);
  CHECK_THROWS_AS(claims_of("[" + sentence + "]", {{"a", nothing}, {"b", nothing}}), ValueError);
  std::string misspelt = sentence;
  misspelt.replace(misspelt.find("above"), 5, "over");
  CHECK_THROWS_WITH_AS(claims_of("[" + misspelt + "]", {{"a", nothing}}), "sentences.json: 'over' is none of below, above", ValueError);
}

TEST_CASE("judge: below and above; on neither side nothing is decided, nor by two values, nor by one that is not a number") {
  CHECK(verdict_of(below_one, {{{}, low}}) == Verdict::confirmed);
  CHECK(verdict_of(below_one, {{{}, high}}) == Verdict::refuted);
  CHECK(verdict_of(below_one, {{{}, wide}}) == Verdict::undecided);
  Criterion above = below_one;
  above.side = Side::above;
  CHECK(verdict_of(above, {{{}, low}}) == Verdict::refuted);
  CHECK(verdict_of(above, {{{}, high}}) == Verdict::confirmed);
  CHECK(verdict_of(below_one, {{{}, {0.1, 0.2}}}) == Verdict::undecided);
  CHECK(verdict_of(below_one, {{{}, {0.1, 0.2, NAN}}}) == Verdict::undecided);
  CHECK(verdict_of(below_one, {{{}, {0.5, 0.5, 0.5}}}) == Verdict::confirmed);  // no spread at all
  CHECK(verdict_of(below_one, {{{}, {1, 1, 1}}}) == Verdict::undecided);        // on the bound itself
  CHECK_THROWS_AS(judge(below_one, {}), ValueError);
}

TEST_CASE("judge: p is Student's, of the distance from the bound") {
  // 1, 2, 3 against 1: mean 1 above, standard error 1/√3, t = √3 with 2 degrees of freedom: p = 1 - √3/√5
  const Told told = judge(below_one, {{{}, {1, 2, 3}}}).places[0];
  CHECK(told.p == doctest::Approx(1 - std::sqrt(3.0 / 5)).epsilon(1e-12));
  CHECK(told.spread.mean == 2);
  CHECK(told.spread.sigma == 1);
}

TEST_CASE("judge: a value that is told alone is not told beside others (Bonferroni)") {
  const std::vector<double> once{0.5, 0.62, 0.38};  // p about 0.019: below 1/20, not below 1/60
  const double p = judge(below_one, {{{}, once}}).places[0].p;
  REQUIRE(p < 0.05);
  REQUIRE(p > 0.05 / 3);
  CHECK(verdict_of(below_one, {{{{"n", "1"}}, once}}) == Verdict::confirmed);
  CHECK(verdict_of(below_one, {{{{"n", "1"}}, once}, {{{"n", "2"}}, low}, {{{"n", "3"}}, low}}) == Verdict::undecided);
}

TEST_CASE("judge: it depends on the factor that alone turns the verdict, and not on one that does not") {
  const auto place = [](const char* init, const char* depth, const std::vector<double>& values) {
    return Condition{{{"init", init}, {"depth", depth}}, values};
  };
  const Finding finding = judge(below_one, {place("a", "1", low), place("a", "2", low), place("b", "1", high), place("b", "2", high)});
  CHECK(finding.verdict == Verdict::depends);
  CHECK(finding.depends_on == std::vector<std::string>{"init"});
  CHECK(judge(below_one, {place("a", "1", low), place("b", "2", high)}).depends_on == std::vector<std::string>{"init", "depth"});
  CHECK(verdict_of(below_one, {place("a", "1", low), place("b", "1", low)}) == Verdict::confirmed);
  CHECK(verdict_of(below_one, {place("a", "1", high), place("b", "1", high)}) == Verdict::refuted);
  CHECK(verdict_of(below_one, {place("a", "1", low), place("b", "1", wide)}) == Verdict::undecided);
  CHECK(verdict_of(below_one, {place("a", "1", low), place("b", "1", wide), place("b", "2", high)}) == Verdict::depends);
  CHECK_THROWS_AS(judge(below_one, {place("a", "1", low), {{{"init", "a"}}, low}}), ValueError);
}

TEST_CASE("judge: two arms that have not trained decide nothing, however far apart; nor does one beside one that has") {
  const Baseline pairs{"counting pairs of bytes", 2.49};
  const Arm taught{"pre", {2.1, 2.2, 2.15}, pairs}, dead{"post", {3.43, 3.44, 3.42}, pairs}, barely{"deep", {2.4, 2.6, 2.4}, pairs};
  CHECK(has_trained(taught));
  CHECK_FALSE(has_trained(dead));
  CHECK_FALSE(has_trained(barely));                                   // below the line, but not by more than its spread
  CHECK_FALSE(has_trained(Arm{"begun", {2.92, 2.91, 2.93}, pairs}));  // knows how often each byte comes, and not pairs
  CHECK_FALSE(has_trained(Arm{"lost", {2.0, NAN, 2.0}, pairs}));
  CHECK_FALSE(has_trained(Arm{"two of five died", {1.76, 3.39, 3.33, 1.67, 1.67}, pairs}));
  CHECK(has_trained(Arm{"of no line", {5, 6, 7}}));
  const auto place = [](const char* n, const std::vector<double>& values, const std::vector<Arm>& arms) {
    return Condition{{{"n", n}}, values, arms};
  };
  Criterion each = below_one, one = below_one;
  each.must_train = MustTrain::each, one.must_train = MustTrain::one;
  const Finding both = judge(each, {place("1", low, {dead, dead})});
  CHECK(both.verdict == Verdict::undecided);
  CHECK(both.places[0].verdict == Verdict::nothing);
  CHECK(std::string(word_of(both.places[0].verdict)) == "void");
  CHECK(verdict_of(each, {place("1", high, {taught, dead})}) == Verdict::undecided);
  CHECK(verdict_of(each, {place("1", high, {dead, taught})}) == Verdict::undecided);
  CHECK(verdict_of(each, {place("1", high, {taught, taught})}) == Verdict::refuted);
  CHECK(verdict_of(one, {place("1", high, {dead, taught})}) == Verdict::refuted);
  CHECK(verdict_of(one, {place("1", high, {dead, dead})}) == Verdict::undecided);
  CHECK(verdict_of(below_one, {place("1", high, {dead, dead})}) == Verdict::refuted);  // asks for no training
  CHECK(text_of(each) == "x: below 1; void unless each model has trained");
  CHECK(text_of(one) == "x: below 1; void unless one of the models has trained");
  // Void places are left out: neither do they turn a verdict, nor do they make the others' p rarer.
  CHECK(verdict_of(each, {place("1", low, {taught}), place("2", high, {dead})}) == Verdict::confirmed);
  const std::vector<double> once{0.5, 0.62, 0.38};  // told alone, not beside two others
  CHECK(verdict_of(each, {place("1", once, {}), place("2", low, {dead}), place("3", low, {dead})}) == Verdict::confirmed);
}

TEST_CASE("judge: listed values are no sample: all of them on one side decide, and neither σ nor p; the signed ranks stand beside t") {
  Criterion listed = below_one;
  listed.values = examples::Values::listed;
  CHECK(verdict_of(listed, {{{}, {0.1, 0.99}}}) == Verdict::confirmed);
  CHECK(verdict_of(listed, {{{}, {1.1, 40}}}) == Verdict::refuted);
  CHECK(verdict_of(listed, {{{}, {0.1, 0.1, 0.1, 1}}}) == Verdict::undecided);
  CHECK(judge(listed, {{{}, {0.1, 2}}}).seeds_needed == 0);
  CHECK(text_of(listed) == "x: all below 1");
  const Claim claim{.id = "claim-x", .sources = {{0, 1}}, .quote = "x", .says = "x", .rule = listed};
  const auto place = json_of({{&claim, judge(listed, {{{}, {0.1, 0.7}}})}}, {})["claims"][0]["places"][0];
  CHECK(place["least"] == 0.1);
  CHECK(place["greatest"] == 0.7);
  CHECK_FALSE(place.contains("sigma"));
  CHECK_FALSE(place.contains("p"));
  const Told told = judge(below_one, {{{}, {0.9, 0.8, 0.99, 0.2}}}).places[0];  // skewed: all below
  CHECK(told.one_side);
  CHECK(told.signed_rank == doctest::Approx(2.0 / 16));
  CHECK_FALSE(judge(below_one, {{{}, wide}}).places[0].one_side);
}

TEST_CASE("judge: how many places say what, for a claim that one word does not cover") {
  const auto places = judge(below_one, {{{{"n", "1"}}, low}, {{{"n", "2"}}, low}, {{{"n", "3"}}, wide}}).places;
  CHECK(count_of(places) == "2 of 3 places confirm, 1 is undecided");
}

TEST_CASE("decided: what goes into the results comes back, and a merge keeps each other place with its commit") {
  Criterion rule = below_one;
  rule.must_train = MustTrain::each;
  const Claim claim{.id = "claim-x", .sources = {{0, 1}}, .quote = "x", .says = "x", .rule = rule};
  const Baseline pairs{"counting pairs of bytes", 2.5};
  const auto arm = [&](const char* name) { return Arm{name, {2.1, 2.2, 2.3}, pairs, Rate{0.008, true}, {}}; };
  const Evidence before{{{{"steps", "1000"}}, low, {arm("post"), arm("pre")}, {"1ba4faa"}},
                        {{{"steps", "4000"}}, low, {arm("post"), arm("pre")}, {"1ba4faa"}}};
  const Evidence now{{{{"steps", "4000"}}, high, {arm("post"), arm("pre")}, {"22db1ae", "33db1ae"}},
                     {{{"steps", "9000"}}, high, {arm("post"), arm("pre")}, {"22db1ae"}}};
  const auto json = json_of({{&claim, judge(rule, merged(before, now))}}, {});
  const Evidence back = evidence_of(json["claims"][0]);
  REQUIRE(back.size() == 3);
  CHECK(back[0].commits == Commits{"1ba4faa"});
  CHECK(back[0].values == low);
  CHECK(back[1].commits == Commits{"22db1ae", "33db1ae"});
  CHECK(back[1].values == high);
  CHECK(back[2].where == now[1].where);
  REQUIRE(back[1].arms.size() == 2);
  CHECK(back[1].arms[0].losses == std::vector<double>{2.1, 2.2, 2.3});
  CHECK(back[1].arms[1].line.loss == 2.5);
  CHECK(back[1].arms[1].line.of == pairs.of);
  REQUIRE(back[1].arms[1].rate);
  CHECK(back[1].arms[1].rate->value == 0.008);
  CHECK(back[1].arms[1].rate->at_edge);
  CHECK(json_of({{&claim, judge(rule, back)}}, {}) == json);
}

TEST_CASE("lab: a comparison has the losses of both models, and the commits of both") {
  Arm first{"pre", {2.5, 2.0}}, second{"post", {3.5, 3.25}};
  first.commits = {"a"}, second.commits = {"a", "b"};
  const Condition place = compared({}, first, second);
  CHECK(place.values == std::vector<double>{-1, -1.25});
  REQUIRE(place.arms.size() == 2);
  CHECK(place.arms[1].losses == second.losses);
  CHECK(place.commits == Commits{"a", "b"});
}

TEST_CASE("claim-position-extrapolates: no encoding at all is the control, and a model that has not learned is void") {
  Journal journal;
  Lab lab(journal, {.full = true, .only_named = true});
  const Claim& claim = find_claim("claim-position-extrapolates");
  lab.begin(claim.id);
  const Evidence places = claim.measure(lab);
  const auto is_control = [](const Condition& one) { return level(one.where, "encoding") == "none"; };
  CHECK(std::count_if(places.begin(), places.end(), is_control) >= 4);
  Condition hardly = places[0];  // looking back
  REQUIRE(level(hardly.where, "task") == "looking back");
  hardly.arms[0].losses = {0.74, 0.7, 0.75}, hardly.arms[1].losses = {0.76, 0.72, 0.77}, hardly.values = {0.92, 0.93, 0.925};
  CHECK(judge(claim.rule, {hardly}).places[0].verdict == Verdict::nothing);
  hardly.arms[0].losses = {0.01, 0.02, 0.01};
  CHECK(judge(claim.rule, {hardly}).places[0].verdict == Verdict::confirmed);
}

TEST_CASE("lab: five seeds for each place, the same at any number of threads; what is known is not measured again") {
  const auto value = [](const Where& where, std::uint64_t seed) {
    Generator random(seed);
    return level(where, "x") == "a" ? static_cast<double>(seed) : randn({}, DType::f64, random).item();
  };
  const std::vector<Where> places{{{"x", "a"}}, {{"x", "b"}}};
  Journal journal;
  int measured = 0;
  Lab lab(journal, {.seed = 3}, [&] { ++measured; });
  lab.begin("one");
  const Evidence evidence = lab.each(places, value);
  CHECK(evidence[0].values == std::vector<double>{3000, 3001, 3002, 3003, 3004});
  CHECK(measured == 10);
  CHECK(lab.each(places, value)[1].values == evidence[1].values);
  CHECK(measured == 10);
  lab.begin("another");
  lab.in_turn(places, value);
  CHECK(measured == 20);
  const Threads one(1);
  Journal other;
  Lab again(other, {.seed = 3});
  again.begin("one");
  CHECK(again.each(places, value)[1].values == evidence[1].values);
  CHECK(Lab(other, {.full = true}).seeds() == 10);
}

TEST_CASE("decided: a claim in words, with its number, spread, seeds and rule; in JSON with every value") {
  const Claim claim{.id = "claim-of-a-test", .sources = {{2, 68}}, .quote = "x", .says = "It is low.", .rule = below_one};
  const Decided decided{&claim, judge(below_one, {{{{"init", "a"}}, low}, {{{"init", "b"}}, high}})};
  CHECK(told_text(decided) ==
        "claim of-a-test: depends on init (1 of 2 places confirms, 1 refutes)\n  It is low. (note 2, line 68)\n  x: below 1\n  init a: "
        "0.150 ± 0.050, 3 "
        "seeds: confirmed\n"
        "  init b: 2.15 ± 0.050, 3 seeds: refuted\n");
  CHECK(counts_text({decided, decided}) == "0 confirmed, 0 refuted, 2 depend, 0 undecided here");
  const auto json = json_of({decided}, {.made = {"c", "m", "d", "e"}});
  CHECK(json["made"]["commit"] == "e");
  CHECK(json["claims"][0]["verdict"] == "depends");
  CHECK(json["claims"][0]["depends_on"][0] == "init");
  CHECK(json["claims"][0]["places"][1]["values"].get<std::vector<double>>() == high);
  CHECK(json["claims"][0]["places"][1]["where"]["init"] == "b");
  CHECK(json["claims"][0]["sources"][0]["line"] == 68);
  CHECK(json["claims"][0]["rule"]["text"] == "x: below 1");
  CHECK(text_of(Criterion{.statistic = "x", .unit = "m", .side = Side::above, .bound = -0.5}) == "x: above −0.5 m");
  CHECK(text_of(std::vector<Source>{{2, 68}, {2, 81}, {0, 13}}) == "note 2, line 68, 81; note 0, line 13");
  Criterion each = below_one;
  each.must_train = MustTrain::each;
  const Claim trains{.id = "claim-of-a-test", .sources = {{2, 68}}, .quote = "x", .says = "It is low.", .rule = each};
  const Decided nothing{&trains, judge(each, {{{{"init", "a"}}, low, {{"post", {3.43, 3.44, 3.42}, {"bigrams", 2.49}}}}})};
  CHECK(told_text(nothing) ==
        "claim of-a-test: undecided here\n  It is low. (note 2, line 68)\n  x: below 1; void unless each model has trained\n"
        "  init a: 0.150 ± 0.050, 3 seeds: void; post has not trained: 3.43, and bigrams\n  gives 2.49\n");
  CHECK(counts_text({nothing}) == "0 confirmed, 0 refuted, 0 depend, 1 undecided here");
  CHECK(json_of({nothing}, {})["claims"][0]["places"][0]["arms"][0]["trained"] == false);
  CHECK(text_of(Criterion{.statistic = "x", .bound = 1e-6}) == "x: below 1·10⁻⁶");
}
