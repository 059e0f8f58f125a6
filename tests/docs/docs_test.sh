#!/usr/bin/env bash
# Everything in the book is so: its pages, pictures and programs; and it can be built.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$root/tests/support/browser.sh"
need_book
"$root/docs/run" --check
