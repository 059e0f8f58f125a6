// ch03_feed_forward: wider and back, with a gate: 8d/3, what multiplying buys, old against modern, and what cannot be told.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/ch03_feed_forward/ablation.h"
#include "examples/ch03_feed_forward/blocks.h"
#include "examples/ch03_feed_forward/claims.h"
#include "examples/ch03_feed_forward/gradient_path.h"
#include "examples/ch03_feed_forward/pictures.h"
#include "examples/ch03_feed_forward/product.h"
#include "examples/shared/data/median.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/report/values.h"
#include "examples/shared/study/tapes.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

// --- the one picture: two matrices or three, the same area -----------------------------------------------------------

void equal_areas(Chapter& chapter) {
  const nn::LayerPtr old = layer_of("relu", kWidth), modern = layer_of("swiglu", kWidth);
  chapter.number("areas", {static_cast<double>(old->parameter_count()), static_cast<double>(modern->parameter_count())});
  chapter.report.section("areas", "Three matrices for the price of two");
  chapter.report.figure({"Two matrices of d · 4d, or three of d · 8d/3: the purple areas are equal.",
                         panels({areas(*old, "2017: ReLU", "ReLU", 1), areas(*modern, "Today: SwiGLU", "SiLU", 1)}, 17),
                         fmt::format("d = {}. Rectangles: the layers’ own matrices, 1 px a row and a column, so that area is parameters. "
                                     "Blue bars: vectors, as long as they have numbers. ⊙: the gate, left, multiplies the value, right.",
                                     kWidth)});
  chapter.report.formula(
      "{v y} = {p W}{sub 2} ReLU({p W}{sub 1} {v x});;{v y} = {p W}{sub 2} (SiLU({p W}{sub 1} {v x}) ⊙ {p W}{sub 3} "
      "{v "
      "x});;3 · {c d} · {frac 8{c d} | 3} = 2 · {c d} · 4{c d}");
  chapter.report.text(
      "Every position goes through this alone: wider, bent, and back. A gate is a second view of the same x that "
      "multiplies the first, and costs a third matrix. So that a layer with a gate is compared with a layer without "
      "and not with a smaller one, its hidden width is cut to two thirds.");
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
  ReportTable table{"A gate of four numbers, σ(a) ⊙ b. σ is ¼ at −ln 3, ½ at 0, ¾ at ln 3 and 0.9 at ln 9.",
                    {{"line"}, {"1", "", true}, {"2", "", true}, {"3", "", true}, {"4", "", true}},
                    {}};
  const auto row = [&](const std::string& name, const std::vector<double>& v) {
    std::vector<std::string> cells{name};
    for (const double x : v) cells.push_back(fixed(x, 2));
    table.rows.push_back(cells);
  };
  row("the gate’s <var class=\"v\">a</var>", values_of(a));
  row("how far it is open, σ(a)", open);
  row("the value <var class=\"v\">b</var>", values_of(b));
  row("<var class=\"v\">y</var> = σ(a) b", values_of(y));
  row("given <var class=\"g\">g</var> = dL/dy", values_of(g));
  row("<var class=\"g\">dL/db</var> = g σ(a)", values_of(tape[1]));
  row("<var class=\"g\">dL/da</var> = g b σ(a) (1 − σ(a))", values_of(tape[0]));
  chapter.number("hand.y", values_of(y));
  chapter.number("hand.dvalue", values_of(tape[1]));
  chapter.number("hand.dgate", values_of(tape[0]));
  chapter.number("hand.error", error);
  chapter.report.section("hand", "Four numbers by hand");
  chapter.report.table(table);
  chapter.report.formula("{g dL/db} = {g g} ⊙ f({v a});;{g dL/da} = {g g} ⊙ {v b} ⊙ f'({v a})");
  chapter.report.text(
      fmt::format("Each side is the other’s factor, forward and back: the gate scales the gradient of the value, and "
                  "the value that of the gate. The second gate is half open, so its value gets half of g. The tape’s "
                  "numbers and these differ by {} at most.",
                  shown(error, 2)));
  chapter.show_tape();
}

// --- the milestone: a product, which a layer without a gate cannot learn ---------------------------------------------

void milestone(Chapter& chapter) {
  const Tensor t = linspace(-3, 3, 61);
  Plot plot{.title = "What was learned of a product, along x₁ = x₂",
            .alt = "Line plot. x: x₁ = x₂ from −3 to 3; y: answer. ",
            .x = {"x₁ = x₂", false, -3.1, 3.1},
            .y = {"answer; dots: x₁ x₂", false, -2, 9.5},
            .lines = {},
            .remarks = {{"trained here", 0, -1.2, "ink", Remark::Side::centre, false}}};
  for (double at = -3; at <= 3; at += 0.5) plot.dots.push_back({at, at * at});
  for (const double edge : {-1.0, 1.0})
    plot.lines.push_back({.name = "", .x = {edge, edge}, .y = {-2, 9.5}, .colour = "none", .dashed = true});
  ReportTable table{
      "Root mean square error of x₁ x₂ on points that were not seen: as far as the training reached, and to three "
      "times that. The product itself has ⅓ and 3. Medians of three seeds.",
      {{"layer"}, {"parameters", "", true}, {"within ±1", "", true}, {"within ±3", "", true}},
      {}};
  chapter.tell("A product of two numbers, learned from −1 to 1, asked from −3 to 3:");
  for (const Learner& learner : learners()) {
    std::vector<double> inside, outside, curve;
    int64_t parameters = 0;
    for (std::uint64_t seed = chapter.seed(); seed < chapter.seed() + 3; ++seed) {
      manual_seed(seed);
      Generator generator(seed + 1);
      const nn::LayerPtr layer = learner.make();
      learn_product(*layer, 1000, generator);
      inside.push_back(error_within(*layer, 1, generator));
      outside.push_back(error_within(*layer, 3, generator));
      parameters = layer->parameter_count();
      curve = values_of(answer(*layer, stack({t, t}, 1)));
    }
    chapter.number("product." + learner.id, {median(inside), median(outside)});
    chapter.number("product.parameters." + learner.id, static_cast<double>(parameters));
    table.rows.push_back({learner.name, shown(static_cast<double>(parameters)), shown(median(inside), 2), shown(median(outside), 2)});
    plot.lines.push_back({.name = learner.name, .x = values_of(t), .y = curve, .colour = learner.colour});
    plot.alt += fmt::format("{} ends at {}; ", learner.name, shown(curve.back(), 2));
    chapter.tell(fmt::format("  {:13} {:3} parameters: error {:>9} inside, {:>9} beyond", learner.name, parameters,
                             shown(median(inside), 2), shown(median(outside), 2)));
  }
  chapter.report.section("product", "The milestone: a product");
  chapter.report.figure({"One gate multiplies, and goes on multiplying. ReLU bends where it was taught, and runs on straight.", draw(plot),
                         "Trained on x₁ and x₂ from −1 to 1, drawn to 3; 1,000 steps of Adam; the third seed. “Gate cut”: the same "
                         "layer "
                         "with its gate held at 1, W₂ W₃ x."});
  chapter.report.table(table);
  const double silu = set_by_hand(nn::act::silu), sigmoid = set_by_hand(nn::act::sigmoid);
  chapter.number("product.set.silu", silu);
  chapter.number("product.set.gelu", set_by_hand(nn::act::gelu));
  chapter.number("product.set.relu", set_by_hand(nn::act::relu));
  chapter.number("product.set.sigmoid", sigmoid);
  chapter.report.formula("SiLU({v a}) − SiLU(−{v a}) = {v a} σ({v a}) + {v a} σ(−{v a}) = {v a}");
  chapter.report.text(
      fmt::format("So two hidden units of SwiGLU are enough for a product: set so by hand, their error is {}, and the "
                  "same holds of GELU and ReLU as gates. With σ it fails: {}. That a layer can is not that it learns: "
                  "from random weights Adam comes near, and stops short.",
                  shown(silu, 2), shown(sigmoid, 2)));
}

// --- the knob: rounding the width ----------------------------------------------------------------------------------------

double extra_percent(int64_t d, int64_t multiple_of) {  // parameters more than 2 · d · 4d
  return 100 * (3.0 * static_cast<double>(nn::feed_forward_width(d, true, multiple_of)) / (8.0 * static_cast<double>(d)) - 1);
}

void rounding(Chapter& chapter, int64_t multiple) {
  std::vector<int64_t> multiples{1, 64, 256};
  if (std::find(multiples.begin(), multiples.end(), multiple) == multiples.end()) multiples.push_back(multiple);
  Plot plot{.title = "Parameters that rounding adds",
            .alt = {},
            .x = {"width of the model, d", true, 64, 2048},
            .y = {"parameters more than 2 · d · 4d (%)", false, -5, 60},
            .lines = {}};
  const std::vector<std::string> colours{"none", "f1", "f2", "ink"};
  for (std::size_t i = 0; i < multiples.size(); ++i) {
    Line line{.name = fmt::format("to {}", multiples[i]), .x = {}, .y = {}, .colour = colours[i]};
    for (double d = 64; d <= 2048; d *= 1.008) {
      line.x.push_back(std::round(d));
      line.y.push_back(extra_percent(std::llround(d), multiples[i]));
    }
    plot.lines.push_back(line);
  }
  ReportTable table{"8d/3, floored and rounded up, and the parameters that the rounding adds.", {{"d"}, {"4d", "no gate", true}}, {}};
  for (const int64_t m : multiples) table.columns.push_back({fmt::format("to {}", m), "width", true});
  table.columns.push_back({fmt::format("to {} adds", multiple), "parameters", true});
  for (const int64_t d : {64, 512, 768, 4096, 5120}) {
    std::vector<std::string> row{with_commas(d), with_commas(nn::feed_forward_width(d, false, 1))};
    for (const int64_t m : multiples) row.push_back(with_commas(nn::feed_forward_width(d, true, m)));
    row.push_back(fixed(extra_percent(d, multiple), 2) + " %");
    table.rows.push_back(row);
    chapter.number(fmt::format("rounding.{}", d), extra_percent(d, multiple));
  }
  plot.alt = fmt::format(
      "Line plot. x: d from 64 to 2048, log; y: parameters added, %. Saw teeth that shrink as d grows: at d = 64 "
      "rounding to 64 adds {} %, to 256 {} %; at 4096 {} and {} %.",
      fixed(extra_percent(64, 64), 1), fixed(extra_percent(64, 256), 1), fixed(extra_percent(4096, 64), 2),
      fixed(extra_percent(4096, 256), 2));
  chapter.report.section("rounding", "The knob: rounding the width");
  chapter.report.figure({"A wide model hardly notices the rounding. A narrow one can grow by half, and is then compared unfairly.",
                         draw(plot),
                         "3 · d · width over 8d², for d from 64 to 2048. What leaves the frame is more than 60 %. Another multiple: "
                         "<code>./examples/run ch03 --multiple 128</code>"});
  chapter.report.table(table);
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
    chapter.report.one_number(formula_html("{frac 8 | 3}"),
                              fmt::format("The one number: 3 · d · (8d/3) = 2 · d · 4d. With a gate, d = 4,096 gets a hidden width of {}, "
                                          "rounded up to a multiple of {}: {}.",
                                          with_commas(exact), multiple, with_commas(rounded)));
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
    old_against_modern(chapter);
    chapter.report.section("claims", "Claims");
    swiglu_beats_others(chapter, all);
    multiples_run_faster(chapter);
    same_name_other_formula(chapter);
    chapter.finish(fmt::format("8/3: 3·d·(8d/3) = 2·d·4d; 4096 → {} → {}", with_commas(exact), with_commas(rounded)));
  });
}
