// ch03_feed_forward: wider and back, with a gate: 8d/3, what multiplying buys, old against modern, and what cannot be told.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/ch03_feed_forward/ablation.h"
#include "examples/ch03_feed_forward/blocks.h"
#include "examples/ch03_feed_forward/claims.h"
#include "examples/ch03_feed_forward/experts.h"
#include "examples/ch03_feed_forward/gradient_path.h"
#include "examples/ch03_feed_forward/milestone.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/report/values.h"
#include "examples/shared/study/tapes.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

// --- the one picture: two matrices or three, the same area -----------------------------------------------------------

// Rows and columns of a layer's matrices, lying: the hidden width across.
std::vector<std::vector<double>> matrices_of(nn::Layer& layer) {
  std::vector<std::vector<double>> shapes;
  for (const NamedTensor& p : layer.named_parameters()) {
    const auto [least, most] = std::minmax(p.tensor.size(0), p.tensor.size(1));
    shapes.push_back({static_cast<double>(least), static_cast<double>(most)});
  }
  return shapes;
}

void equal_areas(Chapter& chapter) {
  const nn::LayerPtr old = layer_of("relu", kWidth), modern = layer_of("swiglu", kWidth);
  chapter.number("areas", {static_cast<double>(old->parameter_count()), static_cast<double>(modern->parameter_count())});
  chapter.series("areas.relu", matrices_of(*old));
  chapter.series("areas.swiglu", matrices_of(*modern));
}

// --- what a gate does: four numbers by hand ----------------------------------------------------------------------------

void by_hand(Chapter& chapter) {
  const double log3 = std::log(3), log9 = std::log(9);
  const Tensor a = tensor({-log3, 0, log3, log9}, DType::f64).set_requires_grad();
  const Tensor b = tensor({4, 4, -4, 10}, DType::f64).set_requires_grad(), g = tensor({1, -1, 2, 1}, DType::f64);
  const Tensor y = nn::gate(nn::act::sigmoid, a, b);
  const Tensors tape = grad({y}, {a, b}, {.seeds = {g}});
  // By hand, in plain numbers: y = σ(a) b, dL/db = g σ(a), dL/da = g b σ(a) (1 − σ(a)).
  double error = 0;
  std::vector<double> open;
  for (int64_t i = 0; i < 4; ++i) {
    const double s = 1 / (1 + std::exp(-a.at({i})));
    open.push_back(s);
    error = std::max({error, std::abs(y.at({i}) - s * b.at({i})), std::abs(tape[1].at({i}) - g.at({i}) * s),
                      std::abs(tape[0].at({i}) - g.at({i}) * b.at({i}) * s * (1 - s))});
  }
  chapter.series("hand.a", values_of(a));
  chapter.series("hand.open", open);
  chapter.series("hand.b", values_of(b));
  chapter.series("hand.g", values_of(g));
  chapter.number("hand.y", values_of(y));
  chapter.number("hand.dvalue", values_of(tape[1]));
  chapter.number("hand.dgate", values_of(tape[0]));
  chapter.number("hand.error", error);
}

// --- the knob: rounding the width ----------------------------------------------------------------------------------------

double extra_percent(int64_t d, int64_t multiple_of) {  // parameters more than 2 · d · 4d
  return 100 * (3.0 * static_cast<double>(nn::feed_forward_width(d, true, multiple_of)) / (8.0 * static_cast<double>(d)) - 1);
}

void rounding(Chapter& chapter, int64_t multiple) {
  std::vector<int64_t> multiples{1, 64, 256};
  if (std::find(multiples.begin(), multiples.end(), multiple) == multiples.end()) multiples.push_back(multiple);
  std::vector<double> widths;
  for (double d = 64; d <= 2048; d *= 1.008) widths.push_back(std::round(d));
  std::vector<std::vector<double>> added;
  for (const int64_t m : multiples) {
    std::vector<double>& line = added.emplace_back();
    for (const double d : widths) line.push_back(extra_percent(std::llround(d), m));
  }
  chapter.series("multiple", static_cast<double>(multiple));
  chapter.series("rounding.multiples", std::vector<double>(multiples.begin(), multiples.end()));
  chapter.series("rounding.d", widths);
  chapter.series("rounding.added", added);
  for (const int64_t d : {64, 512, 768, 4096, 5120}) {
    std::vector<double> rounded;
    for (const int64_t m : multiples) rounded.push_back(static_cast<double>(nn::feed_forward_width(d, true, m)));
    chapter.series(fmt::format("rounding.widths.{}", d), rounded);
    chapter.number(fmt::format("rounding.{}", d), extra_percent(d, multiple));
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::int64_t multiple = 256, steps = 0;
  const ChapterText text{"03", "Feed-forward and gates", "Wider, bent and back, position by position; a gate multiplies two views of x.",
                         swiglu_tape};
  const std::vector<Knob> knobs{
      {.flag = "--multiple", .value = &multiple, .help = "what 8d/3 is rounded up to: 1, 64, 256", .least = 1, .most = 4096},
      {.flag = "--steps", .value = &steps, .help = "of training each layer; 0: 300, or 1,000 with --full", .least = 0, .most = 1e5}};
  return run_chapter(argc, argv, text, knobs, [&](Chapter& chapter) {
    if (steps == 0) steps = chapter.full() ? 1000 : 300;
    const int64_t exact = nn::feed_forward_width(4096, true, 1), rounded = nn::feed_forward_width(4096, true, multiple);
    chapter.number("width",
                   {static_cast<double>(nn::feed_forward_width(4096, false, 1)), static_cast<double>(exact), static_cast<double>(rounded)});
    chapter.ask(
        {"A gate adds a third matrix. How wide is the hidden layer, which was 4d, if the\nparameters are to stay "
         "the same?",
         {"4d: a gate is an activation", "8d/3: three matrices share what two had", "2d: two matrices share the old width"},
         1,
         "2 · d · 4d =\n3 · d · (8d/3)"});
    equal_areas(chapter);
    const std::vector<Contestant> all = ablation(steps, chapter.full() ? 5 : 3, chapter.seed());
    write_ablation(chapter, all, steps);
    by_hand(chapter);
    linear_path(chapter);
    milestone(chapter);
    rounding(chapter, multiple);
    experts_at_work(chapter, steps);
    old_against_modern(chapter);
    swiglu_beats_others(chapter, all);
    multiples_run_faster(chapter);
    same_name_other_formula(chapter);
    chapter.finish(fmt::format("8/3: 3·d·(8d/3) = 2·d·4d; 4096 → {} → {}", with_commas(exact), with_commas(rounded)));
  });
}
