// ch00_tape: the tape: compute, look at what was recorded, walk it back; why in order, and how to know that it is right.
#include <fmt/format.h>

#include "core/core.h"
#include "core/inspect/gradcheck.h"
#include "core/inspect/tape.h"
#include "examples/ch00_tape/order.h"
#include "examples/ch00_tape/slopes.h"
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
