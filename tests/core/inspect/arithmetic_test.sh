#!/usr/bin/env bash
# The viewer's modules, by node's own test runner; its arithmetic on traces of every op in the table.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
command -v node >/dev/null || { echo "left out: there is no node"; exit 77; }
(($(node -p 'process.versions.node.split(".")[0]') >= 18)) || { echo "left out: node is older than 18"; exit 77; }

build release op_traces || exit 1
traces=$(mktemp)
trap 'rm -f "$traces"' EXIT
"$root/build/release/bin/op_traces" >"$traces" || exit 1
modules=()
for test in "$root"/tests/core/inspect/viewer/*.test.mjs; do
  [[ $test == */page.test.mjs ]] || modules+=("$test")  # which needs a browser: viewer_test.sh
done
GRADUS_OP_TRACES=$traces node --test "${modules[@]}"
