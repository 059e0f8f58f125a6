#!/usr/bin/env bash
# gdb with core/inspect/gdb.py: `step` reads the textbook. From an op of ch00_tape back to the program it sees ops and the
# tape alone; through y.backward() it enters the rule of every gradient. It never strays to memory, kernels or the standard
# library, but for the two headers that lie between the engine and a rule.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
command -v gdb >/dev/null || { echo "gdb_test: there is no gdb: nothing to test"; exit; }
build debug ch00_tape || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/drive.py" <<'END'
import os
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


def line_of(text, path="examples/ch00_tape.cpp"):
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
            return {(f"core/ops/{family}", i + 1) for i in range(starts[0], end) if "(const Backward& s)" in lines[i]}
    return set()


def check_textbook(visited, folders, between=()):
    strays = {file for file, _ in visited if not file.startswith(folders) and not file.endswith(between)}
    assert not strays, f"step went to {strays}"


program = "examples/ch00_tape.cpp"
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
assert len(op) <= 25, op

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
check_textbook(backward, (program, "core/autograd/", "core/ops/", "core/tape/"), ("/std_function.h", "/invoke.h"))
for name in ("add", "mul", "sin"):
    rules = rules_of(name)
    assert rules, f"{name} has no rules"
    assert rules <= set(backward), f"not entered: {rules - set(backward)}"
for line in ("auto [tensor, gradient] =", "gradient = after_hooks", "hand_on(tensor, gradient);", "tensor.set_grad("):
    assert ("core/autograd/engine.cpp", line_of(line, "core/autograd/engine.cpp")) in backward, line
assert len(backward) <= 400, len(backward)
assert ("core/autograd/engine.cpp", line_of("struct Arrival {", "core/autograd/engine.cpp")) not in backward, backward
print("all is well")
END

ROOT=$root OMP_NUM_THREADS=1 gdb -nx -batch -x "$root/core/inspect/gdb.py" -x "$work/drive.py" \
  "$root/build/debug/bin/ch00_tape" >"$work/out" 2>&1
cat "$work/out"
grep -Eq 'warning: RTTI|Python Exception|skipped when stepping' "$work/out" && exit 1
grep -qx 'all is well' "$work/out"
