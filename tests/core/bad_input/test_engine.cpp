// Bad calls of record.h, fused.h, engine.h and gradcheck.h, and what a backward rule may not ask.
#include <memory>
#include <utility>

#include "core/autograd/fused.h"
#include "core/inspect/gradcheck.h"
#include "core/tape/record.h"
#include "tests/core/bad_input/rows.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// The walk back through an op "cube" with two inputs, the second of them absent, and this rule.
std::function<void()> walk(Rule rule) {
  return [=] {
    const Tensor x = leaf({1, 2});
    record("cube", (x * 2).detach(), {x, Tensor()}, rule, nullptr).backward(ones({2}, DType::f64));
  };
}

// … and with one rule for three inputs.
std::function<void()> joint_walk(JointRule rule) {
  return [=] {
    const Tensor x = leaf({1, 2});
    record_joint("joint", (x * 2).detach(), {x, x, x}, rule).backward(ones({2}, DType::f64));
  };
}

BadCalls rule_rows() {
  using S = const Step&;
  return {
      {"s.input(5)", walk([](S s) { return s.input(5); }),
       Raises::graph, "cube: there is no input 5, for the op has 2, counted from 0"},
      {"s.input(1000)", walk([](S s) { return s.input(1000); }),
       Raises::graph, "cube: there is no input 1000, for the op has 2"},
      {"s.shape(7)", walk([](S s) { return zeros(s.shape(7)); }),
       Raises::graph, "cube: there is no input 7, for the op has 2"},
      {"s.needs(7)", walk([](S s) { return s.needs(7) ? s.grad : Tensor(); }), Raises::graph, "cube: there is no input 7"},
      {"s.shape(1), absent", walk([](S s) { return zeros(s.shape(1)); }),
       Raises::graph, "cube: input 1 is absent, and has no shape"},
      {"s.input(1), absent, used", walk([](S s) { return s.grad * s.input(1); }), Raises::graph, "mul: b is undefined"},
      {"joint: s.input(3)", joint_walk([](S s) { return Tensors(3, s.input(3)); }),
       Raises::graph, "joint: there is no input 3, for the op has 3"},
      {"joint: s.shape(7)", joint_walk([](S s) { return Tensors(3, zeros(s.shape(7))); }),
       Raises::graph, "joint: there is no input 7, for the op has 3"},
      {"joint: s.needs(SIZE_MAX)", joint_walk([](S s) { return s.needs(SIZE_MAX) ? Tensors{} : Tensors{}; }),
       Raises::graph, "joint: there is no input 18446744073709551615"},
      {"joint: two gradients", joint_walk([](S s) { return Tensors(2, s.grad); }),
       Raises::graph, "joint: the backward rule gave 2 gradients for 3 inputs"},
      {"joint: no gradient", joint_walk([](S) { return Tensors{}; }),
       Raises::graph, "joint: the backward rule gave 0 gradients for 3 inputs"},
      {"a gradient of another shape", walk([](S) { return ones({3}, DType::f64); }),
       Raises::shape, "cube: the backward rule gave shape [3] for an input of shape [2]"},
      {"a gradient of another dtype", walk([](S) { return ones({2}); }),
       Raises::dtype, "cube: the backward rule gave f32 for an input of f64"},
      {"a rule that divides i64", walk([](S) { return ids({1, 2}) / ids({1, 2}); }),
       Raises::dtype, "div: needs a floating dtype"},
  };
}

BadCalls record_rows() {
  const Tensor x = leaf({1, 2}), value = (x * 2).detach(), old = tensor({1, 2}, DType::f64);
  const Tensor young = leaf({3, 4});
  const auto rule = [](const Step& step) { return step.grad; };
  return {
      undefined_row("cube", "the recorded value", [=] { record("cube", Tensor(), {x}, rule); }),
      undefined_row("joint", "the recorded value",
      [=] { record_joint("joint", Tensor(), {x}, [](const Step& step) { return Tensors{step.grad}; }); }),
      REFUSED(value, record(nullptr, value.detach(), {x}, rule), "record: the op has no name"),
      REFUSED(graph, record("cube", x * 2, {x}, rule), "cube: the recorded value is on the tape already"),
      REFUSED(graph, record("cube", old, {young}, rule), "cube: the recorded value (shape [2]) is not newer than its input"),
      REFUSED(graph, record("cube", value.detach(), {x}, rule, rule), "cube: 2 rules for 1 inputs"),
      REFUSED(graph, record("cube", value.detach(), {x, x}, rule),
              "cube: 2 inputs, but 1 rules: input 1 would silently get no gradient"),
      REFUSED(value, record_joint("joint", value.detach(), {x}, JointRule()), "joint: the backward rule is an empty function"),
      REFUSED(value, fused("fast", {x}, Formula(), nullptr), "fast: the formula or the fast path is empty"),
      {"no fast path", [=] { fused("fast", {x}, [](const Tensors& in) { return in[0]; }, nullptr); },
       Raises::value, "fast: the formula or the fast path is empty"},
      {"fused of f32 and f64", [=] { fused("fast", {x, ones({2})}, [](const Tensors& in) { return in[0]; }, nullptr); },
       Raises::value, "fast: "},
  };
}

BadCalls walk_rows() {
  const Tensor x = leaf({1, 2}), constant = tensor({1, 2}, DType::f64);
  const auto loss = [=] { return sum(x * x); };
  const auto with_hook_giving = [](const Tensor& gradient) {
    return [=] {
      const Tensor w = leaf({1, 2});
      w.add_hook([=](const Tensor&) { return gradient; });
      sum(w * w).backward();
    };
  };
  const auto twice = [] {
    const Tensor w = leaf({1, 2}), y = sum(w * w);
    y.backward();
    y.backward();
  };
  const auto filled = [] {
    Tensor w = leaf({1, 2});
    const Tensor y = sum(w * w);
    w.fill(0);
    y.backward();
  };
  const auto within_its_rule = [] {
    const Tensor w = leaf({1, 2});
    const Tensor y = record("odd", tensor(1, DType::f64), {w}, [](const Step& step) { return grad({step.output()}, {step.input(0)})[0]; });
    y.backward();
  };
  const auto freed_by_its_rule = [](bool by_grad) {
    return [by_grad] {
      const Tensor w = leaf({1, 2});
      const auto once = std::make_shared<bool>(true);
      const Tensor y = record("odd", tensor(1, DType::f64), {w}, [=](const Step& step) {
        if (!std::exchange(*once, false)) return step.grad * step.input(0);
        if (by_grad) return grad({step.output()}, {step.input(0)})[0];
        backward({step.output()});
        return Tensor();
      });
      backward({y}, {}, by_grad);
    };
  };
  const auto filled_by_its_rule = [] {
    const Tensor w = leaf({1, 2});
    record("odd", tensor({1, 2}, DType::f64), {w}, [](const Step& step) { return Tensor(step.grad).fill(3), step.grad; })
        .backward(ones({2}, DType::f64));
  };
  const auto within_a_hook = [] {
    const Tensor w = leaf({1, 2}), y = sum(w * w);
    w.add_hook([&y](const Tensor&) { return backward({y}, {}, true), Tensor(); });
    backward({y}, {}, true);
  };
  return {
      REFUSED(value, backward({}), "backward: there is no output to begin with"),
      REFUSED(value, grad({}, {x}), "grad: there is no output to begin with"),
      undefined_row("backward", "outputs[0]", [] { backward({Tensor()}); }),
      undefined_row("backward", "outputs[0]", [] { Tensor().backward(); }),
      undefined_row("backward", "outputs[1]", [=] { backward({loss(), Tensor()}); }),
      undefined_row("grad", "outputs[0]", [=] { grad({Tensor()}, {x}); }),
      undefined_row("grad", "inputs[1]", [=] { grad({loss()}, {x, Tensor()}); }),
      REFUSED(graph, backward({constant}),
              "backward: the output (shape [2]) does not depend on any tensor that requires a gradient"),
      REFUSED(graph, grad({sum(constant)}, {x}), "grad: the output (shape []) does not depend"),
      REFUSED(graph, (x * x).backward(), "backward: the output has shape [2], not one element; take its sum() or mean()"),
      REFUSED(shape, (x * x).backward(ones({3}, DType::f64)), "backward: a gradient of shape [3] for a tensor of [2]"),
      REFUSED(dtype, (x * x).backward(ones({2})), "backward: a gradient of f32 for a tensor of f64; use cast"),
      REFUSED(dtype, grad({x * x}, {x}, {.seeds = {ids({1, 1})}}), "grad: a gradient of i64 for a tensor of f64; use cast"),
      REFUSED(value, grad({x * x}, {x}, {.seeds = {x.detach(), x.detach()}}), "grad: 2 seeds for 1 outputs"),
      REFUSED(graph, grad({loss()}, {constant}), "grad: an input (shape [2]) does not require a gradient"),
      REFUSED(graph, grad({loss()}, {leaf(5)}), "grad: no output depends on input 0 (shape []); pass allow_unused = true"),
      {"a graph walked twice", twice, Raises::graph, "backward: this part of the graph was freed by an earlier backward"},
      {"a rule that walks its own graph", within_its_rule, Raises::graph, "odd: its rule walks the graph that it is part of"},
      {"a hook that walks its own graph", within_a_hook, Raises::graph, "backward: 100 walks inside one another; a rule or a"},
      {"a rule that frees its own op", freed_by_its_rule(false), Raises::graph,
       "odd: its rule walks the graph that it is part of"},
      {"a rule that frees its own op by grad", freed_by_its_rule(true), Raises::graph,
       "odd: its rule walks the graph that it is part of"},
      {"a rule that changes the gradient it is given", filled_by_its_rule, Raises::graph,
       "odd: the backward rule changed dL/dy in place, which others may hold; let it change a detached_copy()"},
      {"a hook that changes the shape", with_hook_giving(ones({3}, DType::f64)),
       Raises::shape, "hook: a gradient of shape [3] for a tensor of [2]"},
      {"a hook that changes the dtype", with_hook_giving(ones({2})),
       Raises::dtype, "hook: a gradient of f32 for a tensor of f64; use cast"},
      {"an input changed in place", filled, Raises::graph, "mul: the input (shape [2]) was changed in place"},
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
  for (const auto& [op, check] : checks) {
    const auto call = [check = check](const F& f, X in, const GradcheckOptions& o = {}) { return [=] { check(f, in, o); }; };
    rows = joined({rows, {
        {op + "(empty, {x})", call(F(), {x}), Raises::value, op + ": the function is empty", {x}},
        {op + "(f, {})", call([](X) { return ones({1}, DType::f64); }, {}),
         Raises::value, op + ": there is no f64 input to check"},
        {op + "(f, {i64})", call(twice, {whole}), Raises::value, op + ": there is no f64 input to check", {whole}},
        {op + "(f, {f32})", call(twice, {narrow}),
         Raises::dtype, op + ": f32 is too coarse to compare with differences; use f64 inputs", {narrow}},
        undefined_row(op, "inputs[1]", call(twice, {x, Tensor()})),
        undefined_row(op, "what the function gave", call([](X) { return Tensor(); }, {x})),
        {op + ": relative NaN", call(twice, {x}, {.relative = kNaN}),
         Raises::value, op + ": relative must be finite and not negative, got nan"},
        {op + ": absolute -1", call(twice, {x}, {.absolute = -1}),
         Raises::value, op + ": absolute must be finite and not negative, got -1"},
        {op + ": step inf", call(twice, {x}, {.step = kInfinity}),
         Raises::value, op + ": step must be finite and not negative, got inf"},
        {op + ": jacobian_limit -1", call(twice, {x}, {.jacobian_limit = -1}),
         Raises::value, op + ": jacobian_limit must not be negative, got -1"},
        {op + ": another result at each call", call(counting, {x}),
         Raises::value, "gradcheck: the function gave two results for the same inputs; it must be pure"},
        {op + ": the shape depends on the value", call(shortened, {x}),
         Raises::shape, "gradcheck: the function gave shape ["},
    }});
  }
  const BadCalls others{
      {"gradcheck of a constant", [=] { gradcheck([](X) { return ones({2}, DType::f64); }, {x}); },
       Raises::graph, "gradcheck: the output does not depend on any floating input"},
      {"gradcheck of an f32 output", [=] { gradcheck([](X in) { return cast(in[0], DType::f32); }, {x}); },
       Raises::dtype, "gradcheck: an output of f32 is too coarse"},
  };
  return joined({rows, others});
}

}  // namespace

BadCalls gradus::test::tape_rows() { return joined({rule_rows(), record_rows()}); }
BadCalls gradus::test::engine_rows() { return joined({walk_rows(), check_rows()}); }

TEST_CASE("bad input: what a backward rule may not ask is refused by the name of its op") { check_bad_calls(tape_rows()); }

TEST_CASE("bad input: walks and gradient checks are refused, each by its own name") { check_bad_calls(engine_rows()); }
