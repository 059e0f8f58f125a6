#!/usr/bin/env bash
# The viewer in a browser without a window, on walks that the library has just recorded; and its arithmetic, in node.
# Ends with 77 where node, npm or Chromium cannot be had.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$(dirname "${BASH_SOURCE[0]}")/../support/browser.sh"
need_browser playwright-core@1.61.0

build release viewer_traces && build release op_traces || exit 1
work=$root/build/viewer
mkdir -p "$work"
export GRADUS_TRACES=$work/traces GRADUS_OP_TRACES=$work/op_traces.json
"$root/build/release/bin/viewer_traces" "$GRADUS_TRACES" || exit 1
"$root/build/release/bin/op_traces" >"$GRADUS_OP_TRACES" || exit 1
node --test --test-reporter=spec "$root"/tests/docs/viewer/*.test.mjs
