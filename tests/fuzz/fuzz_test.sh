#!/usr/bin/env bash
# A fuzz target for ten seconds, or all.
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$root/tests/support/sample.sh"
mapfile -t targets < <(basename -s .cpp -a "$root"/tests/fuzz/*.cpp)
mapfile -t targets < <(sample 1 "${targets[@]}")
exec bash "$root/tests/fuzz/run" --seconds 10 "${targets[@]}"
