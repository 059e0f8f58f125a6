#!/usr/bin/env bash
# gdb shows tensors, shapes, nodes and modules, also those that cannot be read, and its commands tape, why, rule and
# step-rule tell what tests/support/debugged/debugged.cpp holds: of a running program, and of a core.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
command -v gdb >/dev/null || { echo "printers_test: there is no gdb: nothing to test"; exit 77; }
build debug debugged && build debug ch00_tape || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/drive.py" <<'END'
import json
import os
import gdb

WORK = os.environ["WORK"]


def said(command):
    return gdb.execute(command, to_string=True).rstrip("\n")


def shown(expression):
    return said(f"print {expression}").split(" = ", 1)[1]


def refused(command):
    try:
        return f"{command} was not refused: " + said(command)
    except gdb.error as error:
        return str(error)


def expect(found, *wanted):
    for text in wanted:
        assert text in found, f"expected {text!r} in:\n{found}"


def expect_all(table):
    for expression, wanted in table.items():
        found = shown(expression)
        assert found == wanted, f"{expression}: expected\n  {wanted}\nand got\n  {found}"


assert refused("tape loss").startswith("tape: there is no process"), refused("tape loss")
assert refused("rule mul").startswith("rule: there is no process"), refused("rule mul")
gdb.execute(f"break look", to_string=True)
gdb.execute(f"run {WORK}/walk.json", to_string=True)
expect(said("print y"), "f32 []")
gdb.execute("up", to_string=True)

loss = shown("loss")
number = int(loss.split()[0][1:])
tape = said("tape loss")
of = {line.split()[1]: int(line.split()[0][1:]) for line in tape.split("\n")[1:]}
# of each dtype; a leaf, an op, one whose tape was freed; few values and many; NaN and infinities; broken ones
assert shown("narrow").endswith(" f16 [3]: 1.5, -2.25, 65504"), shown("narrow")
assert shown("ids").endswith(" i64 [3]: -3, 9007199254740993, 7"), shown("ids")
assert shown("many").endswith(" f32 [4, 25]: 0, 1, 2, 3, 4, 5, … min 0, max 99, mean 49.5"), shown("many")
assert shown("odd").endswith(" f32 [8]: nan, 1, inf, -1, 0, 2, … min -1, max 2, mean 0.5, 2 nan, 2 inf"), shown("odd")
assert shown("empty").endswith(" f32 [0, 3]: no elements"), shown("empty")
assert shown("large").endswith(" min 1, max 1, mean 1 of the first 262144"), shown("large")
assert shown("x").endswith(" f32 [2]: 3, 4 (leaf, |grad| 5)"), shown("x")
assert shown("w").endswith(" f32 [2]: 0.1, -2 (leaf, no gradient yet)"), shown("w")
assert shown("mean_square").endswith(" f32 [] by a freed op: 12.5"), shown("mean_square")
assert loss.endswith(" f32 [] by add: 13.9"), loss
expect_all({"undefined": "undefined", "moved": "undefined", "patterns[0]": "<unreadable>", "patterns[1]": "<unreadable>",
            "many.impl_->shape": "[4, 25]", "some": "std::span of length 3 = {5, 6, 7}", "two": "std::span of length 2 = {5, 6}"})
gdb.set_convenience_variable("node", gdb.parse_and_eval("*(gradus::Node**)&product.impl_->node"))
assert shown("*$node") == f"mul of #{of['x']} f32 [2], #{of['w']} f32 [2]", shown("*$node")
assert shown("*(gradus::Node*)argv") == "<unreadable>", shown("*(gradus::Node*)argv")
expect(shown("linear"), "Linear (training): weight #", " f32 [3, 2], bias #", " f32 [3]")
expect(shown("scaled"), "Scaled (training): gain #", " f32 [2]")
assert " = {" not in shown("loss") + shown("scaled"), "a line, unless more is asked for"
unfolded = shown("-pretty -- thrice")
expect(unfolded, "requires_grad = true", "values = {0.9000000", "-24}", "node = tripled of #", "input_0 = #",
       "by mul: 0.3, -8",        "rule = ")
assert "input_1" not in unfolded, "deeper levels stay folded:\n" + unfolded
expect(shown("-pretty -- scaled"), "gain = #", "inner = Linear (training)")
expect(shown("-pretty -- x"), "grad = #", ": 3, 4")

# tape
head, *rows = tape.split("\n")
assert head == f"tape of #{number} loss: 9 ops, 2 leaves, newest first", head
assert len(rows) == 11, tape
assert rows[0].split()[:6] == [f"#{number}", "loss", "add", "[]", "f32", "13.9"], rows[0]
expect(tape, f"product  mul", f"← #{of['x']} x (leaf), #{of['w']} w (leaf)", "constant off_tape [2]", "|grad| 5")
assert said("tape loss --limit 3").split("\n")[-1] == "  … and 8 more", said("tape loss --limit 3")
deep = said("tape deep")
assert deep.startswith("tape of #") and "deep: 100000 ops, 1 leaf, newest first" in deep, deep[:200]
assert deep.endswith("  … and 99901 more") and len(deep.split("\n")) == 102, deep[-200:]
expect(said("tape x"), "is a leaf: no op made it")
expect(said("tape off_tape"), "is a constant: nothing is on the tape")
expect(said("tape mean_square"), "was freed by an earlier backward")
expect(said("tape *&loss"), head.split(":")[1])
assert refused("tape nothing") == 'tape: No symbol "nothing" in current context.', refused("tape nothing")
expect(refused("tape undefined"), "tape: undefined is undefined")
expect(refused("tape patterns[1]"), "tape: patterns[1] cannot be read")
expect(refused("tape argc"), "tape: argc is no Tensor but int")
expect(refused("tape"), "of which tensor?")
expect(refused("tape loss --limit none"), "--limit needs a whole number")
expect(refused("tape loss --lines 3"), "there is no option --lines")
expect(refused("tape --trace /nowhere"), "cannot read /nowhere: No such file")
expect(refused("tape loss --json /nowhere/x"), "cannot write /nowhere/x: No such file")

# what is written is what the program itself wrote
said(f"tape loss --json {WORK}/read.json")
with open(f"{WORK}/walk.json") as file:
    own = json.load(file)
with open(f"{WORK}/read.json") as file:
    read = json.load(file)
names = {tensor["number"]: tensor.pop("name", None) for tensor in read["tensors"]}
assert {"x", "w", "off_tape", "loss"} <= set(names.values()), names
for tensor in own["tensors"]:
    for field in ("module", "severed_by", "name"):
        tensor.pop(field, None)
assert read["tensors"] == own["tensors"], (read["tensors"], own["tensors"])
assert read["outputs"] == own["outputs"] and read["gradus_trace"] == own["gradus_trace"] == 1
for name in ("mul", "add", "cat", "sum"):
    ours, theirs = read["ops"][name], own["ops"][name]
    for field in ("file", "line", "formulas"):
        assert ours.get(field) == theirs.get(field), (name, field, ours, theirs)
said(f"tape many --json {WORK}/many.json")
with open(f"{WORK}/many.json") as file:
    many = json.load(file)["tensors"][0]["values"]
assert many["corner_shape"] == [4, 6] and many["corner"][6:8] == [25, 26], many
described = [many[name] for name in ("count", "min", "max", "mean", "rms", "zero")]
assert described == [100, 0, 99, 49.5, 57.301834, 1], many  # √(Σ i²/100), to seven digits
assert many["histogram"] == [7, 6, 6, 6, 6, 7, 6, 6, 6, 6, 7, 6, 6, 6, 6, 7], many
traced = said(f"tape --trace {WORK}/walk.json")
assert traced.split("\n")[0] == f"tape of #{number}: 9 ops, 2 leaves, newest first", traced
expect(traced, "|grad| 5.166", "|grad| 15", f"← #{of['x']} (leaf), #{of['w']} (leaf)")

# why
why = said("why x from loss")
assert why.split("\n")[0] == f"#{of['x']} x gets gradients on the tape of #{number} loss from:", why
readers = [line.split()[1:] for line in why.split("\n")[1:]]
assert sorted(line[1] for line in readers) == ["cat", "mul", "mul"], why
expect(why, "product  mul  as a        dL/da = dL/dy ⊙ b ", "gives one ", "core/ops/arithmetic.cpp:")
assert "none: no gradient reaches this op" in why.split("doubled  mul")[1].split("\n")[0], why
expect(said("why doubled from loss"), "steps  stepped  as input 0  none: its rule is zero")
expect(said("why late from mixed"), "mixed  mul  as a", "none: it did not require a gradient when the op was recorded")
expect(said("tape loss"), head)
expect(said("why product"), "tripled  as x  dL/dx = 3 dL/dy  gives one")  # of the output last used
expect(said("why x from w"), "no op on the tape of")
expect(said("why off_tape"), "is a constant: no op sends it a gradient")
expect(refused("why nothing"), 'No symbol "nothing"')
expect(refused("why"), "who sends gradients to which tensor?")

# rule: a joint, a fused, a plain one; by tensor and by name; then the next
assert refused("rule x") == "rule: no op made x: it has no rule", refused("rule x")
expect(refused("rule"), "no op is on the stack here")
expect(refused("rule steps"), "rule: the rule of stepped, which made #", "is zero (nullptr): no code is run for it")
expect(refused("rule triple"), "there is no op triple, and no tensor triple here; did you mean tripled")
expect(said("why x from mean_square"), "part of this tape was freed by an earlier backward: what made #", " mean_square")


def place():
    line = gdb.newest_frame().find_sal()
    with open(line.symtab.fullname()) as file:
        return file.read().split("\n")[line.line - 1]


expect(said("rule sum"), "the rule of sum, which made #")
expect(said("rule stepped"), "the rule of stepped, which made #", "is zero (nullptr): no code is run for it")
expect(said("rule both"), f"the rule of cat, which made #{of['both']}")
expect(place(), "Step& step")
expect(said("why x"), "cat", "gives one, now")
expect(said("step-rule"), "the rule of tripled, which made #")
expect(place(), "backward(const Tensor& g, const Tensors&, const Tensor&) const override")
expect(shown("g"), "f32 [2]: 1, 1")
expect(refused("step-rule mul"), "takes no argument")
expect(said("rule product"), f"the rule of mul, which made #{of['product']}")
expect(place(), "// dL/da")
expect(said("print step"), "grad = #")
gdb.execute("delete", to_string=True)
gdb.execute("break look", to_string=True)
gdb.execute("continue", to_string=True)
expect(shown("y"), "by a freed op: 13.9")
gdb.execute("up", to_string=True)
expect(shown("w"), "(leaf, |grad| 15)")  # 3x = [9, 12]
expect(shown("x"), "(leaf, |grad| 4.415)")  # x, from mean_square, and 3w + 1
gdb.execute(f"generate-core-file {WORK}/core", to_string=True)
expect(said("rule mul"), "the rule of mul")
expect(said("why x"), "is older than what grad() was asked for: the walk does not reach it")
gdb.execute("frame function main", to_string=True)
expect(said("why w"), "  mul  as b  dL/db = dL/dy ⊙ a  gives one, now")
gdb.execute("kill", to_string=True)
gdb.execute(f"core-file {WORK}/core", to_string=True)
gdb.execute("frame function main", to_string=True)
expect(shown("w"), "f32 [2]: 0.1, -2 (leaf, |grad| ")
expect(said("tape deep --limit 1"), "100000 ops", "… and 100000 more")
assert refused("rule mul") == "rule: The program is not being run.", refused("rule mul")
print("all is well")
END

GRADUS_WORK=1 WORK=$work OMP_NUM_THREADS=1 LC_ALL=C.UTF-8 gdb -nx -batch -x "$root/examples/step/debugger/gdb.py" -x "$work/drive.py" \
  "$root/build/debug/bin/debugged" >"$work/out" 2>&1
cat "$work/out"
grep -q 'Python Exception' "$work/out" && exit 1
grep -qx 'all is well' "$work/out"
