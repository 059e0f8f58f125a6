#!/usr/bin/env bash
# The programs of examples/first, built and run as a reader does, print what they say.
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
set -euo pipefail  # setup.sh turns it off
. "$root/tests/examples/first/printed.sh"
check_printed "$root/examples/run"
