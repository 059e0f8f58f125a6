#include "examples/shared/experiment/claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "examples/shared/report/words.h"

namespace gradus::examples {
namespace {

Paired against_bound(const std::vector<double>& values, double bound) {
  return paired(values, std::vector<double>(values.size(), bound));
}

// The factors in which two places differ.
std::vector<std::string> differing(const Where& a, const Where& b) {
  std::vector<std::string> factors;
  for (std::size_t i = 0; i < a.size(); ++i) {
    check<ValueError>(a.size() == b.size() && a[i].first == b[i].first, "places with other factors: {} and {}",
                      text_of(a), text_of(b));
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
    return std::all_of(places.begin(), places.end(),
                       [&](const Told& t) { return t.verdict == verdict || t.verdict == Verdict::nothing; });
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

std::string text_of(const Where& where) {
  std::string text;
  for (const auto& [factor, level] : where) text += (text.empty() ? "" : ", ") + factor + " " + level;
  return text;
}

const std::string& level(const Where& where, std::string_view factor) {
  const auto found = std::find_if(where.begin(), where.end(), [&](const auto& one) { return one.first == factor; });
  check<ValueError>(found != where.end(), "the place '{}' has no factor '{}'", text_of(where), factor);
  return found->second;
}

std::vector<Where> crossed(const std::vector<std::pair<std::string, std::vector<std::string>>>& factors) {
  std::vector<Where> places{{}};
  for (const auto& [factor, levels] : factors) {
    std::vector<Where> longer;
    for (const Where& where : places) {
      for (const std::string& level : levels) longer.emplace_back(where).emplace_back(factor, level);
    }
    places = std::move(longer);
  }
  return places;
}

std::string text_of(const std::vector<Source>& sources) {
  std::string text;
  int last = -1;
  for (const auto& [note, line] : sources) {
    text += note == last ? fmt::format(", {}", line)
                         : fmt::format("{}note {}, line {}", text.empty() ? "" : "; ", note, line);
    last = note;
  }
  return text;
}

std::string text_of(const Criterion& rule) {
  std::string bound = fmt::format("{}", rule.bound);
  replace_all(bound, "-", "−");
  if (rule.bound != 0 && std::abs(rule.bound) < 1e-3) bound = shown(rule.bound, 1);
  return fmt::format("{}: {} {}{}", rule.statistic, rule.side == Side::below ? "below" : "above", bound,
                     rule.unit.empty() ? "" : " " + rule.unit);
}

bool has_trained(const Arm& arm) { return has_trained(arm.losses, arm.untaught); }

Finding judge(const Criterion& rule, const Evidence& evidence) {
  check<ValueError>(!evidence.empty(), "{}: nothing was measured", rule.statistic);
  const auto counts = [](const Condition& condition) {
    return std::all_of(condition.arms.begin(), condition.arms.end(), [](const Arm& arm) { return has_trained(arm); });
  };
  const auto comparisons = static_cast<std::int64_t>(std::count_if(evidence.begin(), evidence.end(), counts));
  Finding finding;
  for (const Condition& condition : evidence) {
    differing(evidence[0].where, condition.where);
    const Paired d = against_bound(condition.values, rule.bound);
    finding.places.push_back(
        {condition, spread_of(condition.values), d.p,
         counts(condition) ? lower(rule.side == Side::below ? d : d.reversed(), comparisons) : Verdict::nothing});
    if (finding.places.back().verdict == Verdict::undecided) {
      finding.seeds_needed = std::max(finding.seeds_needed, pairs_to_tell(d, comparisons));
    }
  }
  finding.verdict = verdict_of(finding.places);
  if (finding.verdict == Verdict::depends) finding.depends_on = turning_factors(finding.places);
  if (finding.verdict != Verdict::undecided) finding.seeds_needed = 0;
  return finding;
}

bool is_erratum(const Claim& claim) { return claim.id.rfind("erratum-", 0) == 0; }

}  // namespace gradus::examples
