#!/usr/bin/env bash
# The tutor from outside: its commands, what it never does to a student's files, and, in tmux, a terminal in which a file is saved.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
. "$root/tests/support/moments.sh"
build release exercises || exit 1
exercises=$root/build/release/bin/exercises
answer=$root/examples/exercises/answers/10_rms_norm.cpp
work=$(mktemp -d)
session=tutor_test_$$
trap 'tmux -L $session kill-server 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
export GRADUS_MY=$work/my GRADUS_ROOT=$work/project  # where nothing else is compiled meanwhile
mkdir project && ln -s "$root"/{core,nn,optim,examples} project
unset NO_COLOR

fail() {
  echo "tutor_test: $1" >&2
  exit 1
}

# says STATUS TEXT WORD...: with these words it ends with this status, and says TEXT.
says() {
  local wanted=$1 text=$2 status
  shift 2
  "$exercises" "$@" >out.txt 2>err.txt </dev/null
  status=$?
  ((status == wanted)) || fail "'$*' ended with $status, not $wanted: $(cat out.txt err.txt)"
  grep -qF -- "$text" out.txt err.txt || fail "'$*' said: $(cat out.txt err.txt)"
  ! grep -q $'\033' out.txt || fail "'$*' writes escape codes into a file"
}

# --- commands ---------------------------------------------------------------------------------------------------------
says 1 '.cpp is not there yet: ./examples/run exercises new '
says 0 'my/10_rms_norm.cpp: RMSNorm, and its gradient by hand' new rms-norm
for words in 'Do not write it' 'exercises check ID' 'exercises hint ID' 'the section of the book' '`// blank` and `// end`'; do
  grep -qF "$words" my/AGENTS.md || fail "AGENTS.md does not say '$words': $(cat my/AGENTS.md)"
done
(($(wc -l <my/AGENTS.md) < 25)) || fail "AGENTS.md is longer than anyone reads"
grep -q 'todo();' my/10_rms_norm.cpp && ! grep -q 'sqrt(squares' my/10_rms_norm.cpp || fail "the stub is: $(cat my/10_rms_norm.cpp)"
cp my/10_rms_norm.cpp stub.cpp
echo '// mine' >>my/10_rms_norm.cpp
cp my/10_rms_norm.cpp mine.cpp
echo mine >my/AGENTS.md
says 1 'is there already, and stays as it is' new 10
cmp -s my/10_rms_norm.cpp mine.cpp || fail "new wrote over a file"
says 1 'rms_norm is not written yet' check 10_rms_norm.cpp
says 1 'rms_norm is not written yet'
says 1 'rms_norm is not written yet' --plain
says 1 '░░░░'
says 1 'It is shown once yours has passed' solution rms-norm
says 0 '1 of 4' hint rms-norm
says 0 '2 of 4' hint rms_norm
says 0 '3 of 4' hint 10
says 0 '4 of 4' hint 10
says 0 '4 of 4' hint 10
says 0 '4 hints' list
says 0 'yours is kept as 10_rms_norm.cpp.1.' reset rms-norm
cmp -s my/10_rms_norm.cpp.1 mine.cpp && cmp -s my/10_rms_norm.cpp stub.cpp || fail "reset lost a file"
says 0 'yours is kept as 10_rms_norm.cpp.2.' reset rms-norm
cmp -s my/10_rms_norm.cpp.1 mine.cpp || fail "reset wrote over a kept file"
[[ $(cat my/AGENTS.md) == mine ]] || fail "AGENTS.md was written over"

# Another's file may be checked, and is not noted.
says 0 'It is not noted' check rms-norm "$answer"
says 1 'It is shown once yours has passed' solution rms-norm
sed 's/ + eps);/) + eps;/' "$answer" >wrong.cpp
says 1 'It is wrong on ' check rms-norm wrong.cpp
! grep -q 'eps-outside-root\|beside it\.' out.txt || fail "the mistake is named before it is asked about: $(cat out.txt)"
grep -qF 'What is it? ./examples/run exercises check rms-norm wrong.cpp --name' out.txt || fail "no way to the name: $(cat out.txt)"
says 1 'norm/eps-outside-root' check rms-norm wrong.cpp --name
grep -q '^? ' out.txt || fail "nothing is asked: $(cat out.txt)"
says 1 '"ids":["norm/eps-outside-root"]' check rms-norm wrong.cpp --json
says 0 '"status":"pass"' check rms-norm "$answer" --json
says 1 '"diagnosis":"does not compile"' check rms-norm "$root/LICENSE" --json
sed 's/x\[i\]\[j\] > 0 ? g/x[i][j] >= 0 ? g/' "$root/examples/exercises/answers/08_activations.cpp" >kink.cpp
says 0 '"ids":["act/leaky-kink"]' check activations kink.cpp --json
grep -qF '(the task asks for the slope from below)' out.txt || fail "a convention of a function before the last is lost: $(cat out.txt)"
(($(wc -l <out.txt) == 1)) || fail "JSON of several lines"
cp wrong.cpp my/10_rms_norm.cpp
says 1 'What is it?' check 10
says 1 'norm/eps-outside-root' check 10  # the same mistake again
cp "$answer" my/10_rms_norm.cpp
says 0 '✓ rms_norm_gradient: right' check ./my/10_rms_norm.cpp
grep -q 'most wrong answers lack it' out.txt || fail "what was hard is not said"
grep -q '^Next: 23 adamw' out.txt || fail "it does not go on by the path: $(cat out.txt)"
says 0 'const double r = std::sqrt' solution rms-norm
says 0 "$(date +%Y-%m-%d)" list
says 0 'On the path tape.cpp comes first: ./examples/run tape' list
says 0 '✓ 10 rms-norm' check all
says 0 'ends with 0 if all' --help

# Answers of the project as a student would hand them in, and what is given.
. "$root/tests/support/sample.sh"
for file in $(sample 1 "$root"/examples/exercises/answers/[0-9]*.cpp); do
  says 0 '✓ ' check "$file"
  GRADUS_MY=$work/given says 0 ' min). The section is docs/' new "$file"
  GRADUS_MY=$work/given says 1 'is not written yet' check "$(basename "$file")"
done

says 2 "there is no exercise 'rms-nrom'; did you mean 'rms-norm'?" check rms-nrom
says 2 "there is no command 'chek'; did you mean 'check'?" chek
says 2 "did you mean '--json'?" check --jsno
says 2 'of which exercise?' hint
says 2 'one word too many' new 10 10
says 2 'there is no such file' check 10 none.cpp
says 2 'this is no file' check 10 my
says 2 'only check writes JSON' list --json
says 2 'only check names mistakes' list --name
"$exercises" list >/dev/full 2>err.txt && fail "a full disk is no success"

# --- what is kept -----------------------------------------------------------------------------------------------------
cp my/.exercises.json kept.json
for broken in '{"exercises": {"rms-norm": 3}, "current": ""}' '' 'no JSON' '[]' '{"exercises":{},"current":""'; do
  printf %s "$broken" >my/.exercises.json
  rm -f my/.exercises.json.broken*
  says 0 'is kept as .exercises.json.broken' hint 10
  [[ $(cat my/.exercises.json.broken) == "$broken" ]] || fail "a broken state is lost: $(ls -a my)"
done
printf 'again' >my/.exercises.json
says 0 'is kept as .exercises.json.broken.1' hint 10
sed 's/"rms-norm"/"of-tomorrow"/' kept.json >my/.exercises.json
says 0 '1 of 4' hint 10
grep -q of-tomorrow my/.exercises.json || fail "an exercise that is not known is lost"
for i in 1 2 3 4 5 6 7 8; do "$exercises" hint 10 >/dev/null 2>>err.txt & done
"$exercises" check 10 >/dev/null
wait
grep -q '"rms_norm": 4' my/.exercises.json && grep -q "\"passed\": \"$(date +%Y)" my/.exercises.json && grep -q of-tomorrow my/.exercises.json ||
  fail "several at once lose something: $(cat my/.exercises.json err.txt)"
rm my/.exercises.json && mkdir my/.exercises.json
says 0 'so nothing is noted' hint 10
says 0 '✓ rms_norm' check 10
rmdir my/.exercises.json

# No folder, or one that cannot be written into. (For root, only /proc is such a folder.)
echo >file
GRADUS_MY=$work/file says 2 'file: this is no folder' new 10
GRADUS_MY=$work/file/in says 2 'file/in: this folder cannot be made: Not a directory' new 10
GRADUS_MY=/proc/none says 2 'this folder cannot be made' new 10
GRADUS_MY=/proc/self says 2 'cannot be made' new 10
if (($(id -u))); then
  mkdir locked && cp my/10_rms_norm.cpp locked && chmod a-w locked
  GRADUS_MY=$work/locked says 0 'not noted' check 10
  GRADUS_MY=$work/locked says 2 'cannot be renamed' reset 10
  cmp -s locked/10_rms_norm.cpp my/10_rms_norm.cpp || fail "a file in a folder that is not to be written into has changed"
fi
GRADUS_MY="$work/a folder's 'name" says 0 'RMSNorm' new 10
GRADUS_MY="$work/a folder's 'name" says 1 'not written yet' check 10
GRADUS_MY=$work/'quo"te' says 0 RMSNorm new 10
GRADUS_MY=$work/'quo"te' says 2 'no compiler includes a file' check 10
[[ -z $(ls project/build/exercises) ]] || fail "libraries are left: $(find project/build/exercises)"

# --- a terminal -------------------------------------------------------------------------------------------------------
if ! command -v tmux >/dev/null; then
  echo "tutor_test: without tmux the interactive part is left out"
  exit 0
fi

mux() { tmux -L "$session" "$@"; }
screen() { mux capture-pane -p -t 0; }

running() { pgrep -f -- "--apart $work"; }  # an answer that is being checked

# shows TEXT: the screen does, within half a minute.
shows() {
  local i
  for ((i = 0; i < 300; ++i)); do
    screen >screen.txt
    grep -q -- "$1" screen.txt && return
    sleep 0.1
  done
  fail "the screen does not show '$1' but: $(cat screen.txt)"
}

go_to_rms_norm() {  # the exercise that this test knows
  for ((i = 0; i < 40; ++i)); do
    screen | grep -q 'new/10_rms_norm.cpp' && break
    mux send-keys n
    sleep 0.2
  done
  shows 'new/10_rms_norm.cpp'
}

export GRADUS_MY=$work/new
mux -f /dev/null new-session -d -x 80 -y 24 'PS1="$ " bash --norc' || fail "tmux does not start"
mux send-keys "stty -g >before.txt; $exercises; echo ended \$?" Enter
shows 'is not written yet'
first=$(find new -name '*.cpp')
[[ $(wc -l <<<"$first") == 1 ]] || fail "it puts more than one file there: $first"
shows '0/'
go_to_rms_norm
[[ $first == *10_rms_norm.cpp ]] || { shows 'Enter puts it there'; mux send-keys Enter; }
shows 'rms_norm is not written yet'
mux send-keys s
shows 'is shown once yours has passed'
mux send-keys h
shows 'hint 1 of 4'
mux send-keys h
shows 'hint 2 of 4'
sed 's/ + eps);/) + eps;/' "$answer" >new/10_rms_norm.cpp
shows 'What is it?'
! grep -q 'eps-outside-root' screen.txt || fail "the mistake is named before it is asked about: $(cat screen.txt)"
mux send-keys w
shows 'norm/eps-outside-root'
sed 's/double sum = 0;/double sum = x.length_of_a_row();/' "$answer" >new/10_rms_norm.cpp
shows 'length_of_a_row[^(]'  # in the message, not only in the line of code
sed 's/double sum = 0;/double sum = 0/' "$answer" >new/other.cpp && mv new/other.cpp new/10_rms_norm.cpp
shows 'error: expected'
GRADUS_MY=$work/new "$exercises" </dev/null >/dev/null  # beside it
sed 's/double sum = 0;/double sum = 0; for (volatile int i = 0;; i = i + 1) {}/' "$answer" >endless.cpp
cp endless.cpp new/10_rms_norm.cpp
shows 'checking 10_rms_norm.cpp'
until_there running >/dev/null
endless=$(running | head -n 1)
goes_on() { running | grep -qx "$endless"; }
cp "$answer" new/10_rms_norm.cpp
SECONDS=0
while goes_on && ((SECONDS < 6)); do sleep 0.1; done  # after ten seconds it would end anyhow
! goes_on || fail "the check of what was saved before goes on"
shows '✓ rms_norm_gradient: right'
grep -qE '^exercises  1/' screen.txt || fail "the bar does not move: $(cat screen.txt)"
mux send-keys s
shows 'How the project writes it'
mux send-keys Escape
shows 'goes on to\|That was the last'
mux send-keys l
shows "rms-norm  *$(date +%Y-%m-%d)"
mux send-keys c
shows '^✓ .*✓ 10  rms-norm'
mux send-keys l x
shows 'y/n'
mux send-keys n
shows 'stays as it is'
cmp -s new/10_rms_norm.cpp "$answer" || fail "x did not wait for an answer"
mux send-keys x y
shows 'kept as 10_rms_norm.cpp.1'
cmp -s new/10_rms_norm.cpp.1 "$answer" || fail "x lost a file"
shows 'is not written yet'

# Sizes, a folder that vanishes, a second tutor, and the ends.
for size in '40 12' '20 5' '10 3' '4 2' '200 60' '80 24'; do
  mux resize-window -x "${size% *}" -y "${size#* }"
  sleep 0.4
done
shows 'rms_norm is not written yet'
mux split-window "GRADUS_MY=$work/new $exercises; echo \"second \$?\" >second.txt; sleep 100"
for ((i = 0; i < 200; ++i)); do [[ -s second.txt ]] && break; sleep 0.05; done
grep -q 'second 2' second.txt && mux capture-pane -p -t 1 | grep -q 'another tutor' || fail "a second tutor: $(cat second.txt; mux capture-pane -p -t 1)"
mux kill-pane -t 1
mv new away
shows 'is not there. Enter puts it there'
mux send-keys Enter
shows 'is not written yet'
grep -q '"passed": "2' new/.exercises.json || fail "what had passed is lost with the folder: $(cat new/.exercises.json)"
mux send-keys C-z
shows 'Stopped'
mux send-keys 'fg; echo back $?' Enter
shows 'is not written yet'
mux send-keys q
shows 'back 0'
mux send-keys 'clear; stty -g >after.txt; echo no""ted' Enter
shows 'noted'
diff before.txt after.txt || fail "q leaves the terminal changed"

# ends SIGNAL CODE: however it ends, the terminal is as it was, and no check goes on.
ends() {
  mux send-keys 'clear; '"$exercises; echo ended \$?; stty -g >after.txt; echo no''ted" Enter
  shows 'watching'
  go_to_rms_norm
  shows 'is not written yet'
  cp endless.cpp new/10_rms_norm.cpp
  shows 'checking 10_rms_norm.cpp'
  until_there running >/dev/null
  if [[ $1 == C-c ]]; then mux send-keys C-c; else pkill "-$1" -P "$(mux display-message -p '#{pane_pid}')" exercises; fi
  shows "ended $2"
  shows noted
  diff before.txt after.txt || fail "$1 leaves the terminal changed"
  sleep 0.2
  ! running >/dev/null || fail "$1 leaves an answer running"
  cp stub.cpp new/10_rms_norm.cpp
}
rm new/.exercises.json  # or it would go on with the exercise after this one
ends C-c 130
ends TERM 143
run() { mux send-keys "clear; $1 $exercises; echo en''ded" Enter; }
run NO_COLOR=1
shows 'watching'
mux capture-pane -p -e -t 0 | grep -q $'\033\[3[1-6]m' && fail "NO_COLOR is ignored"
mux send-keys q
shows ended
