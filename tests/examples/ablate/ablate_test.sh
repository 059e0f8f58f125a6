#!/usr/bin/env bash
# ablate as a user has it: killed and started again it ends with the same bytes, by any number of threads; what is finished
# is not done again; bad input writes nothing. Its page is left for reports_test.sh.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
. "$root/tests/support/moments.sh"
export OMP_WAIT_POLICY=passive
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
wrong() { echo "ablate: $1" >&2; status=1; }
build release ablate || exit 1
ablate=$root/build/release/bin/ablate
cd "$work" || exit 1

small=(--norm rms,layer --position rope,none --layers 1 --context 16 --steps 60 --seeds 3 --show curves,lengths,gradients)
run() {  # OUT [options]: it ends well
  local out=$1
  shift
  "$ablate" "${small[@]}" --out "$out" "$@" >"$out.said" 2>"$out.errors" </dev/null || wrong "$out: $(cat "$out.errors")"
  [[ ! -s $out.errors ]] || wrong "$out wrote to stderr: $(head -3 "$out.errors")"
}
results() { sed '/^ "made": {/,/^ }/d' "$1"; }  # all but how it was made
same_results() {  # A B
  local file
  for file in table.csv runs.csv ablation.json; do
    cmp -s <(results "$1/$file") <(results "$2/$file") || wrong "$2/$file is not $1's"
  done
}
lines() { cat "$1/cells.jsonl" 2>/dev/null | wc -l; }

# --- in one piece -----------------------------------------------------------------------------------------------------
run whole
[[ $(wc -l <whole/table.csv) == 5 && $(wc -l <whole/runs.csv) == 13 ]] || wrong "$(wc -l whole/*.csv)"
awk 'length($0) > 200 { exit 1 }' whole.said || wrong "long lines: $(cat whole.said)"
for name in 'rms, rope' 'rms, none' 'layer, rope' 'layer, none'; do
  grep -q "$name " whole.said || wrong "the table has no $name: $(cat whole.said)"
done
! grep -q $'\e' whole.said || wrong "escape codes in what is no terminal"
for part in '<!doctype html>' '"show":\["curves","lengths","gradients"\]' 'ablate --norm rms,layer'; do
  grep -q -- "$part" whole/report.html || wrong "report.html has no $part"
done
mkdir -p "$root/build/reports" && cp whole/report.html "$root/build/reports/ablate.html"

# --- killed again and again, each time when it has a few cells more ---------------------------------------------------
has_cells() { (($(lines killed) >= $1)); }
ready_to_be_killed() { has_cells $1 || ! kill -0 $victim; }
cells=0
for more in 0 1 1 2; do
  "$ablate" "${small[@]}" --out killed --threads 1 >/dev/null 2>&1 </dev/null & victim=$!
  until_there ready_to_be_killed $((cells + more))
  kill -KILL $victim 2>/dev/null || wrong "ended before it had $((cells + more)) cells"
  wait $victim 2>/dev/null
  has_cells $((cells + more)) || wrong "lost cells"
  cells=$(lines killed)
done
((cells < $(lines whole))) || wrong "was not killed in the middle, but with $cells cells"
run killed
grep -q "found [1-9]" killed.said || wrong "does not say what it found: $(cat killed.said)"
same_results whole killed
[[ $(lines killed) == $(lines whole) ]] || wrong "$(lines killed) cells, not $(lines whole): some twice?"

# --- finished: nothing is trained again; a torn last line is ---------------------------------------------------------
journal=$(md5sum <whole/cells.jsonl)
cp whole/table.csv first.csv
run whole
[[ $(md5sum <whole/cells.jsonl) == "$journal" ]] || wrong "a finished study trains again"
cmp -s first.csv whole/table.csv || wrong "a second run gives another table"
cp -r whole torn
truncate -s -40 torn/cells.jsonl
run torn
same_results whole torn
[[ $(lines torn) == $(lines whole) ]] || wrong "a torn line: $(lines torn) cells, not $(lines whole)"

# --- by another number of threads, with another seed, with more variants ---------------------------------------------
run alone --threads 1
same_results whole alone
run other --seed 1
! cmp -s whole/table.csv other/table.csv || wrong "--seed is ignored"
run torn --norm rms,layer,scale
(($(lines torn) > $(lines whole))) || wrong "a third norm adds nothing"
grep -F -x -q -f <(head -1 whole/cells.jsonl) torn/cells.jsonl || wrong "other options lose a cell"
grep -q "found $(lines whole) finished" torn.said || wrong "$(cat torn.said)"

# --- equal time: the ratio is measured once ---------------------------------------------------------------------------
run timed --equal time --sweep 0
cp -r timed again
rm again/*.csv again/*.json again/report.html
run again --equal time --sweep 0
same_results timed again
awk -F, '$2 == "\"rms" && $3 == " rope\"" && $9 != 1 { exit 1 }' timed/table.csv ||
  wrong "the baseline against itself: $(cat timed/table.csv)"
[[ $(cut -d, -f 9 timed/table.csv | sort -u | wc -l) -ge 3 ]] || wrong "no times: $(cat timed/table.csv)"

# --- what is refused is listed and not trained; one seed tells nothing ------------------------------------------------
run refused --norm rms,center-only --position rope --placement pre,deepnorm --seeds 1 --sweep 0
grep -q "not trained: center-only, deepnorm: .*scale" refused.said || wrong "$(cat refused.said)"
grep -q 'Fewer than three seeds are too few' refused.said || wrong "$(cat refused.said)"
[[ $(wc -l <refused/table.csv) == 4 ]] || wrong "$(cat refused/table.csv)"

# --- bad input: status 2, one line, nothing written -------------------------------------------------------------------
expect() {  # STATUS TEXT options
  local code=$1 text=$2
  shift 2
  timeout 20 "$ablate" "$@" >out 2>err </dev/null
  local ended=$?
  [[ $ended == "$code" ]] || wrong "'$*' ended with $ended: $(head -3 err)"
  grep -qF -- "$text" err || wrong "'$*' said: $(head -3 err)"
  [[ $(wc -l <err) == 1 ]] || wrong "'$*' said $(wc -l <err) lines"
}
expect 2 "there is no preset 'plcement'; did you mean 'placement'?" plcement --out none
expect 2 "unknown norm 'layr'; did you mean 'layer'?" --norm rms,layr --out none
expect 2 "did you mean '--norm'?" --nrom rms,layer --out none
expect 2 'the value is empty' --norm rms, --out none
expect 2 "is in the list twice" --norm rms,rms --out none
expect 2 'nothing is varied' --out none
expect 2 'the baseline' --norm center-only,rms --placement deepnorm --out none
expect 1 'data: nowhere.txt: no such file' norm --data nowhere.txt --out none
[[ ! -e none ]] || wrong "bad input makes a directory"
echo text >file
expect 1 '--out: cannot write into file/below' norm --out file/below
expect 1 '--out: cannot write into file' norm --out file
[[ $(cat file) == text ]] || wrong "--out of a file changes it"
"$ablate" --help >out 2>err && grep -q -- 'feed-forward  --feed-forward relu,' out && [[ ! -s err ]] ||
  wrong "--help: $(tail -5 out)"

mkdir theirs; echo theirs >theirs/table.csv
expect 1 "--out: theirs/table.csv is there already, but not the cells.jsonl that this program leaves with it" norm --out theirs
[[ $(cat theirs/*) == theirs ]] || wrong "somebody else's table is overwritten"
rm -rf theirs; mkdir theirs; echo '{"sweep": "mine"}' >theirs/ablation.json; cp whole/cells.jsonl theirs
expect 1 "--out: theirs/ablation.json is there already, and is not this program's" norm --out theirs
for way in '>&-' '>/dev/full'; do
  eval "\"\$ablate\" --help $way 2>err"
  [[ $? == 1 ]] && grep -q 'the standard output could not be written' err || wrong "--help $way: $(cat err)"
done

# --- a folder that another program, or another process, has by now -----------------------------------------------------
mkdir measured; echo page >measured/report.html; echo '{}' >measured/claims.json; cp whole/cells.jsonl measured
expect 1 "--out: measured/report.html is there already, but not the ablation.json that this program leaves with it" norm --out measured
"$ablate" "${small[@]}" --steps 3000 --out here >/dev/null 2>err </dev/null & stopped=$!
until_there test -s here/cells.jsonl
mv here elsewhere
run here --steps 5
cp here/table.csv first.csv
wait $stopped
[[ $? == 1 ]] && grep -q 'here/cells.jsonl: was moved, removed or replaced' err || wrong "a folder that was moved: $(cat err)"
cmp -s first.csv here/table.csv || wrong "a process writes into the folder of another"

# --- a signal ends it though nobody reads what it says -----------------------------------------------------------------
mkfifo unread
exec 8<>unread
dd if=/dev/zero of=unread bs=4096 oflag=nonblock 2>/dev/null
"$ablate" "${small[@]}" --steps 3000 --out stuck >/dev/null 2>&8 </dev/null & stopped=$!
until_there catches $stopped TERM
kill -TERM $stopped
wait $stopped
[[ $? == 143 ]] || wrong "with a standard error that is full, SIGTERM does not end it"
exec 8>&-

# --- Ctrl-C says how to go on -----------------------------------------------------------------------------------------
set -m
"$ablate" "${small[@]}" --steps 3000 --out stopped >/dev/null 2>err </dev/null & stopped=$!
until_there catches $stopped INT
kill -INT $stopped
wait $stopped
[[ $? == 130 ]] && grep -q 'the same command goes on' err || wrong "Ctrl-C: $(cat err)"
exit $status
