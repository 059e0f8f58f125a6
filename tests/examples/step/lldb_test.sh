#!/usr/bin/env bash
# lldb shows what gdb shows (printers_test.sh): tensors, shapes, nodes and modules, and the commands.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
command -v lldb >/dev/null || { echo "lldb_test: there is no lldb: nothing to test"; exit 77; }
find_python_of_lldb
lldb --no-lldbinit --batch -o 'script print(6 * 7)' 2>&1 | grep -qx 42 ||
  { echo "lldb_test: lldb has no Python here"; exit 77; }
build debug debugged || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/drive.py" <<'END'
import json
import os
import lldb

WORK, ROOT = os.environ["WORK"], os.environ["ROOT"]


def run(debugger):
    debugger.SetAsync(False)
    interpreter = debugger.GetCommandInterpreter()

    def said(command, fails=False):
        process, result = debugger.GetSelectedTarget().GetProcess(), lldb.SBCommandReturnObject()
        frame = process.GetSelectedThread().GetSelectedFrame()
        context = lldb.SBExecutionContext(frame if frame.IsValid() else debugger.GetSelectedTarget())
        interpreter.HandleCommand(command, context, result, False)
        assert result.Succeeded() != fails, f"{command}: {result.GetOutput()} {result.GetError()}"
        return (result.GetError() if fails else result.GetOutput()).rstrip("\n")

    def shown(variable):
        return said(f"frame variable --depth 0 {variable}").split(" = ", 1)[1].removesuffix("{...}").rstrip()

    def expect(found, *wanted):
        for text in wanted:
            assert text in found, f"expected {text!r} in:\n{found}"

    def value(path):
        return debugger.GetSelectedTarget().GetProcess().GetSelectedThread().GetSelectedFrame().GetValueForVariablePath(path)

    said(f"command script import {ROOT}/examples/step/debugger/gradus_lldb.py")
    expect(said("tape loss", fails=True), "tape: there is no process")
    said("breakpoint set --name look")
    said(f"process launch -- {WORK}/walk.json")
    expect(said("frame variable y"), "f32 [] by add: 13.9")
    said("up")
    tape = said("tape loss")
    of = {line.split()[1]: int(line.split()[0][1:]) for line in tape.split("\n")[1:]}
    for variable, end in {
            "narrow": " f16 [3]: 1.5, -2.25, 65504", "ids": " i64 [3]: -3, 9007199254740993, 7",
            "many": " f32 [4, 25]: 0, 1, 2, 3, 4, 5, … min 0, max 99, mean 49.5", "empty": " f32 [0, 3]: no elements",
            "odd": " f32 [8]: nan, 1, inf, -1, 0, 2, … min -1, max 2, mean 0.5, 2 nan, 2 inf",
            "x": " f32 [2]: 3, 4 (leaf, |grad| 5)", "w": " f32 [2]: 0.1, -2 (leaf, no gradient yet)",
            "mean_square": " f32 [] by a freed op: 12.5", "undefined": "undefined", "moved": "undefined",
            "patterns[0]": "<unreadable>", "patterns[1]": "<unreadable>"}.items():
        found = shown(variable)
        assert found.endswith(end), f"{variable}: expected {end!r}, got {found!r}"
    expect(said("frame variable --raw many"), "impl_ = 0x")
    expect(said("frame variable linear"), "Linear (training): weight #", " f32 [3, 2], bias #", " f32 [3]")

    # children, as an editor unfolds them
    product = value("product")
    assert [product.GetChildAtIndex(i).GetName() for i in range(product.GetNumChildren())] == ["shape", "values", "node"]
    assert product.GetChildMemberWithName("shape").GetSummary() == "[2]"
    assert abs(float(product.GetChildMemberWithName("values").GetChildAtIndex(1).GetValue()) + 8) < 1e-9
    node = product.GetChildMemberWithName("node")
    assert node.GetSummary() == f"mul of #{of['x']} f32 [2], #{of['w']} f32 [2]", node.GetSummary()
    assert node.GetNumChildren() == 2
    expect(node.GetChildAtIndex(0).GetSummary(), "3, 4 (leaf, |grad| 5)")
    expect(value("x").GetChildMemberWithName("grad").GetSummary(), "f32 [2]: 3, 4")
    assert value("undefined").GetNumChildren() == 0 and value("patterns[0]").GetNumChildren() == 0

    # the commands
    head, *rows = tape.split("\n")
    assert head == f"tape of #{of['loss']} loss: 9 ops, 2 leaves, newest first" and len(rows) == 11, tape
    expect(tape, "product  mul", f"← #{of['x']} x (leaf), #{of['w']} w (leaf)", "constant off_tape [2]", "|grad| 5")
    deep = said("tape deep --limit 5")
    expect(deep, "100000 ops, 1 leaf", "  … and 99996 more")
    expect(said("tape nothing", fails=True), "tape: there is no variable nothing here")
    expect(said("tape undefined", fails=True), "tape: undefined is undefined")
    expect(said("tape argc", fails=True), "tape: argc is no Tensor but int")
    said(f"tape loss --json {WORK}/read.json")
    with open(f"{WORK}/walk.json") as file:
        own = {tensor["number"]: tensor["values"] for tensor in json.load(file)["tensors"]}
    with open(f"{WORK}/read.json") as file:
        read = {tensor["number"]: tensor["values"] for tensor in json.load(file)["tensors"]}
    assert read == own, (read, own)
    why = said("why x from loss")
    assert sorted(line.split()[2] for line in why.split("\n")[1:]) == ["cat", "mul", "mul"], why
    expect(why, "product  mul  as a        dL/da = dL/dy ⊙ b ", "none: no gradient reaches this op",
           "core/ops/arithmetic.cpp:")
    expect(said("why product"), "tripled  as x  dL/dx = 3 dL/dy  gives one")

    def line_here():
        debugger.GetSelectedTarget().GetProcess().GetSelectedThread().SetSelectedFrame(0)
        entry = debugger.GetSelectedTarget().GetProcess().GetSelectedThread().GetSelectedFrame().GetLineEntry()
        with open(entry.GetFileSpec().fullpath) as file:
            return file.read().split("\n")[entry.GetLine() - 1]

    expect(said("rule x", fails=True), "rule: no op made x: it has no rule")
    expect(said("rule nosuch", fails=True), "there is no op nosuch")
    expect(said("rule steps", fails=True), "is zero (nullptr)")
    expect(said("pending", fails=True), "no backward pass is on the stack")
    said("rule cat")
    expect(line_here(), "Step& step")
    expect(said("why x"), "cat", "gives one, now")
    said("step-rule")
    expect(line_here(), "backward(const Tensor& g, const Tensors&, const Tensor&) const override")
    said("breakpoint set --name gradus::mul")
    said("rule product")
    expect(line_here(), "// dL/da")
    whose, head, *rows = said("pending").split("\n")
    expect(whose, "product: its gradient is complete, 3, 3, and is being handed on by mul")
    assert [row.split()[1] for row in rows] == ["x"] and rows[0].endswith("  leaf  [2]  f32  1, 1"), rows
    said("frame select 10")
    expect(said("why x from loss"), "the walk has already visited #", "x has so far: 1, 1", "product  mul  as a",
           "gives one, now")
    expect(said("why product"), "its gradient is complete, 3, 3")
    expect(said("tape"), "what is left of the tape of #", ": 1 op, 2 leaves, newest first")
    said("step-rule")
    expect(line_here(), "// dL/db")
    said("process kill")


def __lldb_init_module(debugger, _):
    try:
        run(debugger)
        print("all is well")
    except Exception:
        import traceback
        traceback.print_exc()
END

ROOT=$root WORK=$work OMP_NUM_THREADS=1 lldb --no-lldbinit --batch -o "command script import $work/drive.py" \
  "$root/build/debug/bin/debugged" >"$work/out" 2>&1
cat "$work/out"
grep -q 'Traceback' "$work/out" && exit 1
grep -qx 'all is well' "$work/out"
