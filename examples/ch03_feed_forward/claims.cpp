#include "examples/ch03_feed_forward/claims.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/core.h"
#include "examples/shared/experiment/least_time.h"
#include "nn/feed_forward/gate.h"

namespace gradus::examples {
void multiples_run_faster(Chapter& chapter) {
  std::vector<double> ratios;
  std::string shown_ratios;
  for (const int64_t d : {128, 256, 512}) {
    const nn::LayerPtr exact = layer_of("swiglu", d, 1), rounded = layer_of("swiglu", d, 64);
    const Tensor x = randn({256, d});
    const auto step = [&](nn::Layer& layer) { return [&] { sum(layer(x)).backward(); }; };
    const std::vector<double> ms = least_milliseconds({step(*exact), step(*rounded)}, 15);
    ratios.push_back(ms[1] / ms[0]);
    shown_ratios += fmt::format("{}{} for {} in place of {}", shown_ratios.empty() ? "" : ", ", fixed(ratios.back(), 2),
                                nn::feed_forward_width(d, true, 64), nn::feed_forward_width(d, true, 1));
  }
  const auto faster = std::count_if(ratios.begin(), ratios.end(), [](double r) { return r < 0.98; });
  chapter.number("time.rounded_over_exact", ratios);
  chapter.claim("multiples-of-64-run-faster", "A width that is a multiple of 64 runs faster.",
                faster == 3   ? Verdict::confirmed
                : faster == 0 ? Verdict::refuted
                              : Verdict::depends,
                fmt::format("Time of a SwiGLU layer, forward and backward, d = 128, 256, 512, 256 rows, one thread, least of 15: {} "
                            "(below 1: the wider one is faster, though it does more). This machine now; a GPU may differ. Rule: "
                            "seen here if all three are below 0.98, not seen if none is.",
                            shown_ratios));
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
  const Verdict verdict = level.empty() && lost.empty() ? Verdict::confirmed
                          : !beaten.empty()             ? Verdict::depends
                          : lost.empty()                ? Verdict::undecided
                                                        : Verdict::refuted;
  const Pairs mistake = pairs_of(all.back(), swiglu);
  chapter.number("ablation.mistake_less_swiglu", mistake.mean);
  chapter.word("ablation.beaten", beaten);
  chapter.word("ablation.level", level);
  chapter.word("ablation.lost", lost);
  const auto said = [](const std::string& list) { return list.empty() ? std::string("none") : list; };
  chapter.tell(
      fmt::format("SwiGLU against layers of as many parameters, seed by seed:\n  better than {}\n  not told apart from "
                  "{}\n  worse than {}",
                  said(beaten), said(level), said(lost)));
  chapter.claim("swiglu-beats-others-at-equal-parameters", "With as many parameters, SwiGLU is better than the others.", verdict,
                fmt::format("Better than: {}. Not told apart: {}. Worse than: {}. {} seeds. Rule: better where it is lower at "
                            "every seed, and the mean difference is greater than the spread of the differences; seen here if "
                            "better than all, partly seen if than some. And the loss is no judge of a formula: silu(ab), its "
                            "bracket in the wrong place, has {} nats against SwiGLU, and is lower at {} of {} seeds.",
                            said(beaten), said(level), said(lost), mistake.seeds, fixed(mistake.mean, 3), mistake.lower, mistake.seeds));
}

void same_name_other_formula(Chapter& chapter) {
  const Tensor h = tensor({1, 2}, DType::f64), far = linspace(-9, 9, 18001, DType::f64);  // two halves of one number each
  const double second = nn::gated_unit(nn::act::silu, h).item(), first = nn::gated_unit(nn::act::silu, h, nn::GateHalf::first).item();
  const double least = min(nn::act::silu(far)).item();
  const nn::LayerPtr narrow = nn::FeedForwardChoice("relu").make({.d_model = 768, .d_ff = 768, .bias = nn::FeedForwardBias::none});
  const double share = static_cast<double>(narrow->parameter_count()) / static_cast<double>(layer_of("relu", 768)->parameter_count());
  chapter.number("same_name.halves", {first, second});
  chapter.number("same_name.silu_minimum", least);
  chapter.number("same_name.share_of_narrow", share);
}

}  // namespace gradus::examples
