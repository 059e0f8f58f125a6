#!/usr/bin/env bash
# How long the tutor takes, for each exercise: from the moment at which the right answer is saved in place of the stub until the
# terminal shows that it has passed; seconds, the least and the greatest of three times.
#   save_to_answer.sh EXERCISES [ID...]
set -u
exercises=$(readlink -f "$1")
shift
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd -P)
work=$(mktemp -d)
session=save_to_answer_$$
trap 'tmux -L $session kill-server 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
export GRADUS_MY=$work/my GRADUS_ROOT=$work/project LC_ALL=C.UTF-8 NO_COLOR=1
mkdir project && ln -s "$root"/{core,nn,optim,examples} project

# shows TEXT: waits for it, a minute at most.
shows() {
  local end=$((SECONDS + 60))
  until tmux -L "$session" capture-pane -p -t 0 | grep -q -- "$1"; do
    ((SECONDS < end)) || { echo "$name does not come to '$1'" >&2; exit 1; }
  done
}

# once FILE ANSWER STUB: seconds.
once() {
  local begun=$EPOCHREALTIME
  cp "$2" "$1"
  shows '^s shows how'
  local ended=$EPOCHREALTIME
  cp "$3" "$1"
  shows 'is not written yet'
  echo "$begun $ended" | awk '{ printf "%.2f\n", $2 - $1 }'
}

for answer in "$root"/examples/exercises/answers/[0-9]*.cpp; do
  name=$(basename "$answer")
  id=${name#*_} id=${id%.cpp} id=${id//_/-}
  (($# == 0)) || [[ " $* " == *" $id "* ]] || continue
  "$exercises" new "$id" >/dev/null || exit 1
  cp "my/$name" stub.cpp
  tmux -L "$session" -f /dev/null new-session -d -x 100 -y 80 "$exercises" || exit 1
  shows 'is not written yet'
  times=$(for _ in 1 2 3; do once "my/$name" "$answer" stub.cpp; done | sort -n) || exit 1
  printf '%-22s %s  %s\n' "$id" "$(head -n 1 <<<"$times")" "$(tail -n 1 <<<"$times")"
  tmux -L "$session" kill-server
  rm -rf my
done
