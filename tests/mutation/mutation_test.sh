#!/usr/bin/env bash
# Of twenty small faults in the optimizers and schedules, others for every commit, the tests notice each.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
"$root/tests/mutation/run" --only optim --sample 20
