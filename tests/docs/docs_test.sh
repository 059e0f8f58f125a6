#!/usr/bin/env bash
# Everything in the book is so: its pages, pictures and programs, of these a sample; and it can be built.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$root/tests/support/browser.sh"
. "$root/tests/support/sample.sh"
need_book
cd "$root/docs/made/outputs" && "$root/docs/run" --check $(sample 6 $(ls -- *.output | sed 's/\.output$//'))
