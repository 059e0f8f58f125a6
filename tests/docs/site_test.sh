#!/usr/bin/env bash
# The built book in a browser: every page at two widths, light and dark; search, symbols that light up, plots, no JavaScript.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$root/tests/support/browser.sh"
need_book
need_chromium
"$root/docs/run" --build && node "$root/tests/docs/search.mjs" "$root/docs/.vitepress/dist" && GRADUS_NODE_MODULES=$root/docs/node_modules \
  node "$root/tests/docs/site.mjs" "$root/docs/.vitepress/dist"
