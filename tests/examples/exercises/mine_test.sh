#!/usr/bin/env bash
# examples/run with --mine, and exercises mine: what a student's file does, in a chapter and in a GPT, and what is said of one that cannot
# go there.
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

says 0 'mine all makes a GPT of all that has' train --mine
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
says 0 'your RMSNorm' train --mine rms-norm
says 0 '✓ yours is right in each' ch04 --mine rms-norm
grep -qE '^norm/eps-outside-root +0 ' out.txt || fail "the published mistakes are not beside it: $(cat out.txt)"

says 0 '✓ yours is right in each' ch06 --mine rope "$answers/14_rope.cpp"

# A GPT of all that passes now: what has not passed, no longer passes, is by another convention, or crashes, is said and left out.
says 0 '1 of 28 parts are yours: 1 of the 20 of this GPT, 0 of other models.' exercises mine all
grep -qF '✓ the same in every step, to a millionth' out.txt || fail "the GPT is not as the library's: $(cat out.txt)"
cp "$answers/23_adamw.cpp" "$answers/22_lstm_step.cpp" my
says 0 '✓ lstm-step            not in a GPT: the language models before attention' exercises mine all
grep -qF '3 of 28 parts are yours: 2 of the 20 of this GPT, 1 of other models.' out.txt || fail "they are not counted: $(cat out.txt)"
rm my/2[23]*
"$root/examples/run" exercises check rms-norm >/dev/null
sed -i 's/\bgain\[0\]\[j\]/(1 + gain[0][j])/' my/10_rms_norm.cpp  # its gain is 1, and means 2
says 1 'by itself it differs from the library'\''s: block 1, norm 1.' exercises mine all
grep -qF 'convention' out.txt || fail "the convention is not said to be the cause: $(cat out.txt)"
sed 's/ + eps);/) + eps;/' "$answers/10_rms_norm.cpp" >my/10_rms_norm.cpp
says 1 'it passed before, and does not now' exercises mine all
sed '0,/\bgain\[0\]\[j\]/s//(1 + gain[0][j])/' "$answers/10_rms_norm.cpp" >plus_one_there.cpp
says 1 'rms_norm multiplies by 1 + gain, rms_norm_gradient multiplies by the gain: each is right by itself' train --mine rms-norm plus_one_there.cpp
