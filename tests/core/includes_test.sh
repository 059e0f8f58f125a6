#!/usr/bin/env bash
# Each source includes what it needs: it compiles alone, too, and not only after others in one unit.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$root/tests/support/sample.sh"
mapfile -t sources < <(cd "$root" && find core nn optim examples -name '*.cpp' | sort)
exec bash "$root/tests/install/versions.sh" --in "$(sample 6 "${sources[@]}" | paste -sd ' ')"
