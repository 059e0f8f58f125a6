// Bad calls of record.h, fused.h, engine.h and gradcheck.h, and what a backward rule may not ask.
#include <memory>
#include <utility>

#include "core/autograd/fused.h"
#include "core/inspect/gradcheck.h"
#include "core/tape/record.h"
#include "tests/core/bad_input/rows.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// The walk back through an op "cube" with two inputs, the second of them absent, and this rule.
void walk(Rule rule) {
  const Tensor x = leaf({1, 2});
  record("cube", (x * 2).detach(), {x, Tensor()}, std::move(rule), nullptr).backward(ones({2}, DType::f64));
}

// … and with one rule for three inputs.
void joint_walk(JointRule rule) {
  const Tensor x = leaf({1, 2});
  record_joint("joint", (x * 2).detach(), {x, x, x}, std::move(rule)).backward(ones({2}, DType::f64));
}

BadCalls rule_rows() {
  using S = const Step&;
  return {
      by("cube",
         {
             REFUSED(graph, walk([](S s) { return s.input(5); }), "there is no input 5, for the op has 2, counted from 0"),
             REFUSED(graph, walk([](S s) { return s.input(1000); }), "there is no input 1000, for the op has 2"),
             REFUSED(graph, walk([](S s) { return zeros(s.shape(7)); }), "there is no input 7, for the op has 2"),
             REFUSED(graph, walk([](S s) { return s.needs(7) ? s.grad : Tensor(); }), "there is no input 7"),
             REFUSED(graph, walk([](S s) { return zeros(s.shape(1)); }), "input 1 is absent, and has no shape"),
             REFUSED(shape, walk([](S) { return ones({3}, DType::f64); }), "the backward rule gave shape [3] for an input of shape [2]"),
             REFUSED(dtype, walk([](S) { return ones({2}); }), "the backward rule gave f32 for an input of f64"),
         }),
      REFUSED(graph, walk([](S s) { return s.grad * s.input(1); }), "mul: b is undefined"),
      REFUSED(dtype, walk([](S) { return ids({1, 2}) / ids({1, 2}); }), "div: needs a floating dtype"),
      by("joint",
         {
             REFUSED(graph, joint_walk([](S s) { return Tensors(3, s.input(3)); }), "there is no input 3, for the op has 3"),
             REFUSED(graph, joint_walk([](S s) { return Tensors(3, zeros(s.shape(7))); }), "there is no input 7, for the op has 3"),
             REFUSED(graph, joint_walk([](S s) { return Tensors(s.needs(SIZE_MAX)); }), "there is no input 18446744073709551615"),
             REFUSED(graph, joint_walk([](S s) { return Tensors(2, s.grad); }), "the backward rule gave 2 gradients for 3 inputs"),
             REFUSED(graph, joint_walk([](S) { return Tensors{}; }), "the backward rule gave 0 gradients for 3 inputs"),
         }),
  };
}

// A walk back from y = Σ w² after `change` was done to w or y.
void walk_after(void (*change)(const Tensor& w, const Tensor& y)) {
  const Tensor w = leaf({1, 2}), y = sum(w * w);
  change(w, y);
  backward({y}, {}, true);
}

void walk_with_a_rule(Rule rule, bool retain_graph = false) {
  const Tensor w = leaf({1, 2});
  backward({record("odd", tensor(1, DType::f64), {w}, std::move(rule))}, {}, retain_graph);
}

// A rule that walks its own graph when it is called first.
Rule rule_that_walks(bool by_grad) {
  return [by_grad, once = std::make_shared<bool>(true)](const Step& step) {
    if (!std::exchange(*once, false)) return step.grad * step.input(0);
    if (by_grad) return grad({step.output()}, {step.input(0)})[0];
    backward({step.output()});
    return Tensor();
  };
}

BadCalls check_rows() {
  using F = TensorFunction;
  using X = const Tensors&;
  const Tensor x = tensor({1, 2}, DType::f64), narrow = tensor({1, 2}), whole = ids({1, 2});
  BadCalls rows;
  const std::vector<std::pair<std::string, std::function<void(const F&, X, const GradcheckOptions&)>>> checks{
      {"gradcheck", [](const F& f, X in, const GradcheckOptions& o) { gradcheck(f, in, o); }},
      {"gradgradcheck", [](const F& f, X in, const GradcheckOptions& o) { gradgradcheck(f, in, o); }}};
  const F twice = [](X in) { return in[0] * in[0]; };
  const F shortened = [](X in) { return slice(in[0], 0, 0, in[0].at({0}) == 1 ? 2 : 1) * in[0].at({1}); };
  const F counting = [calls = std::make_shared<double>(0)](X in) { return in[0] * in[0] * ++*calls; };
  for (const auto& [op, function] : checks) {
    const auto check = [f = function](const F& of, X in, const GradcheckOptions& o = {}) { f(of, in, o); };
    const F none = [](X) { return Tensor(); }, of_nothing = [](X) { return ones({1}, DType::f64); };
    rows += undefined_row(op, "inputs[1]", [=] { check(twice, {x, Tensor()}); });
    rows += undefined_row(op, "what the function gave", [=] { check(none, {x}); });
    rows += by(op, {
                       REFUSED(value, check(F(), {x}), "the function is empty", {x}),
                       REFUSED(value, check(of_nothing, {}), "there is no f64 input to check"),
                       REFUSED(value, check(twice, {whole}), "there is no f64 input to check", {whole}),
                       REFUSED(dtype, check(twice, {narrow}), "f32 is too coarse to compare with differences; use f64 inputs", {narrow}),
                       REFUSED(value, check(twice, {x}, {.relative = kNaN}), "relative must be finite and not negative, got nan"),
                       REFUSED(value, check(twice, {x}, {.absolute = -1}), "absolute must be finite and not negative, got -1"),
                       REFUSED(value, check(twice, {x}, {.step = kInfinity}), "step must be finite and not negative, got inf"),
                       REFUSED(value, check(twice, {x}, {.jacobian_limit = -1}), "jacobian_limit must not be negative, got -1"),
                   });
    rows += by("gradcheck", {
                                REFUSED(value, check(counting, {x}), "the function gave two results for the same inputs; it must be pure"),
                                REFUSED(shape, check(shortened, {x}), "the function gave shape ["),
                            });
  }
  const F constant = [](X) { return ones({2}, DType::f64); }, rounded = [](X in) { return cast(in[0], DType::f32); };
  rows += REFUSED(graph, gradcheck(constant, {x}), "gradcheck: the output does not depend on any floating input");
  rows += REFUSED(dtype, gradcheck(rounded, {x}), "gradcheck: an output of f32 is too coarse");
  return rows;
}

}  // namespace

BadCalls gradus::test::tape_rows() {
  const Tensor x = leaf({1, 2}), value = (x * 2).detach(), old = tensor({1, 2}, DType::f64);
  const Tensor young = leaf({3, 4});
  const auto rule = [](const Step& step) { return step.grad; };
  const auto joint = [](const Step& step) { return Tensors{step.grad}; };
  const auto formula = [](const Tensors& in) { return in[0]; };
  return {
      rule_rows(),
      undefined_row("cube", "the recorded value", [=] { record("cube", Tensor(), {x}, rule); }),
      undefined_row("joint", "the recorded value", [=] { record_joint("joint", Tensor(), {x}, joint); }),
      REFUSED(value, record(nullptr, value.detach(), {x}, rule), "record: the op has no name"),
      REFUSED(graph, record("cube", x * 2, {x}, rule), "cube: the recorded value is on the tape already"),
      REFUSED(graph, record("cube", old, {young}, rule), "cube: the recorded value (shape [2]) is not newer than its input"),
      REFUSED(graph, record("cube", value.detach(), {x}, rule, rule), "cube: 2 rules for 1 inputs"),
      REFUSED(graph, record("cube", value.detach(), {x, x}, rule), "cube: 2 inputs, but 1 rules: input 1 would silently get no gradient"),
      REFUSED(value, record_joint("joint", value.detach(), {x}, JointRule()), "joint: the backward rule is an empty function"),
      REFUSED(value, fused("fast", {x}, Formula(), nullptr), "fast: the formula or the fast path is empty"),
      REFUSED(value, fused("fast", {x}, formula, nullptr), "fast: the formula or the fast path is empty"),
      REFUSED(value, fused("fast", {x, ones({2})}, formula, nullptr), "fast: "),
  };
}

BadCalls gradus::test::engine_rows() {
  using S = const Step&;
  using T = const Tensor&;
  const Tensor x = leaf({1, 2}), constant = tensor({1, 2}, DType::f64);
  const auto loss = [=] { return sum(x * x); };
  const auto fill = [](S s) { return Tensor(s.grad).fill(3), s.grad; };
  const std::string own_graph = "odd: its rule walks the graph that it is part of";
  return {
      check_rows(),
      REFUSED(value, backward({}), "backward: there is no output to begin with"),
      REFUSED(value, grad({}, {x}), "grad: there is no output to begin with"),
      undefined_row("backward", "outputs[0]", [] { backward({Tensor()}); }),
      undefined_row("backward", "outputs[0]", [] { Tensor().backward(); }),
      undefined_row("backward", "outputs[1]", [=] { backward({loss(), Tensor()}); }),
      undefined_row("grad", "outputs[0]", [=] { grad({Tensor()}, {x}); }),
      undefined_row("grad", "inputs[1]", [=] { grad({loss()}, {x, Tensor()}); }),
      REFUSED(graph, backward({constant}), "backward: the output (shape [2]) does not depend on any tensor that requires a gradient"),
      REFUSED(graph, grad({sum(constant)}, {x}), "grad: the output (shape []) does not depend"),
      REFUSED(graph, (x * x).backward(), "backward: the output has shape [2], not one element; take its sum() or mean()"),
      REFUSED(shape, (x * x).backward(ones({3}, DType::f64)), "backward: a gradient of shape [3] for a tensor of [2]"),
      REFUSED(dtype, (x * x).backward(ones({2})), "backward: a gradient of f32 for a tensor of f64; use cast"),
      REFUSED(dtype, grad({x * x}, {x}, {.seeds = {ids({1, 1})}}), "grad: a gradient of i64 for a tensor of f64; use cast"),
      REFUSED(value, grad({x * x}, {x}, {.seeds = {x.detach(), x.detach()}}), "grad: 2 seeds for 1 outputs"),
      REFUSED(graph, grad({loss()}, {constant}), "grad: an input (shape [2]) does not require a gradient"),
      REFUSED(graph, grad({loss()}, {leaf(5)}), "grad: no output depends on input 0 (shape []); pass allow_unused = true"),
      REFUSED(graph, walk_after([](T, T y) { y.backward(); }), "backward: this part of the graph was freed by an earlier backward"),
      REFUSED(graph, walk_after([](T w, T) { Tensor(w).fill(0); }), "mul: the input (shape [2]) was changed in place"),
      REFUSED(graph, walk_after([](T w, T y) { w.add_hook([&y](T) { return backward({y}, {}, true), Tensor(); }); }),
              "backward: 100 walks inside one another; a rule or a"),
      REFUSED(shape, walk_after([](T w, T) { w.add_hook([](T) { return ones({3}, DType::f64); }); }),
              "hook: a gradient of shape [3] for a tensor of [2]"),
      REFUSED(dtype, walk_after([](T w, T) { w.add_hook([](T) { return ones({2}); }); }),
              "hook: a gradient of f32 for a tensor of f64; use cast"),
      REFUSED(graph, walk_with_a_rule([](S s) { return grad({s.output()}, {s.input(0)})[0]; }), own_graph),
      REFUSED(graph, walk_with_a_rule(rule_that_walks(false)), own_graph),
      REFUSED(graph, walk_with_a_rule(rule_that_walks(true), true), own_graph),
      REFUSED(graph, record("odd", tensor({1, 2}, DType::f64), {x}, fill).backward(ones({2}, DType::f64)),
              "odd: the backward rule changed dL/dy in place, which others may hold; let it change a detached_copy()"),
  };
}
