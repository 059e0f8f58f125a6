#include "examples/support/ch03/claims.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/core.h"
#include "examples/support/least_time.h"

namespace gradus::examples {

void multiples_run_faster(Chapter& chapter) {
  std::vector<double> ratios;
  std::string shown_ratios;
  for (const int64_t d : {128, 256, 512}) {
    const nn::LayerPtr exact = layer_of("swiglu", d, 1), rounded = layer_of("swiglu", d, 64);
    const Tensor x = randn({256, d});
    const auto step = [&](nn::Layer& layer) { return [&] { sum(layer(x)).backward(); }; };
    const std::vector<double> ms = least_milliseconds({step(*exact), step(*rounded)}, 9);
    ratios.push_back(ms[1] / ms[0]);
    shown_ratios += fmt::format("{}{} for {} in place of {}", shown_ratios.empty() ? "" : ", ", fixed(ratios.back(), 2),
                                nn::feed_forward_width(d, true, 64), nn::feed_forward_width(d, true, 1));
  }
  const auto faster = std::count_if(ratios.begin(), ratios.end(), [](double r) { return r < 0.98; });
  chapter.number("time.rounded_over_exact", ratios);
  chapter.report.claim("multiples-of-64-run-faster", "A width that is a multiple of 64 runs faster.",
                       faster == 3 ? Verdict::confirmed : faster == 0 ? Verdict::refuted : Verdict::depends,
                       fmt::format("Time of a SwiGLU layer, forward and backward, d = 128, 256, 512, 256 rows, one thread, least of 9: {} "
                                   "(below 1: the wider one is faster, though it does more). This machine now; a GPU may differ. Rule: confirmed "
                                   "if all three are below 0.98, refuted if none is.", shown_ratios));
}

void swiglu_beats_others(Chapter& chapter, const std::vector<Contestant>& all) {
  const auto is = [](const char* name) { return [name](const Contestant& one) { return one.name == name; }; };
  const Contestant& swiglu = *std::find_if(all.begin(), all.end(), is("swiglu"));
  std::string beaten, level, lost;
  for (const Contestant& other : all) {
    if (&other == &swiglu || other.wrong) continue;
    const Pairs p = pairs_of(swiglu, other);
    std::string& list = p.better() ? beaten : p.worse() ? lost : level;
    list += (list.empty() ? "" : ", ") + other.name;
  }
  const Verdict verdict = level.empty() && lost.empty() ? Verdict::confirmed : !beaten.empty() ? Verdict::depends
                          : lost.empty() ? Verdict::undecided : Verdict::refuted;
  const Pairs mistake = pairs_of(all.back(), swiglu);
  chapter.number("ablation.mistake_less_swiglu", mistake.mean);
  chapter.word("ablation.beaten", beaten);
  chapter.word("ablation.level", level);
  chapter.word("ablation.lost", lost);
  const auto said = [](const std::string& list) { return list.empty() ? std::string("none") : list; };
  chapter.tell(fmt::format("SwiGLU against layers of as many parameters, seed by seed:\n  better than {}\n  not told apart from {}\n  "
                           "worse than {}", said(beaten), said(level), said(lost)));
  chapter.report.claim(
      "swiglu-beats-others-at-equal-parameters", "With as many parameters, SwiGLU is better than the others.", verdict,
      fmt::format("Better than: {}. Not told apart: {}. Worse than: {}. {} seeds. Rule: better where it is lower at every seed, and by more in "
                  "the mean than the differences of the seeds are apart; confirmed if better than all, depends if than some. The loss is no "
                  "judge of the formula: silu(a b), with its bracket in the wrong place, differs from SwiGLU by {} nats, lower at {} of {} seeds.",
                  said(beaten), said(level), said(lost), mistake.seeds, fixed(mistake.mean, 3), mistake.lower, mistake.seeds));
}

}  // namespace gradus::examples
