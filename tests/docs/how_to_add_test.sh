#!/usr/bin/env bash
# What docs/how-to-add.md tells to paste is built and run as it stands there: a norm, an activation, an optimizer, each with its
# test. (The op in one file is one of the book's programs, which docs_test.sh runs.)
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$root/tests/support/browser.sh"
need_node
build release how_to_add || exit 1
"$root/build/release/bin/how_to_add"
