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
  chapter.series("u.h", widths);
  for (const auto& [name, dtype, central] : {std::tuple{"forward", DType::f32, false},
                                             {"central", DType::f32, true},
                                             {"forward", DType::f64, false},
                                             {"central", DType::f64, true}}) {
    const Measured measured = errors(widths, dtype, central);
    const std::string path = fmt::format("u.{}_{}", name, dtype);
    chapter.series(path, measured.error);
    chapter.number(path + ".least", measured.least);
    chapter.number(path + ".h", measured.best_h);
    chapter.tell(fmt::format("  {}, {}  least error {:.1e} at h = {:.1e}", name, dtype, measured.least, measured.best_h));
  }
  chapter.number("u.tape_f64", error_of_tape(DType::f64));
  chapter.number("u.tape_f32", error_of_tape(DType::f32));
  chapter.tell(fmt::format("  the tape      {:.1e}, and it has no h to choose\n", error_of_tape(DType::f64)));
}

// Each visit of the walk, beside what the naive one says.
void by_hand(Chapter& chapter, const inspect::Trace& trace) {
  std::vector<std::string> tensors, made_by;
  std::vector<double> value, gradient, recursion;
  for (const auto& visit : trace.walk) {
    const auto& tensor = trace.tensor(visit.tensor);
    tensors.push_back(tensor.name);
    made_by.push_back(tensor.op.empty() ? "leaf" : tensor.op);
    value.push_back(tensor.values.all[0]);
    gradient.push_back(visit.gradient.all[0]);
    recursion.push_back(recursion.empty() ? 1 : naive_gradient(trace, visit.tensor));
  }
  chapter.series("order.visits.tensor", tensors);
  chapter.series("order.visits.made_by", made_by);
  chapter.series("order.visits.value", value);
  chapter.series("order.visits.gradient", gradient);
  chapter.series("order.visits.recursion", recursion);
}

// x → x + x, n times: each op doubles the number of ways back to x.
void doublings(Chapter& chapter) {
  constexpr int deepest = 20, counted = 12;
  const double by_law = std::pow(2, deepest + 1) - 1;
  std::vector<double> tape, recursion;
  Tensor x = ones({}, DType::f64).set_requires_grad(), y = x;
  for (int n = 1; n <= deepest; ++n) {
    y = y + y;
    const inspect::Trace trace = inspect::trace(y, {.naive = n <= counted});
    tape.push_back(static_cast<double>(trace.walk.size()));
    if (n > counted) continue;
    recursion.push_back(static_cast<double>(trace.naive->visits));
    check<Error>(recursion.back() == std::pow(2, n + 1) - 1, "{} doublings: {} visits, not 2^(n+1) - 1", n, recursion.back());
  }
  chapter.series("doublings.tape", tape);
  chapter.series("doublings.recursion", recursion);
  chapter.number("doublings.tape", tape.back());
  chapter.number("doublings.recursion_12", recursion.back());
  chapter.number("doublings.recursion_20_by_law", by_law);
  chapter.tell(fmt::format("{} doublings x + x: {} visits in order, {} without\n", deepest, tape.back(),
                           with_commas(static_cast<std::int64_t>(by_law))));
}

void second_derivatives(Chapter& chapter, double at_a, double at_b) {
  const Tensor a = tensor(at_a, DType::f64).set_requires_grad(), b = tensor(at_b, DType::f64).set_requires_grad();
  const Tensor y = (a + b) + a * b + (a + b) * a * b;
  const Tensors first = grad({y}, {a, b}, {.create_graph = true});
  const Tensors row_a = grad({first[0]}, {a, b}, {.retain_graph = true}), row_b = grad({first[1]}, {a, b});
  chapter.number("second.hessian", {{row_a[0].item(), row_a[1].item()}, {row_b[0].item(), row_b[1].item()}});
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
  chapter.series("line.losses", fit.losses);
  chapter.series("line.without_gradient", without.losses);
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
    chapter.series("order.a", a);
    chapter.series("order.b", b);
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
    by_hand(chapter, trace);
    doublings(chapter);
    second_derivatives(chapter, a, b);
    fits_a_line(chapter);
    chapter.finish(fmt::format("{} against {}: dy/da without an order, and with one", shown(wrong), shown(right)));
  });
}
