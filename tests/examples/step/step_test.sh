#!/usr/bin/env bash
# step from outside: the walk as text, errors, files, and, in tmux, a terminal that is drawn on and given back.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
build release step || exit 1
step=$root/build/release/bin/step
golden=$root/tests/examples/step
work=$(mktemp -d)
session=step_test_$$
trap 'tmux -L $session kill-server 2>/dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 1
unset NO_COLOR

fail() {
  echo "step_test: $1" >&2
  exit 1
}

# --- text: these files are what is printed; GRADUS_ACCEPT=1 writes them anew ---------------------------------------
# Where in a file an op stands is not compared.
no_lines() { sed -E 's/─+ (core.*)\.cpp:[0-9]+/─ \1.cpp:N/; s/\.cpp:[0-9]+/.cpp:N/; s/^ +[0-9]+ │/N │/' "$1"; }
same() { diff <(no_lines "$1") <(no_lines "$2"); }

same_text() {
  local file=$golden/$1
  shift
  "$step" "$@" >out.txt 2>err.txt </dev/null || fail "'$*' failed: $(cat err.txt)"
  [[ -z ${GRADUS_ACCEPT-} ]] || cp out.txt "$file"
  same "$file" out.txt || fail "'$*' prints another text than ${file#"$root"/}"
  grep -q $'\033' out.txt && fail "'$*' writes escape codes into a file"
  return 0
}
tanh=('tanh(w*x+b)^2' --w 0.5 --x 2 --b -0.7)
shared=('s = u+v; p = u*v; s + p + s*p' --u 2 --v 3)
same_text tanh.txt "${tanh[@]}"
same_text shared.txt "${shared[@]}" --naive
same_text broadcast.txt 'tanh(x @ w + b)' --x '[[1, 2], [3, 4]]' --w '[[0.5], [-0.25]]' --b 0.1 --ascii
grep -q 'dL/du = 25 ' "$golden/shared.txt" || fail "dy/du is not 25"
grep -q 'naive recursion: 29' "$golden/shared.txt" || fail "naive recursion does not give 29"
"$step" 'w*sign(x*2)' --w 2 --x 3 >out.txt || fail "sign fails"
grep -q 'dL/dx = nothing: cut by sign: it passes no gradient on' out.txt || fail "the text does not say that sign cuts"
grep -q 'mul .*← w, sign(x\*2)$' out.txt || fail "the constant has no name: $(cat out.txt)"
"$step" 'x*detach(x)' --x 3 | grep -q 'dL/dx = 3' || fail "detach passes a gradient on"
"$step" 'u^v' --u 0 --v 0 >out.txt || fail "0^0 fails"
grep -q '(L(v + h) − L(v − h)) / 2h = *−∞ .*✗' out.txt || fail "an infinite difference is right: $(grep 2h out.txt)"
LC_ALL=C grep -q '[^ -~]' "$golden/broadcast.txt" && fail "--ascii writes other characters"

# --- a chapter ------------------------------------------------------------------------------------------------------
"$step" --chapter ch04 >out.txt 2>err.txt </dev/null || fail "--chapter failed: $(cat err.txt)"
grep -qxF '  dL/dx = [0.384, −0.032, 0.768, −0.464]  ✓ naive recursion:' out.txt || fail "the walk of ch04 ends with $(tail -2 out.txt)"
"$step" --chapter 4 >/dev/null 2>err.txt && fail "chapter 4 is no name"
grep -q "a chapter is named by its number, as ch04" err.txt || fail "of chapter 4 it said: $(cat err.txt)"
"$step" --chapter ch77 >/dev/null 2>err.txt && fail "there is no chapter 77"
grep -qF 'there is no ch77; ./examples/run --list names the chapters' err.txt || fail "of chapter 77 it said: $(cat err.txt)"

# --- files ----------------------------------------------------------------------------------------------------------
"$step" "${shared[@]}" --naive --json walk.json >fresh.txt || fail "--json failed"
"$step" --trace walk.json >again.txt || fail "--trace failed"
diff <(grep -v 'finite\|(L(' fresh.txt) again.txt || fail "a saved trace is another walk"

sed 's/"name":"u"/"name":"u\\u001b[2J\\n"/' walk.json >hostile.json
"$step" --trace hostile.json | grep -q $'\e' && fail "a name of a trace drives the terminal"
"$step" --trace hostile.json | grep -qF 'u\x1b[2J' || fail "a strange name is not shown"
"$step" 'x*[1, -2/3]' --x '[1,-2]' --dtype f16 >out.txt || fail "a list beside f16"
if [[ -e /dev/full ]]; then
  "$step" "${shared[@]}" >/dev/full 2>err.txt && fail "a full disk is no success"
  grep -q 'step: the standard output could not be written: ' err.txt || fail "of a full disk it said: $(cat err.txt)"
  "$step" --help >/dev/full 2>err.txt && fail "a full disk is no success"
fi

"$step" "${shared[@]}" --html walk.html >&- 2>err.txt && fail "a closed standard output is no success"
"$step" "${shared[@]}" --html walk.html >/dev/null || fail "--html failed"
grep -q '<html' walk.html && grep -q 's + p + s\*p' walk.html || fail "--html writes no page of this walk"

# --- errors: exit code 2, and this text -----------------------------------------------------------------------------
expect() {
  local text=$1
  shift
  "$step" "$@" >out.txt 2>err.txt </dev/null
  local code=$?
  [[ $code == 2 ]] || fail "'$*' ended with $code, not 2"
  grep -qF -- "$text" err.txt || fail "'$*' said: $(cat err.txt)"
}
expect 'give an expression'
expect "did you mean 'tanh'?" 'tanhh(x)' --x 1
expect "'x' has no value; give it one, as in --x 0.5" 'x + 1'
expect "'--y' is neither a variable of the expression nor an option; did you mean '--x'?" 'x' --x 1 --y 2
expect '--x is given twice' 'x' --x 1 --x 2
expect '--x: the value is missing' 'x' --x
expect "--x: a number, a name, '(' or '[' was expected" 'x' --x '[1,'
expect "did you mean '--ascii'?" --asci 'x' --x 1
expect "besides 'x' there is 'y'" x y
expect 'no variable, so nothing to differentiate' '1 + 2'
expect 'the result has no gradient: none passes through argmax(x)' 'argmax(x)' --x '[1, 2]'
expect 'matmul: ' 'x @ x' --x '[[1, 2, 3]]'
expect '--text is an option of this program' 'text^2'
expect "none of f64, f32, f16" x --x 1 --dtype f8
expect 'a trace has no variables' --trace walk.json --x 1
expect 'give one of an expression' x --x 1 --trace walk.json
expect '--html: walk.json is the file of --json or --trace' --trace walk.json --html walk.json
expect '--html: both is the file of --json or --trace' x --x 1 --html both --json both
cp walk.json kept.json && ln -s walk.json link.json && ln -s . here
expect '--html: ./walk.json is the file of --json or --trace' --trace walk.json --html ./walk.json
expect '--html: link.json is the file of --json or --trace' --trace walk.json --html link.json
expect '--html: here/new is the file of --json or --trace' x --x 1 --html here/new --json new
expect '--json: link.json is the file of --trace' --trace walk.json --json link.json
cmp -s walk.json kept.json || fail "a trace was written over"
"$step" --trace nothing.json >out.txt 2>err.txt && fail "a missing trace is no error"
"$step" '-x^2' --x=3 --dtype f32 --text | grep -q 'dL/dx = −6' || fail "an expression that begins with - is not read"
"$step" 'x*h' --h 2 --x -1 | grep -q 'dL/dh = −1' || fail "a variable cannot be called h"
"$step" --help | grep -q 'naive' || fail "--help fails"

# --- a terminal -----------------------------------------------------------------------------------------------------
if ! command -v tmux >/dev/null; then
  echo "step_test: without tmux the interactive part is left out"
  exit 0
fi

mux() { tmux -L "$session" "$@"; }
screen() { mux capture-pane -p -t 0; }

# shows TEXT: the screen does, within half a minute.
shows() {
  for ((i = 0; i < 600; ++i)); do
    screen >screen.txt
    grep -qF -- "$1" screen.txt && return
    sleep 0.05
  done
  fail "the screen does not show '$1' but: $(cat screen.txt)"
}

mux -f /dev/null new-session -d -x 80 -y 24 'PS1="$ " bash --norc' || fail "tmux does not start"
mux send-keys 'stty -g >before.txt; '"$step 's = u+v; p = u*v; s + p + s*p' --u 2 --v 3; echo ended \$?" Enter
shows 'visit 0 of 7'
mux send-keys n n
shows 'visit 2 of 7'
mux send-keys d d
shows 'delivery 1 of 2'
screen >screen.txt
[[ -z ${GRADUS_ACCEPT-} ]] || cp screen.txt "$golden/screen.txt"
same "$golden/screen.txt" screen.txt || fail "the screen is another"
mux send-keys c 'name=u' Enter
shows '✗ naive 29'
mux send-keys w
shows 'Naive recursion: 15 arrivals, where the walk makes 7 visits'
mux send-keys w
mux send-keys p Left s
shows 'inside the rule of'
mux send-keys Escape
shows 'visit 5 of 7'
mux send-keys v
shows 'its gradient []'
mux resize-window -x 100 -y 30
mux send-keys q
shows 'dL/du = 25'
[[ $(screen | wc -l) == 30 ]] || fail "the screen is not redrawn in its new size"
mux resize-window -x 70 -y 20
shows 'make the terminal at least 80 × 24'
mux resize-window -x 80 -y 24
shows 'n/p visit'
mux send-keys C-z
shows 'Stopped'
mux send-keys 'stty -g >stopped.txt; fg; echo back $?' Enter
shows 'visit 5 of 7'
mux send-keys q
shows 'back 0'
mux send-keys 'clear; stty -g >after.txt; echo no""ted' Enter
shows 'noted'
diff before.txt after.txt || fail "q leaves the terminal changed"
diff before.txt stopped.txt || fail "Ctrl-Z leaves the terminal changed"

# ends SIGNAL CODE: however it ends, the terminal is as it was.
ends() {
  mux send-keys 'clear; '"$step x^2 --x 3; echo ended \$?; stty -g >after.txt; echo no''ted" Enter
  shows 'visit 0 of 2'
  if [[ $1 == C-c ]]; then mux send-keys C-c; else pkill "-$1" -P "$(mux display-message -p '#{pane_pid}')" step; fi
  shows "ended $2"
  shows noted
  diff before.txt after.txt || fail "$1 leaves the terminal changed"
}
ends C-c 130
ends TERM 143
ends QUIT 131
# The variable at the head is for that one run.
run() { mux send-keys "clear; $1 $step x^2 --x 3; echo ended" Enter; }
run NO_COLOR=1
shows 'visit 0 of 2'
mux capture-pane -p -e -t 0 | grep -q $'\033\[3[1-6]m' && fail "NO_COLOR is ignored"
mux send-keys q
shows ended
run TERM=dumb
shows 'finite differences'
run ''
shows 'visit 0 of 2'
mux capture-pane -p -e -t 0 | grep -q $'\033\[34m' || fail "a value has no colour"
mux send-keys q
shows ended
