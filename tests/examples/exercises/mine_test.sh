#!/usr/bin/env bash
# examples/run with --mine: a student's file in a model and in a chapter, and what is said of a file that cannot go there.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
build release exercises || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GRADUS_MY=$work/my
cd "$work" || exit 1
mkdir my
answers=$root/examples/exercises/answers

fail() {
  echo "mine_test: $1" >&2
  exit 1
}

# says STATUS TEXT WORD...: examples/run ends with this status, and says TEXT.
says() {
  local wanted=$1 text=$2 status
  shift 2
  "$root/examples/run" "$@" >out.txt 2>err.txt </dev/null
  status=$?
  ((status == wanted)) || fail "'$*' ended with $status, not $wanted: $(cat out.txt err.txt)"
  grep -qF -- "$text" out.txt err.txt || fail "'$*' said: $(cat out.txt err.txt)"
}

says 2 'mine: of which exercise?' train --mine
says 2 'mine: of which exercise?' ch04 --mine
says 2 "there is no exercise 'rms-nrom'; did you mean 'rms-norm'?" ch04 --mine rms-nrom
says 2 "ch04 has nothing to ask 'rope'; it asks rms-norm and layer-norm-gradient" ch4 --mine rope
says 2 "ch05 has no published mistakes beside which 'sinusoids' could stand; ch04, ch06, ch07 and ch10 have" ch05 --mine sinusoids
says 2 "There is no example 'ch99'" ch99 --mine rope
says 2 '--in: only mine goes to a chapter' exercises list --in ch04
says 1 'my/10_rms_norm.cpp is not there yet: ./examples/run exercises new rms-norm puts it there.' train --mine rms-norm
says 1 'my/10_rms_norm.cpp is not there yet: ./examples/run exercises new rms-norm puts it there.' ch04 --mine rms-norm

says 0 '' exercises new rms-norm
says 1 'It is tried there once it passes.' train --mine rms-norm
cp "$answers/10_rms_norm.cpp" my
says 0 '✓ the library'\''s gives the same in every step, to a millionth' train --mine rms-norm
says 0 '✓ yours is right in each' ch04 --mine rms-norm
grep -qE '^norm/eps-outside-root +0 ' out.txt || fail "the published mistakes are not beside it: $(cat out.txt)"

says 0 '✓ yours is right in each' ch06 --mine rope "$answers/14_rope.cpp"

# A convention passes, but is not the model's: its gain is 1, and means 2.
sed 's/\bgain\[0\]\[j\]/(1 + gain[0][j])/' "$answers/10_rms_norm.cpp" >plus_one.cpp
says 1 '✗ block 0, norm 1 differs first from the library' train --mine rms-norm plus_one.cpp
grep -qF 'That is by your convention, which is not the library'\''s. rms_norm and rms_norm_gradient: the gain is kept as its distance from 1.' out.txt ||
  fail "the convention is not said to be the cause: $(cat out.txt)"
sed '0,/\bgain\[0\]\[j\]/s//(1 + gain[0][j])/' "$answers/10_rms_norm.cpp" >plus_one_there.cpp
says 1 'rms_norm multiplies by 1 + gain, rms_norm_gradient multiplies by the gain: each is right by itself' train --mine rms-norm plus_one_there.cpp
