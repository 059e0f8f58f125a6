#!/usr/bin/env bash
# The widgets of the book in a browser: every knob, the same numbers as on this machine, nothing said on the console.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$root/tests/support/browser.sh"
need_book
need_chromium
build release widgets && "$root/docs/run" --build || exit 1
[[ -f $root/docs/.vitepress/dist/widgets/lab.wasm ]] || left_out "the library for the page is not here"
GRADUS_NODE_MODULES=$root/docs/node_modules node "$root/tests/docs/widgets.mjs" "$root/docs/.vitepress/dist" "$root/build/release/bin/widgets"
