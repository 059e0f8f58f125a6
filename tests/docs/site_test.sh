#!/usr/bin/env bash
# The built book in a browser: read, searched, printed; at two widths, light and dark, with JavaScript and without.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$root/tests/support/node.sh"
. "$root/tests/support/browser.sh"
need_book
need_browser
export GRADUS_NODE_MODULES=$root/docs/node_modules
"$root/docs/run" --build || exit 1
node "$root/tests/docs/site.mjs" "$root/docs/.vitepress/dist"
