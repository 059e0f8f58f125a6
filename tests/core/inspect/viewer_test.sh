#!/usr/bin/env bash
# The viewer in a browser without a window, on walks that the library has just recorded; and its arithmetic, in node.
# Ends with 77 where node, npm or Chromium cannot be had.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"

left_out() { echo "left out: $*"; exit 77; }

command -v node >/dev/null || left_out "there is no node"
(($(node -p 'process.versions.node.split(".")[0]') >= 18)) || left_out "node is older than 18"
export GRADUS_CHROMIUM
for name in chromium chromium-browser google-chrome google-chrome-stable chrome; do
  GRADUS_CHROMIUM=$(command -v "$name") && break
done
[[ -n $GRADUS_CHROMIUM ]] || left_out "there is no Chromium"

work=$root/build/viewer
mkdir -p "$work"
export GRADUS_NODE_MODULES=$work/node_modules
if [[ ! -d $GRADUS_NODE_MODULES/playwright-core ]]; then
  command -v npm >/dev/null || left_out "there is no npm"
  npm install --prefix "$work" --no-package-lock --no-audit --no-fund playwright-core@1.64.1 \
    >"$work/npm.log" 2>&1 </dev/null ||
    left_out "playwright-core cannot be had: $(tail -n 1 "$work/npm.log")"
fi

build release viewer_traces && build release op_traces || exit 1
export GRADUS_TRACES=$work/traces GRADUS_OP_TRACES=$work/op_traces.json
"$root/build/release/bin/viewer_traces" "$GRADUS_TRACES" || exit 1
"$root/build/release/bin/op_traces" >"$GRADUS_OP_TRACES" || exit 1
node --test --test-reporter=spec "$root"/tests/core/inspect/viewer/*.test.mjs
