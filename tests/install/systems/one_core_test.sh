#!/usr/bin/env bash
# One processor: a first program, and the tests of core, nn and optim.
. "$(dirname "${BASH_SOURCE[0]}")/system.sh"
need taskset

build release unit_tests
GRADUS_JOBS=1 taskset -c 0 "$root/examples/run" line
run_tests "$root/build/release/bin" taskset -c 0
