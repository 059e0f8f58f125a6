#!/usr/bin/env bash
# kills.sh [TIMES]: kills a rank of a small training, each time another one at another moment. The job ends within seconds and names
# the rank; its checkpoint is whole; and with another number of ranks it goes on to the bytes of a run that nobody disturbed.
# Prints a line for each kill, and what they come to. Called by ranks_test.sh, which builds `train`.
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
train=$root/build/release/bin/train
times=${1:-50}
export OMP_NUM_THREADS=1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

fail() {
  echo "kills: $1" >&2
  exit 1
}

run=(--d-model 16 --layers 2 --heads 2 --context 16 --batch 16 --accumulate 8 --dropout 0.1 --steps 80 --eval-every 4 --sample-chars 0 --quiet)
"$train" "${run[@]}" --out undisturbed >/dev/null || fail "one rank does not train"

now() { date +%s%3N; }  # in milliseconds

# goes_on RANKS: does the run, killed as it was, come to the bytes of the one that was not disturbed?
goes_on() {
  "$train" --resume killed --ranks "$1" --rank-threads --quiet >/dev/null 2>err.txt || fail "after a kill the run does not go on: $(cat err.txt)"
  cmp -s undisturbed/checkpoint.safetensors killed/checkpoint.safetensors || fail "after a kill the run comes to other bytes"
}

# kill_once RANKS MILLISECONDS: of so many ranks a random one, so long after the start. Status 1 if the job ended before.
kill_once() {
  local job victims victim killed ended steps
  rm -rf killed
  "$train" "${run[@]}" --ranks "$1" --out killed >out.txt 2>&1 &
  job=$!  # which becomes mpirun
  sleep "$(($2 / 1000)).$(printf %03d $(($2 % 1000)))"
  mapfile -t victims < <(pgrep -P $job -x train)
  victim=${victims[RANDOM % (${#victims[@]} + !${#victims[@]})]-}
  killed=$(now)
  [[ $victim ]] && kill -9 "$victim" 2>/dev/null || { wait $job; return 1; }
  wait $job && return 1
  ended=$(($(now) - killed))
  grep -qE 'rank [0-9]+ .* exited on signal 9' out.txt || fail "of a killed rank it says: $(cat out.txt)"
  ((ended < 20000)) || fail "the job ended $ended ms after a rank was killed"
  steps=none
  if [[ -f killed/checkpoint.safetensors ]]; then
    steps=$(grep -c '"loss"' killed/metrics.jsonl)
    goes_on $(($1 == 2 ? 4 : 2))
    ((++whole))
  fi
  times_to_end+=("$ended")
  printf '%d ranks, %s, killed after %4d ms: ended in %4d ms, steps begun %s\n' "$1" "$(grep -oE 'rank [0-9]+' out.txt | tail -n 1)" "$2" "$ended" "$steps"
}

whole=0 times_to_end=()
begun=$(now)
"$train" "${run[@]}" --ranks 4 --out timed >/dev/null 2>&1 || fail "four ranks do not train"
most=$(($(now) - begun))
cmp -s undisturbed/checkpoint.safetensors timed/checkpoint.safetensors || fail "four ranks come to other bytes than one"
RANDOM=${GRADUS_SEED:-$$}
until ((${#times_to_end[@]} == times)); do kill_once $((RANDOM % 2 ? 2 : 4)) $((RANDOM * most / 32768)); done
mapfile -t sorted < <(printf '%s\n' "${times_to_end[@]}" | sort -n)
echo "$times kills: the job ended in ${sorted[0]} to ${sorted[-1]} ms, half of them within ${sorted[times / 2]} ms;" \
  "$whole left a checkpoint, and all of these went on to the same bytes"
