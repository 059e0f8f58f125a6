#!/usr/bin/env bash
# The programs and snippets of the path, compiled and run by what the page loads: in node, and on the built page in a browser.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$root/tests/support/browser.sh"
need_book
need_chromium
"$root/docs/run" --build || exit 1
[[ -f $root/docs/.vitepress/dist/library/version ]] || left_out "the library for the page is not here"
node "$root/tests/docs/programs.mjs" || exit 1
GRADUS_NODE_MODULES=$root/docs/node_modules node "$root/tests/docs/programs_page.mjs" "$root/docs/.vitepress/dist"
