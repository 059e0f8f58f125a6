#!/usr/bin/env bash
# A training run that is killed at random moments and goes on each time ends with the bytes of one that was left alone: the
# checkpoint, the result line, the sample, the metrics and the configuration. KILLS=200 kills 200 times.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
build release train || exit 1
. "$root/tests/examples/train/disturbed.sh"
small=(--steps 120 --eval-every 20)

begun=${EPOCHREALTIME/./}
train_in whole "${small[@]}" || fail "the whole run failed: $(cat whole.errors)"
took=$((${EPOCHREALTIME/./} - begun))

# life_of DIR: the run begins or goes on, until it is killed or done; it gives its status.
life_of() {
  local victim status microseconds=$(((RANDOM * 32768 + RANDOM) % took))
  arguments_of "$1" "${small[@]}"
  "$train" "${arguments[@]}" >"$1.said" 2>"$1.errors" & victim=$!
  sleep "$(printf '%d.%06d' $((microseconds / 1000000)) $((microseconds % 1000000)))"
  kill -KILL $victim 2>/dev/null
  wait $victim 2>/dev/null
  status=$?
  ((status == 0 || status == 137)) || fail "after $kills kills, a run ended with $status: $(cat "$1.errors")"
  return $status
}

kills=0 runs=0
while ((kills < ${KILLS:-20})); do
  ((runs += 1))
  until life_of "run$runs"; do ((kills += 1)); done
  same_end "run$runs" "killed at random"
  rm -rf "run$runs"*
done
echo "$kills kills at random moments in $runs runs: all ended as if they had been left alone"
