#!/usr/bin/env bash
# The benchmarks, each for a moment: every table has all its rows, with numbers in them; with PyTorch and without; and what
# fails is not passed over.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
build release || exit 1
bench=$GRADUS_ROOT/tests/bench build=$GRADUS_ROOT/build/release
export PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "smoke_test: $1" >&2
  exit 1
}

command -v python3 >/dev/null || { echo "smoke_test: there is no python3, which runs the benchmarks: nothing to test"; exit; }

n='-?[0-9][0-9.]*'

# has TABLES CELL...: one line of the report is the row of these cells.
has() {
  local tables=$1 row
  shift
  row=$(printf ' \\| %s' "$@")
  grep -Eqx -- "${row# } \|" "$tables" || fail "there is no such row: ${row# } \|
$(cat "$tables")"
}

# check_kernels TABLES PEERS: a row for every benchmark; those named in the file PEERS show PyTorch's time, too.
check_kernels() {
  local names name peer ratio rate formula
  names=$("$build/bin/bench" --benchmark_list_tests | sed 's:/real_time$::')
  [[ $names == *tape/chain* ]] || fail "bench lists no benchmarks"
  while IFS= read -r name; do
    peer=– ratio=– rate="$n [^|]+" formula=('' '')
    grep -qx -- "$name" "$2" && peer=$n ratio="$n ×"
    [[ $name == layer/* ]] && rate='' formula=("$n" "$n ×")
    has "$1" "$name" "$peer" "$n" "$ratio" "$rate" "${formula[@]}"
  done < <(grep -v '_formula$' <<<"$names")
}

# check_tables TABLES PEERS PEER RATIO: what the cells for PyTorch look like.
check_tables() {
  local peer=$3 ratio=$4 what step
  has "$1" 'd64 L4 H4 ff192, 8×64' "$peer(, PyTorch.*)?" "$n" "$ratio" "$peer" "$n" "$n ms, $n %" "$n %, $n %"
  (($(grep -c '^| d64 L4' "$1") == 2)) || fail "no step in f32 and in bf16: $(cat "$1")"
  grep -Eqx "A step of d128 by formulas only, .*: $n ms against $n ms, $n ×\." "$1" || fail "no step by formulas: $(cat "$1")"
  for what in layers batch steps 'nodes of a chain'; do has "$1" "$what" '[^|]+' "($n: $n · ){3}$n: $n" "$n"; done
  has "$1" Gradus 1 "$n ms" "$n ms, $n ×" "$n ms, $n ×" "$n ms, $n ×"
  for step in 3 30 300; do has "$1" "$step" "$n" "$n" 0 "$n"; done
  has "$1" d64 31 "$peer" "$n" "$peer" "$n" "$ratio" "$n"
  has "$1" 'microgpt: its 1,000 steps' '[^|]+' "$n"
  check_kernels "$1" "$2"
}

# report NAME COMMAND...: the tables of a quick run, with one thread: two would wait for whatever else runs.
report() {
  local name=$1
  shift
  "$@" "$bench/run" --quick --threads 1 --build "$build" >"$work/$name" 2>"$work/errors" || fail "$name: $(cat "$work/errors")"
}

: >"$work/none"
report alone env GRADUS_TORCH_PYTHON="$work/nothing"
grep -q 'PyTorch is not there' "$work/errors" || fail "without PyTorch, it does not say so"
check_tables "$work/alone" "$work/none" – –

if "${GRADUS_TORCH_PYTHON:-/usr/bin/python3}" "$bench/torch_kernels.py" --list >"$work/peers" 2>/dev/null; then
  report beside env
  check_tables "$work/beside" "$work/peers" "$n" "$n ×"
else
  echo "smoke_test: there is no PyTorch here"
fi

# A program that fails ends the whole run.
mkdir -p "$work/broken/bin"
ln -s "$build"/bin/* "$work/broken/bin"
rm "$work/broken/bin/memory_growth"
printf '#!/bin/sh\nexit 3\n' >"$work/broken/bin/memory_growth"
chmod +x "$work/broken/bin/memory_growth"
"$bench/run" --quick --build "$work/broken" --only memory >"$work/output" 2>&1 && fail "a failing program was passed over"
grep -q '^failed with status 3' "$work/output" || fail "a failing program is not named: $(cat "$work/output")"
exit 0
