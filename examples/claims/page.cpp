#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "examples/claims/all_claims.h"
#include "examples/claims/decided.h"
#include "examples/shared/report/drawing.h"
#include "examples/shared/report/words.h"

namespace gradus::examples {
namespace {

// The values of all places on one axis, the bound an upright line.
class Strips {
 public:
  explicit Strips(const Decided& decided) : bound_(decided.claim->rule.bound) {
    for (const Told& told : decided.finding.places) {
      for (const double x : told.condition.values) {
        if (std::isfinite(x)) least_ = std::min(least_, x), greatest_ = std::max(greatest_, x);
      }
    }
    least_ = std::min(least_, bound_);
    greatest_ = std::max(greatest_, bound_);
    logarithmic_ = least_ > 0 && greatest_ > 50 * least_;
    const double margin = 0.04 * (greatest_ - least_) + 1e-300;
    if (!logarithmic_) least_ -= margin, greatest_ += margin;
  }

  std::string draw(const Told& told) const {
    DotStrip strip{.values = {}, .from = least_, .to = greatest_, .mark = bound_, .logarithmic = logarithmic_, .alt = {}};
    for (const double x : told.condition.values) {
      if (std::isfinite(x)) strip.values.push_back(x);
    }
    strip.alt =
        fmt::format("{} dots with the mean {}; the line is the bound, {}", strip.values.size(), shown(told.spread.mean), shown(bound_));
    return examples::draw(strip);
  }

  std::string scale_text() const { return logarithmic_ ? "logarithmic axis" : "one axis"; }

 private:
  double bound_, least_ = HUGE_VAL, greatest_ = -HUGE_VAL;
  bool logarithmic_ = false;
};

std::string p_text(double p) { return p < 1e-4 ? "&lt; 10⁻⁴" : fixed(p, 4); }

// Student's p; where all values lie on one side, that of the signed ranks too. "–" for values that are no sample.
std::string p_text(const Told& told, const Criterion& rule) {
  if (rule.values == Values::listed) return "–";
  return p_text(told.p) + (told.one_side ? fmt::format(" <small>(ranks {})</small>", p_text(told.signed_rank)) : "");
}

// "pre 2.41 at 0.008, post 3.39 (not trained)"; a rate at the edge of those tried is marked.
std::string arms_text(const std::vector<Arm>& arms) {
  std::string text;
  for (const Arm& arm : arms) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", escaped(arm.name), shown(spread_of(arm.losses).mean));
    if (arm.rate) text += fmt::format(" at {}{}", shown(arm.rate->value, 2), arm.rate->at_edge ? "*" : "");
    if (!has_trained(arm)) text += " (not trained)";
  }
  return text;
}

void write_places(Report& report, const Decided& decided) {
  const Criterion& rule = decided.claim->rule;
  const Strips strips(decided);
  ReportTable table{fmt::format("{}; a dot for each of the {}, {}, the upright line is the bound.", escaped(rule.statistic),
                                escaped(rule.sample), strips.scale_text()),
                    {{"where"},
                     {"mean", escaped(rule.unit), true},
                     {"±σ", escaped(rule.unit), true},
                     {escaped(rule.sample)},
                     {"p", "", true},
                     {"beside"},
                     {"says"}},
                    {}};
  for (const Told& told : decided.finding.places) {
    const std::string where = text_of(told.condition.where);
    table.rows.push_back({where.empty() ? "here" : escaped(where), shown(told.spread.mean),
                          rule.values == Values::listed ? "–" : shown(told.spread.sigma, 2), strips.draw(told), p_text(told, rule),
                          arms_text(told.condition.arms), badge(told.verdict, word_of(told.verdict))});
  }
  report.table(table);
}

std::string evidence_text(const Decided& decided) {
  const auto& [claim, finding] = decided;
  std::string text;
  for (const std::string& factor : finding.depends_on) text += (text.empty() ? "on " : ", ") + escaped(factor);
  if (!text.empty()) text += ". ";
  text += fmt::format("Confirmed if {} “{}” lies {} {}{}. Predicted before: {}. {}",
                      claim->rule.values == Values::listed ? "each" : "the mean of", escaped(claim->rule.statistic),
                      claim->rule.side == Side::below ? "below" : "above", shown(claim->rule.bound),
                      claim->rule.unit.empty() ? "" : " " + escaped(claim->rule.unit), word_of(claim->predicted), escaped(claim->because));
  if (!claim->meant.empty()) text += " <strong>Meant:</strong> " + escaped(claim->meant);
  if (finding.seeds_needed > 0) {
    text += finding.seeds_needed >= 1e5 ? " No number of seeds that one can wait for would decide."
                                        : fmt::format(" With about {} {} four of five trials would be significant.",
                                                      shown(std::ceil(finding.seeds_needed), 2), escaped(claim->rule.sample));
  }
  if (claim->timed) text += " These are times: another run has others, an idle machine the best.";
  if (!claim->beyond.empty()) text += " Beyond this experiment: " + escaped(claim->beyond);
  return text;
}

void write(Report& report, const Decided& decided) {
  const Claim& claim = *decided.claim;
  report.claim(name_of(claim),
               fmt::format("{} <small>“<span lang=\"zh\">{}</span>” ({})</small>", escaped(claim.says), escaped(claim.quote),
                           text_of(claim.sources)),
               badge(decided.finding.verdict, word_of(decided.finding.verdict)), evidence_text(decided));
  write_places(report, decided);
}

void write_overview(Report& report, const std::vector<Decided>& all) {
  ReportTable table{"All of them; a name leads to its experiment.", {{"claim"}, {"predicted"}, {"measured"}, {"in the notes"}}, {}};
  for (const Decided& decided : all) {
    const std::string name = name_of(*decided.claim);
    const Verdict verdict = decided.finding.verdict;
    const bool mixed = verdict == Verdict::depends || verdict == Verdict::undecided;
    table.rows.push_back({fmt::format("<a href=\"#claim-{0}\">{0}</a>", name), word_of(decided.claim->predicted),
                          badge(verdict, word_of(verdict)) + (mixed ? " " + count_of(decided.finding.places) : ""),
                          text_of(decided.claim->sources)});
  }
  report.table(table);
}

std::size_t decided_here(const std::vector<Decided>& all) {
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [](const Decided& d) { return d.finding.verdict != Verdict::undecided; }));
}

}  // namespace

std::string page_of(const std::vector<Decided>& all, const Setting& setting) {
  Report report("", "What the notes say, decided by measurement",
                "Each claim is an experiment. Its rule, its bound and its seeds were fixed before it ran; a program "
                "applies the rule.");
  report.one_number(fmt::format("{} of {}", decided_here(all), all.size()), "are decided here: " + counts_text(all) + ".");
  report.section("rule", "How a verdict comes about");
  report.text(
      "A claim says on which side of a bound a number lies. It is measured with several seeds, in one place or in several. A "
      "place confirms or refutes the claim if the mean of its values differs from the bound significantly: by Student’s t, with a "
      "chance of 5 % for a false alarm in all places of the claim together (Bonferroni), and never by fewer than three values. "
      "Where all values lie on one side, the p of Wilcoxon’s signed ranks stands beside it; the ruling stays with t, as it was "
      "fixed beforehand. Values that are no sample, such as widths, say so if all of them lie on one side. All "
      "places confirm it: confirmed. All refute it: refuted. Some confirm and some refute it: it depends, on the factors that "
      "turn the verdict. Anything else is undecided here. A model has trained if its loss is below that of a simple counter, of "
      "pairs of bytes or of one pixel, by more than the spread of its runs. A rule says whether each model of a place must have "
      "trained, or one of them, or the place is void and decides nothing. Two models are compared at the best learning rate of "
      "each, which other seeds have chosen; * marks a best rate at the edge of those tried.");
  report.section("all", "The verdicts");
  write_overview(report, all);
  bool errata = false;
  report.section("claims", "The claims");
  for (const Decided& decided : all) {
    if (is_erratum(*decided.claim) && !errata) report.section("errata", "Errata and clarifications");
    errata = errata || is_erratum(*decided.claim);
    write(report, decided);
  }
  std::vector<std::pair<std::string, std::string>> lines = lines_of(setting.made);
  lines.emplace_back("setting", fmt::format("{}, seed {}", setting.full ? "--full" : "quick", setting.seed));
  lines.emplace_back("numbers", "claims.json beside this page holds each value");
  return report.html(lines);
}

}  // namespace gradus::examples
