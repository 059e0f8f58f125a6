#include "examples/ch12_matrix/claims.h"

#include <fmt/format.h>

#include <algorithm>

#include "examples/ch12_matrix/report.h"

namespace gradus::examples {

void rates(Chapter& chapter, const Study& study, const Spread& baseline) {
  std::vector<double> means, costs;
  for (const double rate : study.rates()) {
    const std::vector<double> base = study.losses_at(study.base(), rate);
    const auto against = [&](const char* placement) {
      return paired(study.losses_at(study.changed("placement", placement), rate), base).mean / baseline.sigma;
    };
    means.push_back(spread_of(base).mean);
    costs.push_back(against("deepnorm"));
    chapter.number(fmt::format("rates.{}", means.size() - 1), {rate, means.back(), against("post"), costs.back()});
  }
  const auto [least, most] = std::minmax_element(means.begin(), means.end());
  const double moved = (*most - *least) / baseline.sigma;
  chapter.number("rates.moved", moved);
}

void Judge::baseline_better(Text id, Text quote, Text variant, const Paired& d) const {
  write(id, quote, variant, lower(d.reversed(), comparisons_), d,
        "the baseline significantly lower; not seen if it is significantly higher");
}

void Judge::change_better(Text id, Text quote, Text variant, const Paired& d) const {
  write(id, quote, variant, lower(d, comparisons_), d, "the changed model significantly lower; not seen if it is significantly higher");
}

void Judge::baseline_as_good(Text id, Text quote, Text variant, const Paired& d) const {
  const Verdict better = lower(d.reversed(), comparisons_);
  const bool equal = equal_within(d, baseline_.sigma);
  write(id, quote, variant, better == Verdict::undecided && equal ? Verdict::confirmed : better, d,
        "the baseline significantly lower, or the two equal within ±σ by two one-sided tests at 5 %; not seen if it is "
        "significantly higher");
}

void Judge::write(Text id, Text quote, Text variant, Verdict verdict, const Paired& d, Text rule) const {
  const double sigma = baseline_.sigma;
  chapter_.tell(fmt::format("  {:<40} {:>5.1f} σ  {}", id, d.mean / sigma, seen_here(verdict)));
  std::string needed;
  if (verdict == Verdict::undecided) {
    needed = fmt::format(" At this difference and spread about {} seeds would decide it in four of five trials.",
                         shown(pairs_needed(d, comparisons_), 2));
  }
  chapter_.claim(id, quote, verdict,
                 fmt::format("Loss with {} − the baseline’s: {} ± {} σ (standard error), p {}, {} seeds, paired. Rule: {}; "
                             "significant: p below 0.05 after Bonferroni’s correction for {} comparisons.{} Two blocks, one learning "
                             "rate.",
                             variant, signed_fixed(d.mean / sigma, 2), fixed(d.standard_error / sigma, 2),
                             (d.p < 1e-4 ? "" : "= ") + shown_p(d.p), d.pairs, rule, comparisons_, needed));
}

}  // namespace gradus::examples
