#!/usr/bin/env bash
# What docs/how-to-add.md tells to paste is built and run as it stands there: a norm, an activation, an optimizer, each with its
# test, and an op in one file.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$root/tests/support/browser.sh"
need_node
build release how_to_add && build release how_to_add_op || exit 1
"$root/build/release/bin/how_to_add" || exit 1
said=$("$root/build/release/bin/how_to_add_op") || exit 1
[[ $said == "passed: "*$'\n'"passed: "* ]] || { echo "own_op says: $said"; exit 1; }
