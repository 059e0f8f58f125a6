#!/usr/bin/env bash
# Exercises written in the built page: compiled, run and judged in a browser.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$root/tests/support/browser.sh"
need_book
need_chromium
"$root/docs/run" --build || exit 1
[[ -f $root/docs/.vitepress/dist/compiler/version && -f $root/docs/.vitepress/dist/widgets/grader.wasm ]] ||
  left_out "the compiler or the grader for the page is not here"
GRADUS_NODE_MODULES=$root/docs/node_modules node "$root/tests/docs/exercises.mjs" "$root/docs/.vitepress/dist"
