#!/usr/bin/env bash
# train obeys Ctrl-C, SIGTERM and SIGHUP at every moment: it stops at once while it reads and builds, after the step while it
# trains, and in the middle of the last validation; a second signal ends it at once. Its status is 128 + the signal. A resumed
# run makes up for the validation.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
. "$root/tests/support/moments.sh"
build release train || exit 1
train=$root/build/release/bin/train
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

fail() {
  echo "signals_test: $1" >&2
  exit 1
}

# ended STATUS TEXT WHAT: the victim ends within 20 s, with this status, and has said TEXT; a failure names WHAT.
ended() {
  local status=0 since=$SECONDS
  wait "$victim" 2>/dev/null || status=$?
  ((status == $1)) || fail "$3: it ended with $status, not $1: $(cat err.txt)"
  ((SECONDS - since < 20)) || fail "$3: that took $((SECONDS - since)) s"
  [[ -z $2 ]] || grep -qF -- "$2" err.txt || fail "$3: it said $(cat err.txt)"
}

# Starts the victim with SIGHUP as by default: under nohup this test, and what it starts, would ignore it.
start() { env --default-signal=HUP "$train" "$@" >out.txt 2>err.txt & victim=$!; }

for i in $(seq 400); do echo "The quick brown fox jumps over the lazy dog $i times."; done >text.txt
small=(--data text.txt --context 16 --d-model 16 --layers 1 --heads 2 --batch 4 --warmup 0)

if [[ -r /proc/self/stat ]]; then
  truncate -s 1G long.txt
  start --data long.txt --out early
  until_there computes $victim 5
  kill -INT $victim
  ended 130 'stopped before the first step' 'Ctrl-C while it reads'

  start "${small[@]}" --layers 10000 --out early
  until_there computes $victim 100
  kill -TERM $victim
  ended 143 'stopped before the first step' 'SIGTERM while it builds'
  [[ ! -e early/checkpoint.safetensors ]] || fail "10,000 layers were built in a second"
fi

# A step of a million windows takes minutes: the first signal waits for its end, the second does not.
start "${small[@]}" --batch 1000000 --accumulate 100000 --steps 3 --out slow
until_there grep -q '"step":0,' slow/metrics.jsonl
kill -TERM $victim
until_there grep -q '^stopping after this step, and saving everything; Ctrl-C once more ends it at once' err.txt
kill -INT $victim
ended 130 'stopping after this step' 'a second signal'
! grep -q 'stopped after' err.txt || fail "the step was done after all: $(cat err.txt)"

# While it trains, each signal makes it save and stop; SIGHUP does, too, except under nohup, where it is ignored.
for signal in HUP:129 INT:130 TERM:143; do
  start "${small[@]}" --steps 100000 --out "run-${signal%:*}"
  until_there grep -q '"step":3,' "run-${signal%:*}/metrics.jsonl"
  kill -"${signal%:*}" $victim
  ended "${signal#*:}" "all is saved. To go on: ./examples/run train --resume run-${signal%:*}" "SIG${signal%:*} while it trains"
done
nohup "$train" "${small[@]}" --steps 400 --out nohup >out.txt 2>err.txt & victim=$!
until_there grep -q '"step":3,' nohup/metrics.jsonl
kill -HUP $victim
ended 0 '' 'SIGHUP under nohup'

# The last validation reads all of a long text. A signal breaks it off, and the resumed run makes up for it.
for i in $(seq 9); do cat text.txt text.txt >more.txt; mv more.txt text.txt; done
start "${small[@]}" --steps 2 --out validating
until_there grep -q '"step":2,"loss"' validating/metrics.jsonl
kill -TERM $victim
ended 143 'stopped after step 2; all is saved' 'SIGTERM while it validates'
! grep -q '^result' out.txt || fail "validated for $SECONDS s after all"
"$train" --resume validating >out.txt 2>err.txt || fail "cannot be resumed: $(cat err.txt)"
grep -q '^result steps=2 .*val_loss=' out.txt || fail "the resumed run left the validation out: $(cat out.txt)"
