#!/usr/bin/env bash
# Small faults in the answers: none passes but what is right all the same (equivalent.txt), and of five that fail four get a sentence.
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
. "$root/tests/support/sample.sh"
. "$root/tests/support/browser.sh"
set -euo pipefail  # setup.sh turns it off
here=$root/tests/examples/exercises
need_book
build release exercises
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$root"
wrong=0
for answer in $(sample 2 examples/exercises/answers/[0-9]*.cpp); do
  stem=$(basename "$answer" .cpp)
  set=${stem#*_} id=${stem#*_}
  id=${id//_/-}
  node "$here/mutants.mjs" "$answer" "$set" 200 "$GRADUS_SEED" "$scratch/mutants.cpp" >"$scratch/mutants" 2>"$scratch/said" || { cat "$scratch/said"; exit 1; }
  "${CXX:-c++}" -std=c++20 -O0 -w -fPIC -shared -I. -DFMT_SHARED -o "$scratch/mutants.so" "$scratch/mutants.cpp"
  GRADUS_ROOT=$root "$root/build/release/bin/exercises" answers "$id" "$scratch/mutants.so" >"$scratch/verdicts"
  paste "$scratch/mutants" "$scratch/verdicts" >"$scratch/all"
  awk -F '\t' -v id="$id" '
    NR == FNR { if (!/^#/) known[$0] = 1; next }
    { count++; key = id "\t" $2 "\t" $3 }
    ($4 == "pass" || $4 == "convention") && key in known { equal++; next }
    $4 == "pass" { print id ": passes with \"" $3 "\" for \"" $2 "\""; wrong = 1 }
    $4 == "unknown" { unknown++ }
    END {
      others = count - equal
      printf "%s: %d faults, %d right all the same, %d of %d without a name\n", id, count, equal, unknown, others
      if (unknown > others / 5) { print id ": more than a fifth is not named"; wrong = 1 }
      exit wrong
    }' "$here/equivalent.txt" "$scratch/all" || wrong=1
done
exit $wrong
