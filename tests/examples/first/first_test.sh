#!/usr/bin/env bash
# The programs of examples/first, built and run as a reader does, print what they say, and are short.
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
. "$root/tests/support/sample.sh"
set -euo pipefail  # setup.sh turns it off
. "$root/tests/examples/first/printed.sh"
export OMP_NUM_THREADS=1  # these models are small: two threads would mostly wait for each other
check_printed "$root/examples/run" tape line spiral network classifier $(sample 1 bytes attention block gpt)
for program in "$root"/examples/first/*.cpp; do
  (($(wc -l <"$program") <= 120)) || { echo "$program has more than 120 lines"; exit 1; }
done
