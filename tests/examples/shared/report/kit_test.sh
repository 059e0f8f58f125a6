#!/usr/bin/env bash
# What every chapter's program does besides its subject: bad options, directories that cannot be written, full disks,
# interrupts, the question on a terminal. The cheapest chapter stands for all; options are asked of each.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/chapter.sh"
. "$root/tests/support/moments.sh"
set -m  # so that a program in the background hears Ctrl-C
chapter=kit
bin=$root/build/release/bin
programs=()
for folder in "$root"/examples/ch*/; do programs+=("$(basename "$folder")"); done
for program in "${programs[@]}"; do build release "$program" || exit 1; done
cheap=$bin/ch01_softmax
cd "$work" || exit 1

# expect STATUS TEXT COMMAND...: it ends with this status and says the text on stderr, in one line.
expect() {
  local code=$1 text=$2
  shift 2
  timeout 60 "$@" >out 2>err </dev/null
  local status=$?
  [[ $status == "$code" ]] || wrong "'${*##*/}' ended with $status, not $code: $(head -3 err)"
  grep -qF -- "$text" err || wrong "'${*##*/}' said: $(head -3 err)"
  [[ $(wc -l <err) == 1 ]] || wrong "'${*##*/}' said $(wc -l <err) lines: $(head -3 err)"
}

nothing_half_written() {  # DIRECTORY
  [[ -z $(find "$1" -name '*.tmp' 2>/dev/null) ]] || wrong "$2: it left $(ls "$1")"
}

# --- options ----------------------------------------------------------------------------------------------------------
for program in "${programs[@]}"; do
  expect 2 "unknown option '--sede'; did you mean '--seed'?" "$bin/$program" --sede 1 --out none
  expect 2 "did you mean '--out'?" "$bin/$program" --ouy=none
  expect 2 '--seed' "$bin/$program" --seed -1 --out none
  "$bin/$program" --help >out 2>err && [[ ! -s err ]] && grep -q -- '--full' out || wrong "$program --help fails"
  grep -q -- '--bug' out || continue
  expect 2 "did you mean '" "$bin/$program" --bug norm/sequence-axes --out none
  grep -q 'The known ones: .*, .*, ' err || wrong "$program does not list the known bugs: $(cat err)"
done
expect 2 "there is no 'norm/cancelation'; did you mean 'norm/cancellation'?" "$bin/ch04_norms" --bug norm/cancelation --out none
expect 2 "did you mean 'rope/layout-mixed'?" "$bin/ch06_relative" --bug rope/layout-mxed --out none
expect 2 "did you mean 'attn/mask-off-by-one'?" "$bin/ch07_attention" --bug attn/mask-of-by-one --out none
expect 2 "did you mean 'adam/correction-multiplied'?" "$bin/ch10_optimisation" --bug adam/correction-multiply --out none
expect 2 '--scale: a number from 1e-06 to 1000000, not 1e7' "$bin/ch04_norms" --scale 1e7 --out none
expect 2 '--scale: a number from' "$bin/ch04_norms" --scale nan --out none
expect 2 '--base: a number, at least 2, not 1' "$bin/ch05_absolute" --base 1 --out none
expect 2 '--c: a finite number, not inf' "$cheap" --c inf --out none
expect 2 "--c: 'ten' is not a number" "$cheap" --c ten --out none
expect 2 "--seed: '010' is not a whole decimal number" "$cheap" --seed 010 --out none
expect 2 "--seed: '0x10' is not a whole decimal number" "$cheap" --seed 0x10 --out none
expect 2 'is out of range, which ends at 18446744073709551615' "$cheap" --seed 18446744073709551616 --out none
expect 2 "'010' is not a whole decimal number" "$bin/ch03_feed_forward" --multiple 010 --out none
expect 2 "'0x10' is not a number" "$cheap" --c 0x10 --out none
[[ ! -e none ]] || wrong "a bad option makes a directory"

# --- the same seed, the same numbers ----------------------------------------------------------------------------------
same_but() {  # PATTERN A B: lines of the pattern apart, which tell of the machine
  diff <(grep -Ev "$1" "$2") <(grep -Ev "$1" "$3") >out ||
    wrong "$program: the same seed gives another $2: $(head -c 300 out)"
}
for program in ch00_tape ch01_softmax ch05_absolute ch10_optimisation; do
  name=${program%%_*}
  for run in one two; do
    "$bin/$program" --out "$run/$name" --seed 3 >out 2>err </dev/null || wrong "$program: $(cat err)"
  done
  same_but '_ms"|"(made|transcript)":' {one,two}/"$name/$name.json"
done
"$bin/ch05_absolute" --out three --seed 4 >out </dev/null
cmp -s one/ch05/ch05.json three/ch05.json && wrong "--seed is ignored"
expect 1 "--out: three/report.html is there already, and is not this program's" "$cheap" --out three
[[ ! -e three/ch01.json ]] || wrong "a chapter writes into the folder of another"

# --- where it cannot write: a message, status 1, and an older report as it was ----------------------------------------
numbers=old/ch01.json
ours='{"chapter": "ch01", "one_number": "", "numbers": {}}'
older() { rm -rf old; mkdir old; echo page >old/report.html; echo "$ours" >"$numbers"; }
still() {
  [[ $(cat old/report.html "$numbers" 2>&1) == $'page\n'$ours ]] || wrong "$1: the older report is lost"
  nothing_half_written old "$1"
}

echo text >file
expect 1 'ch01: --out: cannot write into file' "$cheap" --out file
expect 1 'ch01: --out: cannot write into file/below' "$cheap" --out file/below
[[ $(cat file) == text ]] || wrong "--out of a file changes it"
expect 1 'ch01: --out: cannot write into /proc/none' "$cheap" --out /proc/none
rm -rf theirs; mkdir theirs; echo theirs >theirs/report.html
expect 1 "--out: theirs/report.html is there already, and is not this program's" "$cheap" --out theirs
[[ $(cat theirs/*) == theirs ]] || wrong "somebody else's page is overwritten"
for text in theirs '{"grades": "ch01"}' '["chapter"]' '{"chapter": 1, "text": "mine"}'; do
  rm -rf theirs; mkdir theirs; echo "$text" >theirs/ch01.json
  expect 1 "--out: theirs/ch01.json is there already, and is not this program's" "$cheap" --out theirs
  [[ $(cat theirs/*) == "$text" ]] || wrong "somebody else's numbers are overwritten"
done
older
chmod a-w old
if ((EUID)); then expect 1 'Permission denied' "$cheap" --out old; still 'a read-only directory'; fi
chmod u+w old
rm -rf taken; mkdir -p taken/report.html; echo "$ours" >taken/ch01.json
expect 1 'not a regular file' "$cheap" --out taken
[[ $(cat taken/ch01.json) == "$ours" ]] || wrong "the numbers are written without the page"
nothing_half_written taken 'a directory in the way'
older
expect 1 'ch01: old/report.html' bash -c 'ulimit -f 16; exec "$0" --out old' "$cheap"  # the page is larger
still 'a full disk'
if mkdir -p tiny && mount -t tmpfs -o size=16k tmpfs tiny 2>/dev/null; then
  expect 1 'No space left on device' "$cheap" --out tiny
  [[ -z $(ls tiny) ]] || wrong "a full disk is left with $(ls tiny)"
  umount tiny
fi
older
expect 1 'the standard output could not be written: Bad file descriptor' bash -c '"$0" --out old >&-' "$cheap"
still 'a closed stdout'
[[ ! -e /dev/full ]] ||
  expect 1 'the standard output could not be written: No space left on device' bash -c '"$0" --out old >/dev/full' "$cheap"
still 'a full stdout'
expect 2 'the standard output could not be written: Bad file descriptor' bash -c '"$0" --help >&-' "$cheap"
expect 1 'the standard output could not be written: Broken pipe' \
  bash -c 'mkfifo pipe; exec 3<>pipe 4>pipe 3<&-; "$0" --out old >&4' "$cheap"
still 'a pipe that nobody reads'
bash -c '"$0" --nonsense 2>&-; [[ $? == 2 ]]' "$cheap" || wrong "a closed stderr is a crash"

# --- what the page holds ----------------------------------------------------------------------------------------------
"$cheap" --out "$(printf 'x\033[31m')" --seed 4 >out 2>err </dev/null || wrong "an escape code in --out: $(cat err)"
! grep -q $'\033' x*/report.html || wrong "an escape code of the command is in the page"
grep -q '"seed":4' x*/report.html || wrong "the page does not tell the seed"

# --- interrupts -------------------------------------------------------------------------------------------------------
# interrupted SIGNAL STATUS WORK PROGRAM: the signal comes when the program has computed for WORK hundredths of a second.
interrupted() {
  local numbers=old/${4%%_*}.json
  older
  "$bin/$4" --out old >out 2>err </dev/null &
  local pid=$!
  until_there catches $pid "$1"
  until_there computes $pid "$3"
  kill -s "$1" "$pid" 2>/dev/null || { wrong "$4 ended before it computed $3/100 s"; return; }
  wait "$pid"
  local status=$?
  [[ $status == "$2" ]] || wrong "SIG$1 after $3/100 s: status $status, not $2"
  grep -qx 'stopped: nothing was written' err || wrong "SIG$1 after $3/100 s: it said '$(cat err)'"
  still "SIG$1 after $3/100 s"
}
interrupted INT 130 0 ch09_encoder_decoder
interrupted TERM 143 0 ch09_encoder_decoder
interrupted INT 130 50 ch06_relative
interrupted TERM 143 50 ch06_relative

# --- on a terminal ----------------------------------------------------------------------------------------------------
command -v script >/dev/null || end_chapter
# on_terminal TEXT PROGRAM [OPTION...]: types the text when the question comes.
on_terminal() {
  local typed=$1
  shift
  { for _ in {1..600}; do sleep 0.1; grep -q '^> ' screen && break; done; printf '%b' "$typed"; sleep 0.5; } |
    script -qefc "$(printf '%q ' "$@")" /dev/null >screen 2>&1
  status_there=${PIPESTATUS[1]}
}
: >screen; on_terminal 'b\n' "$cheap" --out asked
[[ $status_there == 0 ]] && grep -q 'Right: b' screen || wrong "the right answer: $(tail -5 screen)"
grep -q '"answer": "b"' asked/ch01.json && grep -q '"answer":"b"' asked/report.html ||
  wrong "the answer is not kept"
: >screen; on_terminal '\xc3\xa9\nz\nA\n' "$cheap" --out asked   # not a letter of the answers, twice
grep -q 'A letter from a to c' screen && grep -q 'No, it is b' screen || wrong "a strange answer: $(tail -5 screen)"
grep -q '"answer": "a"' asked/ch01.json || wrong "after a strange answer the next is not kept"
: >screen; on_terminal '\n' "$cheap" --out asked
grep -q 'It is b' screen && ! grep -q '"answer"' asked/ch01.json || wrong "no answer: $(tail -5 screen)"
: >screen; on_terminal '\x04' "$cheap" --out asked
[[ $status_there == 0 ]] && grep -q 'It is b' screen || wrong "the end of the input at the question: $(tail -5 screen)"
older
: >screen; on_terminal '\x03' "$cheap" --out old   # Ctrl-C
[[ $status_there == 130 ]] || wrong "Ctrl-C at the question: status $status_there"
grep -q 'stopped: nothing was written' screen || wrong "Ctrl-C at the question: $(tail -3 screen)"
still 'Ctrl-C at the question'
script -qefc "$(printf '%q ' "$cheap" --out asked --yes)" /dev/null >screen 2>&1 </dev/null
! grep -q '^> ' screen && grep -q 'It is b' screen || wrong "--yes asks"
end_chapter
