#!/usr/bin/env bash
# What the book says the tutor says and shows is what it says and shows: to the mistakes that pass elsewhere, and in a terminal.
#   recorded_test.sh --write     writes docs/made/results/passed-elsewhere.json and tutor.txt
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
. "$root/tests/support/browser.sh"
need_node
build release exercises || exit 1
exercises=$root/build/release/bin/exercises
here=$root/tests/examples/exercises
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# holds FILE COMMAND...: what the command prints is what docs/made/results/FILE has, or is written there.
holds() {
  local file=$1
  shift
  "$@" >"$work/$file" || exit 1
  if [[ $write ]]; then
    cp "$work/$file" "$root/docs/made/results/$file"
  elif ! diff "$root/docs/made/results/$file" "$work/$file"; then
    echo "docs/made/results/$file is not so: tests/examples/exercises/recorded_test.sh --write, and ./docs/run --write" >&2
    exit 1
  fi
}

write=${1-}
holds passed-elsewhere.json node "$here/passed_elsewhere.mjs" "$exercises"
command -v tmux >/dev/null || { echo "recorded_test: without tmux the screens are left out"; exit 0; }
holds tutor.txt "$here/record_tutor.sh" "$exercises"
