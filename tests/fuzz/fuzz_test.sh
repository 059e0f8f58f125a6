#!/usr/bin/env bash
# A fuzz target that needs core alone, for five seconds; with --full all of them, of which the others take minutes to build.
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$root/tests/support/sample.sh"
[[ -z ${GRADUS_FULL-} ]] || exec bash "$root/tests/fuzz/run"
exec bash "$root/tests/fuzz/run" --seconds 5 "$(sample 1 npy safetensors)"
