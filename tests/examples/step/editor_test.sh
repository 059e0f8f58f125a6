#!/usr/bin/env bash
# .vscode does what an editor does with it: its tasks build an example, gdb takes its setup commands in the language that
# editors speak (MI), stops in the program, and unfolds a tensor: gradient state, node, the node's inputs.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
command -v gdb >/dev/null || { echo "editor_test: there is no gdb: nothing to test"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/drive.py" <<'END'
import json
import os
import re
import subprocess

ROOT = os.environ["ROOT"]


def read(name):
    with open(f"{ROOT}/.vscode/{name}") as file:
        return json.loads(re.sub(r"^\s*//.*$", "", file.read(), flags=re.M))


def filled(text):
    for variable, value in (("workspaceFolder", ROOT), ("fileBasenameNoExtension", "ch00_tape"), ("input:example", "ch00_tape")):
        text = text.replace("${" + variable + "}", value)
    assert "${" not in text, text
    return text


launch, tasks = read("launch.json"), {task["label"]: task for task in read("tasks.json")["tasks"]}
kinds = {(c["type"], "GRADUS_FORMULA_ONLY" in json.dumps(c)) for c in launch["configurations"]}
assert kinds == {("cppdbg", False), ("cppdbg", True), ("lldb", False), ("lldb", True)}, kinds
assert {i["id"] for i in launch["inputs"]} == set(re.findall(r"\$\{input:(\w+)\}", json.dumps(launch)))
for config in launch["configurations"]:
    assert config["preLaunchTask"] in tasks, config["preLaunchTask"]
    assert os.path.basename(filled(config["program"])) == "ch00_tape"
    for command in config.get("initCommands", []):
        assert os.path.exists(re.search(r"'(.*)'", filled(command))[1]), command

task = tasks["build the open example"]
alone = ["flock", os.environ["LOCK"]] if os.environ["LOCK"] else []  # other tests build in the same tree
subprocess.run([*alone, "sh", "-c", filled(task["command"])], cwd=filled(task["options"]["cwd"]), check=True,
               stdout=subprocess.DEVNULL)
listed = subprocess.run("echo " + tasks["build all examples"]["command"].split("--target ")[1], shell=True,
                        executable="/bin/bash", cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()
assert {"ch00_tape", "train"} <= set(listed), listed

for config in launch["configurations"]:
    if config["type"] != "cppdbg":
        continue
    environment = dict(os.environ, **{e["name"]: e["value"] for e in config["environment"]})
    gdb = subprocess.Popen(["gdb", "-nx", "--interpreter=mi2", filled(config["program"])], stdin=subprocess.PIPE, text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=filled(config["cwd"]), env=environment)

    def ask(command):
        gdb.stdin.write(command + "\n")
        gdb.stdin.flush()
        for line in gdb.stdout:
            assert not line.startswith("^error"), (command, line)
            if line.startswith(("^done", "^running", "^connected")):
                return line
        raise AssertionError(f"{command}: gdb ended")

    def wait_for_stop():
        for line in gdb.stdout:
            assert "^error" not in line, line
            if line.startswith("*stopped"):
                return line

    def children(name):
        """As VS Code asks: for the children, then for the value of each, by its unquoted name."""
        answer, found = ask(f'-var-list-children --simple-values "{name}" 0 1000'), {}
        for child, shown in re.findall(r'child=\{name="([^"]*)",exp="([^"]*)"', answer):
            value = re.search(r'value="((?:\\.|[^"\\])*)"', ask(f"-var-evaluate-expression {child}"))[1]
            found[shown] = child, value.replace('\\"', '')
        return found

    for setup in config["setupCommands"]:
        ask(filled(setup["text"]))
    with open(f"{ROOT}/examples/ch00_tape/ch00_tape.cpp") as file:
        backward = next(i for i, line in enumerate(file, 1) if "y.backward()" in line)
    ask(f"-break-insert ch00_tape.cpp:{backward}")
    ask("-exec-run")
    assert 'reason="breakpoint-hit"' in wait_for_stop()
    created = ask("-var-create y * y")
    assert 'has_more="1"' in created and 'dynamic="1"' in created, created
    tensor = children("y")
    assert list(tensor) == ["line", "shape", "requires_grad", "values", "node"], tensor
    assert tensor["line"][1] == "#7 f64 [] by add: 6.9093" and tensor["requires_grad"][1] == "true", tensor
    assert tensor["shape"][1] == "[]" and children(tensor["values"][0])["0"][1].startswith("6.90929742682568"), tensor
    node = children(tensor["node"][0])
    assert list(node) == ["line", "input_0", "input_1"] and node["line"][1] == "add of #5 f64 [], #6 f64 []", node
    product, wave = (children(node[i][0]) for i in ("input_0", "input_1"))
    assert product["line"][1] == "#5 f64 [] by mul: 6" and wave["line"][1] == "#6 f64 [] by sin: 0.909297", (product, wave)
    leaf = children(children(product["node"][0])["input_1"][0])
    assert leaf["line"][1] == "#3 f64 []: 3 (leaf, no gradient yet)" and "node" not in leaf, leaf
    for _ in range(3):
        ask("-exec-step")
        assert 'reason="end-stepping-range"' in wait_for_stop()
    gdb.stdin.write("-gdb-exit\n")
    gdb.stdin.close()
    gdb.wait()
print("all is well")
END

mkdir -p "$root/build"
lock=
! command -v flock >/dev/null || lock=$root/build/.lock-debug
ROOT=$root LOCK=$lock gdb -nx -batch -ex "python exec(open('$work/drive.py').read())" >"$work/out" 2>&1
cat "$work/out"
grep -qx 'all is well' "$work/out"
