#!/usr/bin/env bash
# The tutor at work, as docs/made/results/tutor.txt has it: screens of 80 by 24 from a terminal in which one exercise is done.
#   record_tutor.sh EXERCISES     prints them, each below a line "== what was done"
set -u
exercises=$(readlink -f "$1")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd -P)
answer=$root/examples/exercises/answers/10_rms_norm.cpp
work=$(mktemp -d)
session=record_tutor_$$
trap 'tmux -L $session kill-server 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
export GRADUS_MY=$work/my GRADUS_ROOT=$work/project LC_ALL=C.UTF-8 NO_COLOR=1
mkdir project && ln -s "$root"/{core,nn,optim,examples} project

mux() { tmux -L "$session" "$@"; }

# shows TEXT: the screen does, within a minute.
shows() {
  local i
  for ((i = 0; i < 1200; ++i)); do
    mux capture-pane -p -t 0 >screen.txt
    grep -q -- "$1" screen.txt && return
    sleep 0.05
  done
  echo "record_tutor: the screen does not show '$1' but: $(cat screen.txt)" >&2
  exit 1
}

# screen WHAT TEXT: what was done; and the screen, once it shows the text and stands still.
screen() {
  shows "$2"
  while sleep 0.3; mux capture-pane -p -t 0 >now.txt; ! cmp -s screen.txt now.txt; do mv now.txt screen.txt; done
  echo "== $1"
  cat screen.txt
}

"$exercises" new rms-norm >/dev/null
mux -f /dev/null new-session -d -x 80 -y 24 "$exercises" || exit 1
screen 'the exercise as it is given' 'is not written yet'
sed 's/ + eps);/) + eps;/' "$answer" >my/10_rms_norm.cpp
screen 'saved, with ε outside the root' 'Where does ε stand'
mux send-keys w
screen 'key w' 'norm/eps-outside-root'
mux send-keys h
screen 'key h' 'hint 1 of 4'
cp "$answer" my/10_rms_norm.cpp
screen 'saved, with ε below the root' 'rms_norm_gradient: right'
