#!/usr/bin/env bash
# A program ends, and what it said is written, also where memory is so short that a thread of the matrix library is still waiting
# for some.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

fail() {
  echo "end_test: $1" >&2
  exit 1
}

# limited STATUS FILE TEXT PROGRAM [OPTION]: within little memory it ends with this status and has said TEXT in FILE.
limited() {
  local wanted=$1 file=$2 text=$3 status
  shift 3
  least_for "$1"
  (ulimit -v "$kilobytes" && exec timeout 20 "$@") >out 2>err </dev/null
  status=$?
  ((status == wanted)) || fail "'${*##*/}' ended with $status, not $wanted, within $kilobytes kB: $(cat err)"
  grep -qF -- "$text" "$file" || fail "'${*##*/}' said: $(cat out err)"
}

# The least memory in which the program comes to its main(): with less, some versions of the matrix library wait there for ever.
least_for() {
  for kilobytes in 150000 250000 350000 450000; do
    (ulimit -v $kilobytes && exec timeout 5 env LD_DEBUG=libs "$1" --help) 2>&1 </dev/null | grep -q "transferring control: $1" && return
  done
  fail "${1##*/} does not begin within 450 MB"
}

for program in train step ch00_tape; do
  build release $program || exit 1
done

# What a reader's own program buffers is written as well: it is linked as ch00_tape is.
cat >own.cpp <<'END'
#include <fstream>
#include <iostream>
std::ofstream file("file.txt");
int main() {
  std::ios::sync_with_stdio(false);
  std::cout << "to the terminal";
  file << "to a file";
  return 3;
}
END
link=$(ninja -C "$root/build/release" -t commands ch00_tape | tail -n 1)
link=${link//-o bin\/ch00_tape/-o $work/own}
c++ -c own.cpp -o own.o && cd "$root/build/release" &&
  bash -c "${link//examples\/CMakeFiles\/ch00_tape.dir\/ch00_tape\/ch00_tape.cpp.o/$work/own.o}" || fail "a program of one's own is not linked"
cd "$work" && ./own >out
(($? == 3)) && [[ $(cat out) == 'to the terminal' && $(cat file.txt) == 'to a file' ]] || fail "what a program buffers is lost"

bin=$root/build/release/bin
limited 0 out '--context' "$bin/train" --help
limited 2 err "unknown option '--contxt'" "$bin/train" --contxt 3
limited 0 out '--chapter' "$bin/step" --help
limited 0 out 'report: ' "$bin/ch00_tape" --yes
[[ -s runs/ch00/report.html ]] || fail "ch00_tape left no report"
