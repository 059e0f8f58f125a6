#!/usr/bin/env bash
# gdb with examples/step/debugger/gdb.py: `step` reads the textbook. From an op of ch00_tape back to the program it sees ops and the
# tape alone; through y.backward() it enters the rule of every gradient. It never strays to memory, kernels or the standard
# library. From a norm to its gradient there are not too many lines. A backward pass on the stack is seen from every frame, and
# `rule` does not lose the program.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
command -v gdb >/dev/null || { echo "gdb_test: there is no gdb: nothing to test"; exit; }
build debug ch00_tape && build debug stepped || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/drive.py" <<'END'
import os
import re
import gdb

ROOT = os.environ["ROOT"]


def place():
    line = gdb.selected_frame().find_sal()
    return os.path.relpath(line.symtab.fullname(), ROOT) if line.symtab else "nowhere", line.line


def steps_to(until):
    """Where `step` stops until it is there."""
    visited = []
    while not visited or not until(*visited[-1]):
        gdb.execute("step", to_string=True)
        visited.append(place())
        assert len(visited) < 2000, "more than 2000 steps"
    return visited


def line_of(text, path="examples/ch00_tape/ch00_tape.cpp"):
    with open(f"{ROOT}/{path}") as file:
        return next(i for i, line in enumerate(file, 1) if text in line)


def rules_of(op):
    """The lines of an op's rules."""
    for family in sorted(os.listdir(f"{ROOT}/core/ops")):
        with open(f"{ROOT}/core/ops/{family}") as file:
            lines = file.read().split("\n")
        starts = [i for i, line in enumerate(lines) if line.startswith(f"Tensor {op}(const Tensor&") and line.endswith("{")]
        if starts:
            end = lines.index("}", starts[0])
            return {(f"core/ops/{family}", i + 1) for i in range(starts[0], end) if "(const Step& step)" in lines[i]}
    return set()


def check_textbook(visited, folders):
    strays = {file for file, _ in visited if not file.startswith(folders)}
    assert not strays, f"step went to {strays}"


program = "examples/ch00_tape/ch00_tape.cpp"
gdb.execute("break gradus::mul", to_string=True)
gdb.execute("run", to_string=True)
shown = gdb.execute("print a", to_string=True)
assert "f64 []: 2" in shown, shown
gdb.execute("delete", to_string=True)
op = steps_to(lambda file, line: file == program)
print("an op:", len(op), "steps")
check_textbook(op, (program, "core/ops/", "core/tape/"))
assert {"core/ops/arithmetic.cpp", "core/tape/record.h"} <= {file for file, _ in op}, op
assert ("core/tape/record.h", line_of("value.set_node(", "core/tape/record.h")) in op, op
assert len(op) <= 20, op

gdb.execute("break gradus::wants_node", to_string=True)
gdb.execute("continue", to_string=True)
shown = gdb.execute("print inputs", to_string=True)
assert "std::span of length 1 = {#1 f64 []: 2 (leaf, no gradient yet)}" in shown, shown
gdb.execute("delete", to_string=True)

gdb.execute(f"tbreak {program}:{line_of('y.backward()')}", to_string=True)
gdb.execute("continue", to_string=True)
shown = gdb.execute("print y", to_string=True)
assert " by add: 6.909" in shown, shown
backward = steps_to(lambda file, line: file == program and line > line_of("y.backward()"))
print("backward():", len(backward), "steps")
check_textbook(backward, (program, "core/autograd/", "core/ops/", "core/tape/"))
for name in ("add", "mul", "sin"):
    rules = rules_of(name)
    assert rules, f"{name} has no rules"
    assert rules <= set(backward), f"not entered: {rules - set(backward)}"
for line in ("auto [x, gradient] =", "hand_on(x, gradient);", "x.set_grad("):
    assert ("core/autograd/engine.cpp", line_of(line, "core/autograd/engine.cpp")) in backward, line
assert len(backward) <= 250, len(backward)

# a pass on the stack, seen from within and from the program; the user's breakpoint does not stop `rule`
recorded = line_of('record("mul"', "core/ops/arithmetic.cpp")
gdb.execute(f"break arithmetic.cpp:{recorded}", to_string=True)
gdb.execute("run", to_string=True)
assert place() == ("core/ops/arithmetic.cpp", recorded), place()
gdb.execute("delete", to_string=True)
gdb.execute("break gradus::mul", to_string=True)
shown = gdb.execute("run", to_string=True)
assert place()[1] == recorded or f"it is recorded at core/ops/arithmetic.cpp:{recorded}\n" in shown, shown


def said(command):
    return gdb.execute(command, to_string=True)


def refused(command):
    try:
        return f"{command} was not refused: " + said(command)
    except gdb.error as error:
        return str(error)


def expect(found, *wanted):
    for text in wanted:
        assert text in found, f"expected {text!r} in:\n{found}"


def dL(name, op):
    return "core/ops/arithmetic.cpp", max(line for _, line in rules_of(op)) - (1 if name == "a" else 0)


expect(refused("pending"), "no backward pass is on the stack")
expect(refused("rule mull"), "rule: there is no op mull, and no tensor mull here; did you mean mul or matmul?")
expect(refused("rule nosuch"), "rule: there is no op nosuch, and no tensor nosuch here")
for name, op in (("add", "add"), ("step-rule", "add"), ("step-rule", "sin"), ("step-rule", "mul"), ("step-rule", "mul")):
    expect(said(name if name == "step-rule" else f"rule {name}"), f"the rule of {op}, which made #")
    if op == "sin":
        assert place()[0] == "core/ops/elementary.cpp", place()
    else:
        assert place() == dL("a" if (name, op) == ("add", "add") or last == "sin" else "b", op), place()
    last = op
assert len([b for b in gdb.breakpoints() if b.enabled and b.number > 0]) == 1, "the user's breakpoint is enabled again"
said("run")
shown = said("rule mul")
assert shown.split("\n")[:2] == ["running to a rule of mul", "the rule of mul, which made #5"], shown
expect(shown, "#0  operator() (",
       f"\n{dL('a', 'mul')[1]}\t" "                [](const Step& step) { return step.grad * step.input(1); },   // dL/da\n")
frames = said("bt")
assert not re.search(r"^#\d+\s+(0x[0-9a-f]+ in )?std::", frames, re.M), frames
expect(frames, "#0  operator() (", "gradus::OpNode<2>::backward (this", "gradus::BackwardPass::hand_on (this", "walk_through (chapter=")
expect(said("bt -no-filters"), "std::__invoke")
for where in ("frame 0", "frame function walk_through"):
    said(where)
    assert said("pending") == ("#5 product: its gradient is complete, 1, and is being handed on by mul\n"
                               "waiting, in this order, each with its gradient so far:\n"
                               "  #1 a  leaf  []  f64  -0.416147\n"), said("pending")
    for asked in ("why a from y", "why a"):
        assert said(asked) == (
            "the walk has already visited #7 y; freed too, by it or by an earlier one: #6 wave\n"
            "#5 product: its gradient is complete, 1, and is being handed on by mul\n"
            "#1 a has so far: -0.416147\n"
            "#1 a gets gradients from:\n"
            f"  #5 product  mul  as a  dL/da = dL/dy ⊙ b  gives one, now  core/ops/arithmetic.cpp:{dL('a', 'mul')[1]}\n"), said(asked)
    expect(said("why product"), "#5 product: its gradient is complete, 1, and is being handed on by mul\n")
    expect(said("why wave"), "#6 wave is newer: the walk has passed it")
    expect(said("tape"), "what is left of the tape of #7 y: 1 op, 2 leaves, newest first\n  #5  product  mul ",
           "grad -0.416")
    expect(said("tape y"), "the walk has already visited #7 y", "`tape` shows what is left")
expect(refused("rule y"), "the op that made y is freed")
expect(said("rule maximum"), "the program is about to end, and a rule of maximum was not run")
print("all is well")
END

ROOT=$root OMP_NUM_THREADS=1 LC_ALL=C.UTF-8 gdb -nx -batch -x "$root/examples/step/debugger/gdb.py" -x "$work/drive.py" \
  "$root/build/debug/bin/ch00_tape" >"$work/out" 2>&1
cat "$work/out"
cat >"$work/steps.py" <<'END'
import gdb

source = "tests/support/debugged/stepped.cpp"
gdb.execute("break main", to_string=True)
gdb.execute("run", to_string=True)
steps, counted, last = 0, False, ""
while "return 0;" not in last:
    gdb.execute("step", to_string=True)
    line = gdb.selected_frame().find_sal()
    last = ""
    if line.symtab and line.symtab.filename.endswith(source):
        with open(line.symtab.fullname()) as file:
            last = file.read().split("\n")[line.line - 1]
        counted = counted or "linear(norm(x))" in last
    steps += counted
    assert steps <= 740, f"more than {steps} steps"
print("RMSNorm, Linear, cross-entropy, backward():", steps, "steps")
END
ROOT=$root OMP_NUM_THREADS=1 LC_ALL=C.UTF-8 gdb -nx -batch -x "$root/examples/step/debugger/gdb.py" -x "$work/steps.py" \
  "$root/build/debug/bin/stepped" >"$work/steps" 2>&1
tail -n 2 "$work/steps"
grep -q '^RMSNorm, Linear, .* steps$' "$work/steps" || exit 1
grep -Eq 'warning: RTTI|Python Exception|skipped when stepping' "$work/out" && exit 1
grep -qx 'all is well' "$work/out"
