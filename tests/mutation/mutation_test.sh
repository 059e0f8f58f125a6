#!/usr/bin/env bash
# The tests notice each of ten small faults in the optimizers and schedules.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
"$root/tests/mutation/run" --only optim --sample 10
