#include "examples/shared/experiment/claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/check.h"
#include "examples/shared/report/words.h"

namespace gradus::examples {
namespace {

Paired against_bound(const std::vector<double>& values, double bound) { return paired(values, std::vector<double>(values.size(), bound)); }

// What a place says, unless it is void.
Told told_of(const Criterion& rule, const Condition& condition, std::int64_t comparisons) {
  const auto& values = condition.values;
  const Paired d = against_bound(values, rule.bound);
  std::vector<double> off;
  for (const double value : values) off.push_back(value - rule.bound);
  const auto all = [&](Side side) {
    return std::all_of(off.begin(), off.end(), [&](double x) { return side == Side::below ? x < 0 : x > 0; });
  };
  const Side other = rule.side == Side::below ? Side::above : Side::below;
  const Verdict told = rule.values == Values::drawn ? lower(rule.side == Side::below ? d : d.reversed(), comparisons)
                       : all(rule.side)             ? Verdict::confirmed
                       : all(other)                 ? Verdict::refuted
                                                    : Verdict::undecided;
  return {condition, spread_of(values), d.p, signed_rank(off), all(rule.side) || all(other), told};
}

// The factors in which two places differ.
std::vector<std::string> differing(const Where& a, const Where& b) {
  std::vector<std::string> factors;
  for (std::size_t i = 0; i < a.size(); ++i) {
    check<ValueError>(a.size() == b.size() && a[i].first == b[i].first, "places with other factors: {} and {}", text_of(a), text_of(b));
    if (a[i].second != b[i].second) factors.push_back(a[i].first);
  }
  return factors;
}

// Those that alone turn a confirmed place into a refuted one; where no place has such a neighbour, all that differ.
std::vector<std::string> turning_factors(const std::vector<Told>& places) {
  std::vector<std::string> alone, together;
  for (const Told& a : places) {
    for (const Told& b : places) {
      if (a.verdict != Verdict::confirmed || b.verdict != Verdict::refuted) continue;
      const std::vector<std::string> factors = differing(a.condition.where, b.condition.where);
      std::vector<std::string>& list = factors.size() == 1 ? alone : together;
      for (const std::string& factor : factors) {
        if (std::find(list.begin(), list.end(), factor) == list.end()) list.push_back(factor);
      }
    }
  }
  return alone.empty() ? together : alone;
}

Verdict verdict_of(const std::vector<Told>& places) {
  const auto all = [&](Verdict verdict) {  // but those that are void
    return std::all_of(places.begin(), places.end(), [&](const Told& t) { return t.verdict == verdict || t.verdict == Verdict::nothing; });
  };
  const auto any = [&](Verdict verdict) {
    return std::any_of(places.begin(), places.end(), [&](const Told& t) { return t.verdict == verdict; });
  };
  if (all(Verdict::nothing)) return Verdict::undecided;
  if (any(Verdict::confirmed) && any(Verdict::refuted)) return Verdict::depends;
  if (all(Verdict::confirmed)) return Verdict::confirmed;
  return all(Verdict::refuted) ? Verdict::refuted : Verdict::undecided;
}

}  // namespace

std::string text_of(const std::vector<Source>& sources) {
  std::string text;
  int last = -1;
  for (const auto& [note, line, published] : sources) {
    if (!published.empty()) {
      text += (text.empty() ? "" : "; ") + published;
      continue;
    }
    text += note == last ? fmt::format(", {}", line) : fmt::format("{}note {}, line {}", text.empty() ? "" : "; ", note, line);
    last = note;
  }
  return text;
}

std::string text_of(const Criterion& rule) {
  std::string bound = fmt::format("{}", rule.bound);
  replace_all(bound, "-", "−");
  if (rule.bound != 0 && std::abs(rule.bound) < 1e-3) bound = shown(rule.bound, 1);
  return fmt::format("{}: {}{} {}{}{}", rule.statistic, rule.values == Values::listed ? "all " : "", word_of(rule.side, kSides), bound,
                     rule.unit.empty() ? "" : " " + rule.unit,
                     rule.must_train == MustTrain::none   ? ""
                     : rule.must_train == MustTrain::each ? "; void unless each model has trained"
                                                          : "; void unless one of the models has trained");
}

bool has_trained(const Arm& arm) { return has_trained(arm.losses, arm.line.loss); }

Finding judge(const Criterion& rule, const Evidence& evidence) {
  check<ValueError>(!evidence.empty(), "{}: nothing was measured", rule.statistic);
  const auto counts = [&](const Condition& condition) {
    const auto& arms = condition.arms;
    const auto trained = [](const Arm& arm) { return has_trained(arm); };
    return rule.must_train == MustTrain::none || std::all_of(arms.begin(), arms.end(), trained) ||
           (rule.must_train == MustTrain::one && std::any_of(arms.begin(), arms.end(), trained));
  };
  const auto comparisons = static_cast<std::int64_t>(std::count_if(evidence.begin(), evidence.end(), counts));
  Finding finding;
  for (const Condition& condition : evidence) {
    differing(evidence[0].where, condition.where);
    finding.places.push_back(told_of(rule, condition, comparisons));
    Told& place = finding.places.back();
    if (!counts(condition)) place.verdict = Verdict::nothing;
    if (place.verdict != Verdict::undecided || rule.values == Values::listed) continue;
    finding.seeds_needed = std::max(finding.seeds_needed, pairs_needed(against_bound(condition.values, rule.bound), comparisons));
  }
  finding.verdict = verdict_of(finding.places);
  if (finding.verdict == Verdict::depends) finding.depends_on = turning_factors(finding.places);
  if (finding.verdict != Verdict::undecided) finding.seeds_needed = 0;
  return finding;
}

std::string count_of(const std::vector<Told>& places) {
  const auto count = [&](Verdict verdict) {
    return std::count_if(places.begin(), places.end(), [&](const Told& told) { return told.verdict == verdict; });
  };
  std::string text;
  for (const auto& [verdict, one, more] : {std::tuple(Verdict::confirmed, "confirms", "confirm"),
                                           {Verdict::refuted, "refutes", "refute"},
                                           {Verdict::undecided, "is undecided", "are undecided"},
                                           {Verdict::nothing, "is void", "are void"}}) {
    const auto n = count(verdict);
    if (n == 0) continue;
    text += text.empty() ? fmt::format("{} of {} places {}", n, places.size(), n == 1 ? one : more)
                         : fmt::format(", {} {}", n, n == 1 ? one : more);
  }
  return text;
}

bool is_erratum(const Claim& claim) { return claim.id.rfind("erratum-", 0) == 0; }

}  // namespace gradus::examples
