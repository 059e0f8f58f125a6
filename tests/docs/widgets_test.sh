#!/usr/bin/env bash
# The widgets of the book in a browser: every knob, the same numbers as on this machine, nothing said on the console.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$root/tests/support/browser.sh"
need_book
need_chromium
command -v clang++-22 >/dev/null || left_out "there is no clang 22"
build release widgets && "$root/docs/run" --build && GRADUS_NODE_MODULES=$root/docs/node_modules \
  node "$root/tests/docs/widgets.mjs" "$root/docs/.vitepress/dist" "$root/build/release/bin/widgets"
