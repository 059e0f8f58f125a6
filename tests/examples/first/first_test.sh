#!/usr/bin/env bash
# The programs of examples/first, built and run as a reader does, print what they say.
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
. "$root/tests/examples/first/printed.sh"
check_printed "$root/examples/run"
