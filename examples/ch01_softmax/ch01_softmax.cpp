// ch01_softmax: scores become probabilities: three cliffs to NaN, what a shift changes and what not, cross-entropy, z-loss.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "core/tensor/half.h"
#include "examples/shared/report/chapter.h"
#include "examples/shared/study/tapes.h"
#include "nn/nn.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

// The formula as one would first write it, eˣ / Σ eˣ, in plain C++ numbers of type T. The last of three.
template <typename T> double naive_softmax(double x1, double x2, double x3) {
  const auto e = [](double x) { return static_cast<T>(std::exp(static_cast<Compute<T>>(x))); };
  return static_cast<double>(static_cast<T>(e(x3) / static_cast<T>(e(x1) + e(x2) + e(x3))));
}

// Where the naive softmax of [x-2, x-1, x] goes wrong, by bisection: first the sum is ∞ and the answer 0, from `zero` on;
// then e^x is, too, and ∞/∞ is no number, from `nan` on.
struct Cliff { double zero, nan; };

Cliff cliff(DType dtype) {
  const auto from = [&](auto wrong) {
    double right = 0, found = 1000;
    while (found - right > 1e-4) {
      const double x = (right + found) / 2;
      const double p = dispatch(dtype, [&]<typename T>() { return naive_softmax<T>(x - 2, x - 1, x); });
      (wrong(p) ? found : right) = x;
    }
    return found;
  };
  return {from([](double p) { return !(p > 0); }), from([](double p) { return std::isnan(p); })};
}

double last(const Tensor& p) { return p.at({p.size(-1) - 1}); }

void cliffs(Chapter& chapter, double shift) {
  chapter.tell(
      "softmax turns scores into probabilities: p_i = e^x_i / Σ e^x_j.\n"
      "Written down like that, it answers 0 where the sum overflows,\nand is no number where eˣ does:");
  Plot plot{.title = "The last probability of softmax([c, c+1, c+2]) against the shift c",
            .alt = {},
            .x = {"shift c", false, 0, 1000},
            .y = {"p₃", false, 0, 1},
            .lines = {}};
  const std::vector<std::pair<DType, std::string>> dtypes{{DType::f16, "f4"}, {DType::f32, "f2"}, {DType::f64, "f3"}};
  std::vector<double> ends;
  double height = 0.28;
  for (const auto& [dtype, colour] : dtypes) {
    const auto [zero, nan] = cliff(dtype);
    const double end = zero - 2;  // the shift c at which the last score is x
    chapter.tell(fmt::format("  {}: 0 from x = {:.2f}, NaN from x = {:.2f} on", dtype, zero, nan));
    chapter.number(fmt::format("cliff.{}", dtype), nan);
    chapter.number(fmt::format("zero.{}", dtype), zero);
    ends.push_back(end);
    plot.lines.push_back({.name = "", .x = {end, end}, .y = {0, 0.665}, .colour = colour, .dashed = true});
    plot.remarks.push_back({.text = fmt::format("naive {} falls at {:.1f}", dtype, end),
                            .x = std::max(end + 16, 102.0),
                            .y = height,
                            .colour = colour,
                            .side = dtype == DType::f64 ? Remark::Side::left : Remark::Side::right});
    if (dtype == DType::f64) plot.remarks.back().x = end - 18;
    height += 0.12;
  }
  Line stable{.name = "", .x = {}, .y = {}, .colour = "ink"};
  for (double c = 0; c <= 1000; c += 20) {
    stable.x.push_back(c);
    stable.y.push_back(last(nn::softmax(tensor({c, c + 1, c + 2}))));
  }
  plot.lines.push_back(stable);
  chapter.number("stable", stable.y);
  plot.remarks.push_back({.text = "greatest score subtracted: 0.665", .x = 120, .y = 0.73, .colour = "ink"});
  plot.alt = fmt::format(
      "Line plot. x: shift c from 0 to 1000; y: p₃ from 0 to 1. The stable softmax is a flat line at 0.665. Dashed "
      "verticals mark where the naive formula falls to 0, and soon to NaN: {:.1f} in f16, {:.1f} in f32, {:.1f} in f64.",
      ends[0], ends[1], ends[2]);
  chapter.report.section("cliffs", "Three cliffs and one line that never moves");
  chapter.report.figure({"The same three scores, shifted: the naive formula walks off a cliff, the shifted one does not notice.",
                         draw(plot),
                         "softmax([c, c+1, c+2])₃ in three precisions. Where the sum overflows, p₃ is e<sup>x</sup>/∞ = 0; soon after "
                         "e<sup>x</sup> does, and ∞/∞ is NaN: at x = 11.09 in f16 (65,520, which rounds to ∞), 88.72 in f32 (3.4·10³⁸), "
                         "709.78 in f64 (1.8·10³⁰⁸). "
                         "Redraw: <code>./examples/run ch01</code>"});
  chapter.report.formula(
      "{v p}{sub i} = {frac e{sup {v x}{sub i}} | Σ{sub j} e{sup {v x}{sub j}}} = {frac e{sup {v x}{sub i} − {m m}} "
      "| "
      "Σ{sub j} e{sup {v x}{sub j} − {m m}}};;{m m} = max {v x}");
  const Tensor moved = nn::softmax(tensor({shift, shift + 1, shift + 2}, DType::f64));
  const Tensor still = nn::softmax(tensor({0, 1, 2}, DType::f64));
  const double change = max(abs(moved - still)).item();
  chapter.number("shift.c", shift);
  chapter.number("shift.change_of_p", change);
  chapter.report.text(
      fmt::format("Why may one subtract <var>m</var>? A factor e<sup>−m</sup> above and below cancels. With "
                  "<var>c</var> = {} the probabilities change by {}.",
                  shown(shift), shown(change)));
}

// Four numbers that can be checked on paper: x = [0, ln 2, ln 3], target 2.
void by_hand(Chapter& chapter) {
  Tensor x = tensor({0, std::log(2), std::log(3)}, DType::f64).set_requires_grad();
  const Tensor p = nn::softmax(x);
  const Tensor loss = nn::cross_entropy(unsqueeze(x, 0), tensor({2}, DType::i64));
  loss.backward();
  ReportTable table{"Scores 0, ln 2, ln 3, so e<sup>x</sup> = 1, 2, 3 and Z = 6. The target is the third.",
                    {{"line"}, {"1", "", true}, {"2", "", true}, {"3, the target", "", true}},
                    {}};
  const auto row = [&](const std::string& name, const Tensor& t) {
    std::vector<std::string> cells{name};
    for (int64_t i = 0; i < 3; ++i) cells.push_back(shown(t.at({i})));
    table.rows.push_back(cells);
  };
  row("<var class=\"v\">x</var>", x.detach());
  row("<var class=\"v\">p</var> = e<sup>x</sup>/6", p.detach());
  row("d<var>L</var>/d<var class=\"g\">x</var> = <var>p</var> − target", x.grad());
  chapter.report.section("hand", "Numbers by hand");
  chapter.report.table(table);
  chapter.report.text(fmt::format("The loss is −ln {} = {} nats. Its gradient sums to {}: what one score gains, the others lose.",
                                  shown(p.at({2})), shown(loss.item()), shown(sum(x.grad()).item())));
  chapter.number("hand.p", {p.at({0}), p.at({1}), p.at({2})});
  chapter.number("hand.gradient", {x.grad().at({0}), x.grad().at({1}), x.grad().at({2})});
  chapter.number("hand.loss", loss.item());
  chapter.show_tape();
}

// The lowest loss that can be reached when the scores given to cross-entropy are already probabilities: the target's at 1, all
// others at 0.
double floor_of_double_softmax(int64_t classes) {
  Tensor best = zeros({1, classes}, DType::f64);
  best.set({0, 0}, 1);
  return nn::cross_entropy(best, tensor({0}, DType::i64)).item();
}

void softmax_twice(Chapter& chapter) {
  chapter.report.section("twice", "Softmax twice");
  ReportTable table{
      "Cross-entropy applies softmax itself. Give it probabilities, and even the perfect model cannot get below the "
      "floor.",
      {{"classes"}, {"guessing", "nats", true}, {"floor with softmax twice", "nats", true}, {"floor as it should be", "nats", true}},
      {}};
  for (const int64_t classes : {2, 10, 256, 50257}) {
    const double floor = floor_of_double_softmax(classes);
    chapter.number(fmt::format("twice.floor_{}", classes), floor);
    table.rows.push_back({with_commas(classes), shown(std::log(static_cast<double>(classes))), shown(floor), "0"});
  }
  chapter.report.table(table);
  chapter.report.text("The loss falls a little and then stands still, which looks like a model that does not learn.");
}

void z_loss(Chapter& chapter) {
  const Tensor scores = tensor({{2, -1, 0.5}}, DType::f64), target = tensor({0}, DType::i64);
  Line plain{.name = "cross-entropy", .x = {}, .y = {}, .colour = "none"}, with{.name = "with z-loss", .x = {}, .y = {}, .colour = "f1"};
  for (double c = -10; c <= 10; c += 0.5) {
    plain.x.push_back(c);
    with.x.push_back(c);
    plain.y.push_back(nn::cross_entropy(scores + c, target).item());
    with.y.push_back(nn::cross_entropy(scores + c, target, {.z_loss = 0.01}).item());
  }
  const auto lowest = static_cast<std::size_t>(std::min_element(with.y.begin(), with.y.end()) - with.y.begin());
  const double log_z = logsumexp(scores, -1).item();
  chapter.number("z_loss.log_z", log_z);
  chapter.number("z_loss.best_shift", with.x[lowest]);
  chapter.report.section("z-loss", "What holds the scores near zero?");
  chapter.report.figure(
      {"Cross-entropy does not care where the scores are; z-loss does.",
       draw(Plot{.title = "Loss against a shift of all scores",
                 .alt = fmt::format("Line plot. x: shift from -10 to 10; y: loss in nats. Cross-entropy is flat at {:.2f}; "
                                    "with z-loss it is a parabola with its least value at {:.1f}.",
                                    plain.y[0], with.x[lowest]),
                 .x = {"shift of all scores", false, -10, 10},
                 .y = {"loss (nats)"},
                 .lines = {plain, with}}),
       fmt::format("Scores [2, −1, 0.5] + c, target 1; z-loss 0.01 (ln Z)². Least where ln Z = 0: c = −ln Z = {}.", shown(-log_z))});
}

}  // namespace

int main(int argc, char** argv) {
  double shift = 100;
  const ChapterText text{"01", "Softmax", "Scores become probabilities by eˣ. What eˣ cannot hold, softmax must not ask of it.",
                         softmax_tape};
  return run_chapter(argc, argv, text, {{"--c", &shift, "a shift of all scores"}}, [&](Chapter& chapter) {
    const double floor = floor_of_double_softmax(256);
    chapter.report.one_number(shown(floor) + " nats",
                              "The one number: the lowest loss that can be reached if softmax is applied before "
                              "cross-entropy, with 256 classes. Guessing costs 5.55.");
    chapter.ask({"You add 100 to every score. What happens to the probabilities?",
                 {"they grow by the factor e¹⁰⁰", "nothing", "the greatest gets almost all"},
                 1,
                 "The factor e¹⁰⁰ is above and below and cancels; only differences count"});
    cliffs(chapter, shift);
    by_hand(chapter);
    softmax_twice(chapter);
    z_loss(chapter);
    chapter.finish(fmt::format("{:.2f} nats: softmax before cross-entropy cannot get below", floor));
  });
}
