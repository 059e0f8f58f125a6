#!/usr/bin/env bash
# A run that is killed at a system call that changes its files, or finds the disk full or broken at that call, can be resumed,
# and ends with the bytes of one that was left alone; a call that fails is reported with its file and the reason. Tries kills
# and errors at four calls of a new run and four of a resumed one; with --full at every call, and at those of an ablation and of
# a chapter, too.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
strace -o /dev/null true 2>/dev/null || { echo "strace is missing, or may not trace here" >&2; exit 77; }
build release train || exit 1
. "$root/tests/examples/train/disturbed.sh"
. "$root/tests/support/sample.sh"
small=(--steps 4 --eval-every 2)
traced=openat,write,writev,pwrite64,fsync,fdatasync,rename,renameat,renameat2,unlink,unlinkat,close,ftruncate,mkdir,mkdirat

# record LOG: from now on train_in writes its calls there.
record() { tracer=("$(command -v strace)" -y -o "$1" -e "trace=$traced"); }
# disturb CALL N FAULT: from now on the Nth such call of train_in has this fault.
disturb() { tracer=("$(command -v strace)" -o /dev/null -e "trace=$1" -e "inject=$1:$3:when=$2"); }

# calls_in LOG: "CALL N" for each that changes a file in victim/ or the folder itself. What is written may name the folder: of a
# write only the file counts.
calls_in() {
  awk -F '[(,]' '{ ++n[$1] } ($1 ~ /write/ ? $2 : $0) ~ /victim[\/>"]/ &&
    ($1 != "openat" || /O_CREAT/) && ($1 != "close" || !/victim>/) { print $1, n[$1] }' "$1"
}

restore() {
  rm -rf victim
  [[ $1 == new ]] || cp -r "$1" victim
}

# ended_as FAULT STATUS FAILURE: a kill ended it with 137; an error with 0, or with FAILURE and one line that names file and
# reason.
ended_as() {
  local reason='No space left on device'
  [[ $1 == error=ENOSPC ]] || reason='Input/output error'
  case $1:$2 in
    signal=*:137 | error=*:0) ;;
    error=*:"$3") [[ $(wc -l <victim.errors) == 1 ]] && grep -q "victim.*$reason" victim.errors ;;
    *) false ;;
  esac
}

# try STATE CALL N FAULT: a run from this state is disturbed there; then it goes on by itself.
try() {
  local state=$1 what="$4 at $2 $3 of a run that was $1" status
  restore "$state"
  disturb "$2" "$3" "$4"
  train_in victim "${small[@]}"
  status=$?
  tracer=()
  ended_as "$4" $status 2 || fail "$what: it ended with $status: $(cat victim.errors)"
  [[ $state == new || -s victim/checkpoint.safetensors ]] || fail "$what: the checkpoint is gone"
  train_in victim "${small[@]}" || fail "$what: it cannot go on: $(cat victim.errors)"
  same_end victim "$what"
}

train_in whole "${small[@]}" || fail "the whole run failed: $(cat whole.errors)"
record new.log
train_in victim "${small[@]}" || fail "under strace the run failed: $(cat victim.errors)"
calls_in new.log >new.calls

# The run to be resumed: killed at the write of the third step's metrics.
restore new
disturb write "$(awk '/^write\(.*victim.metrics.jsonl.*step...3,/ { print n + 1; exit } /^write\(/ { ++n }' new.log)" signal=SIGKILL
train_in victim "${small[@]}"
[[ -s victim/checkpoint.safetensors && $(wc -l <victim/metrics.jsonl) == 3 ]] || fail "no run that is stopped in the middle"
mv victim resumed
restore resumed
record resumed.log
train_in victim || fail "under strace a resumed run failed: $(cat victim.errors)"
calls_in resumed.log >resumed.calls

# study_in FOLDER: an ablation, or a chapter, there.
study_in() { "${tracer[@]}" "$root/build/release/bin/${study[0]}" "${study[@]:1}" --out "$1" >"$1.said" 2>"$1.errors" </dev/null; }
# What it leaves, but for how it was made.
end_of_study() {
  (
    cd "$1" || exit
    ls
    sed '/^ "made": {/,/^ }/d' -- *.json*
    if [[ -e table.csv ]]; then cat ./*.csv; fi
  )
}

# try_study CALL N FAULT: as `try`, of a study from its beginning.
try_study() {
  local what="$3 at $1 $2 of ${study[0]}" status
  restore new
  disturb "$1" "$2" "$3"
  study_in victim
  status=$?
  tracer=()
  ended_as "$3" $status 1 || fail "$what: it ended with $status: $(cat victim.errors)"
  study_in victim || fail "$what: it cannot go on: $(cat victim.errors)"
  [[ $(end_of_study victim) == "$(end_of_study study)" ]] || fail "$what: it ends otherwise: $(diff <(end_of_study study) <(end_of_study victim))"
}

kills=0 faults=0
for state in new resumed; do
  mapfile -t calls <$state.calls
  while read -r call n; do
    try $state "$call" "$n" signal=SIGKILL
    ((kills += 1))
  done < <(sample 4 "${calls[@]}")
  while read -r call n; do
    for error in ENOSPC EIO; do
      try $state "$call" "$n" "error=$error"
      ((faults += 1))
    done
  done < <(sample 4 "${calls[@]}")
done
study=(ablate --norm rms,layer --position rope --layers 1 --context 16 --steps 5 --seeds 2 --sweep 0 --threads 1)
[[ ${GRADUS_FULL-} ]] && build release ablate && build release ch00_tape || study=()
while [[ ${study[*]} ]]; do
  rm -rf study victim
  study_in study || fail "${study[0]} failed: $(cat study.errors)"
  record study.log
  study_in victim
  calls_in study.log >"${study[0]}.calls"
  while read -r call n; do
    try_study "$call" "$n" signal=SIGKILL
    ((kills += 1))
    for error in ENOSPC EIO; do
      try_study "$call" "$n" "error=$error"
      ((faults += 1))
    done
  done <"${study[0]}.calls"
  [[ ${study[0]} == ablate ]] && study=(ch00_tape --yes) || study=()
done
echo "$kills kills and $faults full or broken disks, each at one of $(cat ./*.calls | wc -l) system calls"
