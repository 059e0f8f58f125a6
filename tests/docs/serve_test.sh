#!/usr/bin/env bash
# The book's server answers every request, whatever it asks for: with a page, or with a status and a text. It packs what the
# browser wants packed, and shows a page as it is now.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$root/tests/support/browser.sh"
need_node
node "$root/tests/docs/serve.mjs"
