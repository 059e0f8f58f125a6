#!/usr/bin/env bash
# No mutant of a small file survives its tests.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
"$root/tests/mutation/run" nn/norm/dynamic_function.cpp | tee /dev/stderr | grep -q '^[1-9][0-9]* mutants were caught, 0 survived'
