// ch00_tape: the tape: compute, look at what was recorded, walk it back; why in order, and how to know that it is right.
#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "core/core.h"
#include "core/inspect/gradcheck.h"
#include "core/inspect/tape.h"
#include "core/inspect/trace.h"
#include "examples/shared/report/chapter.h"

using namespace gradus;
using namespace gradus::examples;

namespace {

// The whole idea. Step through this one in a debugger: docs/stepping.md.
void walk_through(Chapter& chapter) {
  // Two leaves: tensors that nobody computed, whose gradients we want.
  Tensor a = tensor(2, DType::f64).set_requires_grad();
  Tensor b = tensor(3, DType::f64).set_requires_grad();

  // Forward. Each op computes its value and leaves a node on the tape: who made me, from what, and by which rule
  // gradients go back.
  Tensor product = a * b;
  Tensor wave = sin(a);
  Tensor y = product + wave;
  chapter.tell(fmt::format("y = a b + sin a = {}\n{}", y, inspect::tape(y, {.names = {{"a", a}, {"b", b}}})));
  chapter.tell("Numbers count every tensor that is made, helpers too, so some are skipped here.\n");

  // Backward. The engine takes the newest tensor first, asks its op's rule for the gradients of the inputs, and adds
  // them up where they meet: a is used twice, so two gradients reach it.
  y.backward();
  chapter.tell(fmt::format("dy/da = b + cos a = {}\ndy/db = a         = {}", a.grad(), b.grad()));
  chapter.number("walk.dy_da", a.grad().item());
}

// Are the rules of that walk right? Compare them with the slope measured between y(a + h) and y(a - h).
void check_rules(Chapter& chapter) {
  const TensorFunction f = [](const Tensors& x) { return x[0] * x[1] + sin(x[0]); };
  const Tensors at{tensor(2, DType::f64).set_requires_grad(), tensor(3, DType::f64).set_requires_grad()};
  const auto checked = gradcheck(f, at);
  check<Error>(checked.passed && gradgradcheck(f, at).passed, "derivatives differ from finite differences:\n{}", checked.text);
  if (chapter.full()) chapter.tell("a b + sin a by finite differences:\n" + checked.text);
}

// y = (a + b) + ab + (a + b) ab: what is used twice has to wait for both of its gradients.
inspect::Trace walk_both_ways(double at_a, double at_b) {
  const Tensor a = tensor(at_a, DType::f64).set_requires_grad(), b = tensor(at_b, DType::f64).set_requires_grad();
  const Tensor s = a + b, p = a * b;
  const Tensor u = s + p, v = s * p;
  const Tensor y = u + v;
  return inspect::trace(y, {.title = "y = u + v with u = s + p, v = s p, s = a + b, p = a b",
                            .names = {{"a", a}, {"b", b}, {"s", s}, {"p", p}, {"u", u}, {"v", v}, {"y", y}},
                            .naive = true});
}

// What the naive walk says of dy/da: the last that arrives at a.
double naive_gradient(const inspect::Trace& trace, std::uint64_t of) {
  double gradient = 0;
  for (const auto& arrival : trace.naive->arrivals) gradient = arrival.to == of ? arrival.after.all[0] : gradient;
  return gradient;
}

double gradient(const inspect::Trace& trace, std::uint64_t of) {
  for (const auto& visit : trace.walk) {
    if (visit.tensor == of) return visit.gradient.all[0];
  }
  return 0;
}

// The U: d sin x/dx at 1 by differences of width h. For large h the curve is not straight, for small h the digits are gone.
struct Measured {
  std::vector<double> error;
  double least = std::numeric_limits<double>::infinity(), best_h = 0;
};

const double kSlope = static_cast<double>(std::cos(1.0L));

Measured errors(const std::vector<double>& widths, DType dtype, bool central) {
  const Tensor x = ones({}, dtype), h = tensor(widths, dtype);
  const Tensor slope = central ? (sin(x + h) - sin(x - h)) / (2 * h) : (sin(x + h) - sin(x)) / h;
  Measured measured;
  measured.error = to_vector(abs(cast(slope, DType::f64) - kSlope) / kSlope);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (measured.error[i] >= measured.least) continue;
    measured.least = measured.error[i];
    measured.best_h = widths[i];
  }
  return measured;
}

double error_of_tape(DType dtype) {
  const Tensor x = ones({}, dtype).set_requires_grad();
  sin(x).backward();
  return static_cast<double>(std::abs(static_cast<long double>(x.grad().item()) - std::cos(1.0L)) / std::cos(1.0L));
}

void finite_differences(Chapter& chapter) {
  std::vector<double> widths;
  for (double power = -16; power <= -1; power += 0.25) widths.push_back(std::pow(10, power));
  Plot plot{.title = "Relative error of d sin x/dx at 1 against the width h of the difference",
            .alt = {},
            .x = {"width h of the difference", true, 1e-16, 0.1},
            .y = {"relative error of the slope", true, 1e-17, 10},
            .lines = {}};
  std::string alts;
  for (const auto& [name, dtype, central, colour] : {std::tuple{"forward, f32", DType::f32, false, "f4"},
                                                     {"central, f32", DType::f32, true, "f2"},
                                                     {"forward, f64", DType::f64, false, "f1"},
                                                     {"central, f64", DType::f64, true, "f3"}}) {
    const Measured measured = errors(widths, dtype, central);
    const std::string path = fmt::format("u.{}_{}", central ? "central" : "forward", dtype);
    chapter.number(path + ".least", measured.least);
    chapter.number(path + ".h", measured.best_h);
    chapter.tell(fmt::format("  {:<13} least error {:.1e} at h = {:.1e}", name, measured.least, measured.best_h));
    plot.lines.push_back({.name = name, .x = widths, .y = measured.error, .colour = colour});
    plot.dots.emplace_back(measured.best_h, measured.least);
    alts += fmt::format("{} is least with {:.1e} at h = {:.1e}; ", name, measured.least, measured.best_h);
  }
  const double tape = error_of_tape(DType::f64), tape_f32 = error_of_tape(DType::f32);
  chapter.number("u.tape_f64", tape);
  chapter.number("u.tape_f32", tape_f32);
  chapter.tell(fmt::format("  the tape      {:.1e}, and it has no h to choose\n", tape));
  const double floor = std::max(tape, 2e-17);
  plot.lines.push_back({.name = "the tape, f64", .x = {1e-16, 0.1}, .y = {floor, floor}, .colour = "ink"});
  plot.remarks = {{.text = "digits cancel", .x = 2e-16, .y = 2e-6, .colour = "none", .on_phone = false},
                  {.text = "h too wide", .x = 0.06, .y = 3e-13, .colour = "none", .side = Remark::Side::left}};
  plot.alt = fmt::format(
      "Line plot. x: width h from 1e-16 to 0.1, log; y: relative error from 1e-17 to 10, log. Four V shapes: {}the "
      "tape is a flat line at {:.1e} under them all.",
      alts, tape);
  chapter.report.section("u", "Is it right? The U of finite differences");
  chapter.report.figure({"Four ways to measure a slope have a best h and no more. The tape has no h.", draw(plot),
                         "d sin x/dx at 1, 61 widths h. Right arms: slope 1 (forward) and 2 (central). Left arms: rounding, ε/h. Dots: the "
                         "least errors. Redraw: <code>./examples/run ch00</code>"});
  chapter.report.formula(
      "forward: {frac sin(x + h) − sin x | h} = cos x + O(h);;"
      "central: {frac sin(x + h) − sin(x − h) | 2h} = cos x + O(h{sup 2})");
  chapter.report.text(
      fmt::format("So gradients are <em>checked</em> by central differences in f64, which agree to about {} here, and "
                  "<em>computed</em> by the tape (f32: {}).",
                  shown(errors(widths, DType::f64, true).least), shown(tape_f32)));
}

void by_hand(Chapter& chapter, const inspect::Trace& trace, double a, double b) {
  const double s = a + b, p = a * b;
  chapter.report.section("order", "Why an order? Numbers by hand");
  chapter.report.formula("s = a + b;;p = a b;;u = s + p;;v = s p;;y = u + v");
  ReportTable table{
      "The tape, newest first. A tensor's turn comes when all that was computed from it has had its own: its gradient "
      "is complete.",
      {{"visit"}, {"tensor"}, {"made by"}, {"value", "", true}, {"gradient", "in order", true}, {"recursion", "without an order", true}},
      {}};
  for (const auto& visit : trace.walk) {
    const auto& tensor = trace.tensor(visit.tensor);
    const double naive = table.rows.empty() ? 1 : naive_gradient(trace, visit.tensor);
    table.rows.push_back({std::to_string(table.rows.size() + 1), "<var>" + tensor.name + "</var>", tensor.op.empty() ? "leaf" : tensor.op,
                          shown(tensor.values.all[0]), shown(visit.gradient.all[0]), shown(naive)});
  }
  chapter.report.table(table);
  chapter.report.text(
      fmt::format("Check on paper: dy/ds = 1 + p = {}, dy/dp = 1 + s = {}, so dy/da = {} · 1 + {} · b = {}. The recursion "
                  "reaches s twice and hands on what it has so far both times: the first 1 is counted again.",
                  shown(1 + p), shown(1 + s), shown(1 + p), shown(1 + s), shown(1 + p + (1 + s) * b)));
  chapter.show_tape();
  chapter.report.text("Any expression of your own: <code>./examples/run step 's = a + b; p = a * b; s + p + s * p'</code>");
}

// x → x + x, n times: each op doubles the number of ways back to x.
void doublings(Chapter& chapter) {
  constexpr int deepest = 20, measured = 12;
  Line naive{.name = "recursion", .x = {}, .y = {}, .colour = "wrong"}, tape{.name = "tape", .x = {}, .y = {}, .colour = "f1"};
  Line law{.name = "", .x = {}, .y = {}, .colour = "none"};
  Tensor x = ones({}, DType::f64).set_requires_grad(), y = x;
  for (int n = 1; n <= deepest; ++n) {
    y = y + y;
    const inspect::Trace trace = inspect::trace(y, {.naive = n <= measured});
    const double by_law = std::pow(2, n + 1) - 1;
    tape.x.push_back(n);
    tape.y.push_back(static_cast<double>(trace.walk.size()));
    law.x.push_back(n);
    law.y.push_back(by_law);
    if (n > measured) continue;
    naive.x.push_back(n);
    naive.y.push_back(static_cast<double>(trace.naive->visits));
    check<Error>(naive.y.back() == by_law, "{} doublings: {} visits, not 2^(n+1) - 1", n, naive.y.back());
  }
  chapter.number("doublings.tape", tape.y.back());
  chapter.number("doublings.recursion_12", naive.y.back());
  chapter.number("doublings.recursion_20_by_law", law.y.back());
  chapter.tell(fmt::format("{} doublings x + x: {} visits in order, {} without\n", deepest, shown(tape.y.back()),
                           with_commas(static_cast<std::int64_t>(law.y.back()))));
  chapter.report.section("doublings", "And it costs: every way back, or every tensor once");
  Plot plot{.title = "Visits of a backward walk against the number of doublings",
            .alt = fmt::format("Line plot. x: 1 to {} doublings; y: visits, log. The recursion's line rises straight to {:.0f}; the tape's "
                               "ends at {:.0f}.",
                               deepest, law.y.back(), tape.y.back()),
            .x = {"doublings n", false, 1, deepest},
            .y = {"visits", true, 1, 1e7},
            .lines = {law, naive, tape}};
  plot.lines[1].name = "";
  plot.remarks = {{.text = fmt::format("{} by 2ⁿ⁺¹ − 1", with_commas(static_cast<std::int64_t>(law.y.back()))),
                   .x = 19,
                   .y = 3e6,
                   .colour = "wrong",
                   .side = Remark::Side::left},
                  {.text = "recursion", .x = 7.5, .y = 1000, .colour = "wrong", .side = Remark::Side::left}};
  chapter.report.figure({"Twenty doublings: two million visits, or twenty-one.", draw(plot),
                         fmt::format("Solid: counted, up to {} doublings; dashed: the law 2ⁿ⁺¹ − 1, which each count meets.", measured)});
}

void second_derivatives(Chapter& chapter, double at_a, double at_b) {
  const Tensor a = tensor(at_a, DType::f64).set_requires_grad(), b = tensor(at_b, DType::f64).set_requires_grad();
  const Tensor y = (a + b) + a * b + (a + b) * a * b;
  const Tensors first = grad({y}, {a, b}, {.create_graph = true});
  const Tensors row_a = grad({first[0]}, {a, b}, {.retain_graph = true}), row_b = grad({first[1]}, {a, b});
  chapter.number("second.hessian", {{row_a[0].item(), row_a[1].item()}, {row_b[0].item(), row_b[1].item()}});
  chapter.report.section("second", "A gradient is on a tape, too");
  chapter.report.table({"Rules are made of ops, so with <code>create_graph</code> the backward walk is itself recorded and can be walked.",
                        {{"derivative"}, {"by hand"}, {"by the tape", "", true}},
                        {{"d<var>y</var>/d<var>a</var>", "1 + b + 2ab + b²", shown(first[0].item())},
                         {"d²<var>y</var>/d<var>a</var>²", "2b", shown(row_a[0].item())},
                         {"d²<var>y</var>/d<var>a</var>d<var>b</var>", "1 + 2a + 2b", shown(row_a[1].item())},
                         {"d²<var>y</var>/d<var>b</var>²", "2a", shown(row_b[1].item())}}});
}

// The milestone: 32 points about the line 2x - 1, and 100 steps downhill from w = b = 0. Only the gradient knows the way.
struct Fit {
  double w, b;
  std::vector<double> losses;
};

Fit fit_line(const Tensor& x, const Tensor& target, bool with_gradient) {
  Tensor w = zeros({}), b = zeros({});
  Fit fit{};
  for (int step = 0; step <= 100; ++step) {
    for (Tensor* p : {&w, &b}) p->set_requires_grad(with_gradient).zero_grad();
    const Tensor loss = mean(square(w * x + b - target));
    fit.losses.push_back(loss.item());
    if (!with_gradient) continue;  // nothing says which way is down
    loss.backward();
    NoGrad off;
    for (Tensor* p : {&w, &b}) *p -= 0.1 * p->grad();
  }
  fit.w = w.item();
  fit.b = b.item();
  return fit;
}

void fits_a_line(Chapter& chapter) {
  const Tensor x = linspace(-1, 1, 32), target = 2 * x - 1 + 0.1 * randn({32});
  const Fit fit = fit_line(x, target, true), without = fit_line(x, target, false);
  chapter.number("line.w", fit.w);
  chapter.number("line.b", fit.b);
  chapter.number("line.loss", fit.losses.back());
  chapter.number("line.loss_without_gradient", without.losses.back());
  chapter.tell(fmt::format("fits 2x - 1: {:.2f} x {:+.2f}, loss {:.2f} → {:.3f}; with the gradient off {:.2f} → {:.2f}", fit.w, fit.b,
                           fit.losses.front(), fit.losses.back(), without.losses.front(), without.losses.back()));
  std::vector<double> steps(fit.losses.size());
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i] = static_cast<double>(i);
  chapter.report.section("line", "The milestone: it fits a line");
  chapter.report.figure(
      {"With gradients the loss falls to the noise; without them nothing ever changes.",
       draw(Plot{.title = "Loss of the line's fit against the step",
                 .alt = fmt::format("Line plot. x: steps 0 to 100; y: mean squared error, log. With gradients it falls from "
                                    "{:.2f} to {:.3f}; without it stays.",
                                    fit.losses.front(), fit.losses.back()),
                 .x = {"step", false, 0, 100},
                 .y = {"mean squared error", true, 0.005, 5},
                 .lines = {{.name = "no gradient", .x = steps, .y = without.losses, .colour = "none"},
                           {.name = "gradient", .x = steps, .y = fit.losses, .colour = "f1"}}}),
       fmt::format("32 points 2x − 1 + noise of deviation 0.1, plain gradient descent with rate 0.1: w = {}, b = {}.", shown(fit.w),
                   shown(fit.b))});
}

}  // namespace

int main(int argc, char** argv) {
  double a = 2, b = 3;
  const ChapterText text{"00", "The tape", "Write down what was computed, then walk it back: that is all of autograd.",
                         [&] { return walk_both_ways(a, b); }};
  const std::vector<Knob> knobs{{"--a", &a, "of y = (a+b) + ab + (a+b)ab"}, {"--b", &b, "its other leaf"}};
  return run_chapter(argc, argv, text, knobs, [&](Chapter& chapter) {
    walk_through(chapter);
    const inspect::Trace trace = walk_both_ways(a, b);
    const std::uint64_t leaf = trace.tensors.front().number;
    const double right = gradient(trace, leaf), wrong = naive_gradient(trace, leaf);
    chapter.number("order.dy_da", right);
    chapter.number("order.dy_da_naive", wrong);
    chapter.number("order.visits", static_cast<double>(trace.walk.size()));
    chapter.number("order.visits_naive", static_cast<double>(trace.naive->visits));
    const std::string one = fmt::format("{} against {}", shown(wrong), shown(right));
    chapter.report.one_number(one,
                              fmt::format("The one number: dy/da at a = {}, b = {} by recursion without an order ({} visits) and by the "
                                          "tape ({} visits). The second is right.",
                                          shown(a), shown(b), trace.naive->visits, trace.walk.size()));
    chapter.ask({fmt::format("y = s + p + s p, with s = a + b, p = a b, a = {}, b = {}. In the right order\n"
                             "dy/da is {}. Suppose backward calls each op's rule as soon as a gradient\n"
                             "arrives at its result, again and again, with all that has arrived\n"
                             "there so far: what becomes of dy/da?",
                             shown(a), shown(b), shown(right)),
                 {"the same: the chain rule is a sum over all paths", "too large", "too small: the later paths are lost"},
                 1,
                 fmt::format("s gets 1, hands it on, gets p more\n"
                             "and hands on 1 + p: the 1 arrives twice, so dy/da comes out as {}",
                             shown(wrong))});
    finite_differences(chapter);
    check_rules(chapter);
    by_hand(chapter, trace, a, b);
    doublings(chapter);
    second_derivatives(chapter, a, b);
    fits_a_line(chapter);
    chapter.finish(fmt::format("{}: dy/da without an order, and with one", one));
  });
}
