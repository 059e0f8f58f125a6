#!/usr/bin/env bash
# Two fuzz targets for ten seconds each, or all.
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$root/tests/support/sample.sh"
mapfile -t targets < <(basename -s .cpp -a "$root"/tests/fuzz/*.cpp)
mapfile -t targets < <(sample 2 "${targets[@]}")
exec bash "$root/tests/fuzz/run" --seconds 10 "${targets[@]}"
