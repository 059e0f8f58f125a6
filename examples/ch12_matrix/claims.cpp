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

namespace {

enum class Says { baseline_better, baseline_as_good, change_better };

struct Sentence {
  const char *id, *quote, *family, *variant;
  Says says;
};
const Sentence kSentences[]{
    {"position-helps", "A causal model learns better with RoPE than without positions.", "position", "none", Says::baseline_better},
    {"rms-equals-or-beats-layer", "RMS norm is as good as layer norm, or better.", "norm", "layer", Says::baseline_as_good},
    {"rescaling-matters", "Re-scaling is what a norm is for: one that only centres is worse.", "norm", "center-only",
     Says::baseline_better},
    {"swiglu-beats-relu-at-equal-parameters", "SwiGLU beats ReLU at equal parameters.", "feed_forward", "relu", Says::baseline_better},
    {"post-norm-better-when-it-trains", "Post-norm is better than pre-norm where it trains.", "placement", "post", Says::change_better}};

const char* rule_of(Says says) {
  return says == Says::baseline_better ? "the baseline significantly lower; not seen if it is significantly higher"
         : says == Says::change_better ? "the changed model significantly lower; not seen if it is significantly higher"
                                       : "the baseline significantly lower, or the two equal within ±σ by two one-sided tests at 5 %; not "
                                         "seen if it is significantly higher";
}

// `difference` is the changed model's loss − the baseline's.
Verdict verdict_of(Says says, const Paired& difference, int64_t comparisons, double sigma) {
  const Verdict verdict = lower(says == Says::change_better ? difference : difference.reversed(), comparisons);
  const bool equal = says == Says::baseline_as_good && equal_within(difference, sigma);
  return verdict == Verdict::undecided && equal ? Verdict::confirmed : verdict;
}

void write(Chapter& chapter, const Sentence& sentence, const Paired& d, int64_t comparisons, double sigma) {
  const Verdict verdict = verdict_of(sentence.says, d, comparisons, sigma);
  chapter.tell(fmt::format("  {:<40} {:>5.1f} σ  {}", sentence.id, d.mean / sigma, seen_here(verdict)));
  std::string needed;
  if (verdict == Verdict::undecided) {
    needed = fmt::format(" At this difference and spread about {} seeds would decide it in four of five trials.",
                         shown(pairs_needed(d, comparisons), 2));
  }
  chapter.claim(sentence.id, sentence.quote, verdict,
                fmt::format("Loss with {} {} − the baseline’s: {} ± {} σ (standard error), p {}, {} seeds, paired. Rule: {}; "
                            "significant: p below 0.05 after Bonferroni’s correction for {} comparisons.{} Two blocks, one learning "
                            "rate.",
                            spelled(sentence.family), sentence.variant, signed_fixed(d.mean / sigma, 2), fixed(d.standard_error / sigma, 2),
                            (d.p < 1e-4 ? "" : "= ") + shown_p(d.p), d.pairs, rule_of(sentence.says), comparisons, needed));
}

}  // namespace

void claims(Chapter& chapter, const Study& study, const Spread& baseline) {
  chapter.tell("\nWhat may be said, by rules fixed beforehand:");
  for (const Sentence& sentence : kSentences) {
    const Paired difference = study.against_baseline(sentence.family, sentence.variant);
    write(chapter, sentence, difference, static_cast<int64_t>(study.changes()), baseline.sigma);
  }
}

}  // namespace gradus::examples
