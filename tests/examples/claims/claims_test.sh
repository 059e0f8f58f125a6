#!/usr/bin/env bash
# claims: verdicts in the terminal, JSON and a page; stopped and resumed it says the same, as on one thread; bad names change nothing.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
. "$root/tests/support/moments.sh"
export OMP_WAIT_POLICY=passive
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
build release claims || exit 1
claims=$root/build/release/bin/claims
status=0
wrong() { echo "claims: $1" >&2; status=1; }

# All but how it was made.
results() { sed '/^ "made": {/,/^ }/d' "$1"; }
same_results() { cmp -s <(results "$1") <(results "$2") || wrong "$3"; }

some=(stable-softmax rms-equals-or-beats-layer erratum-1)
"$claims" "${some[@]}" --out whole >told || wrong "ended with $?"
for line in 'claim stable-softmax: confirmed' 'erratum 1: refuted' 'claim rms-equals-or-beats-layer: '; do
  grep -q "^$line" told || wrong "did not tell '$line'"
done
awk 'length($0) > 110 { exit 1 }' told || wrong "a line is too long"
grep -q '"commit": "' whole/some.json || wrong "some.json does not name the commit"
for part in '<!doctype html>' '"id":"claim-stable-softmax"' '"id":"erratum-1"' '"quote":' '</html>'; do
  grep -q "$part" whole/some.html || wrong "the page has no $part"
done
mkdir -p "$root/build/reports" && cp whole/some.html "$root/build/reports/claims.html"

# Again, on one thread: the same.
OMP_NUM_THREADS=1 "$claims" "${some[@]}" --out one >/dev/null || wrong "ended with $?"
same_results whole/some.json one/some.json "one thread says something else"

# Killed in the middle, its last line torn, resumed: the same, and what was known is not measured again.
"$claims" "${some[@]}" --out stopped >/dev/null 2>&1 & stopped=$!
has_numbers() { [[ $(wc -l <stopped/cells.jsonl) -ge 8 ]]; }
until_there has_numbers
kill -KILL $stopped
wait $stopped 2>/dev/null
[[ ! -e stopped/some.json ]] || wrong "was not stopped in the middle"
kept=$(wc -l <stopped/cells.jsonl)
printf '{"program":"' >>stopped/cells.jsonl
"$claims" "${some[@]}" --out stopped >told || wrong "ended with $?"
grep -q "^$kept numbers were measured before" told || wrong "did not keep $kept numbers: $(head -1 told)"
same_results whole/some.json stopped/some.json "resumed, it says something else"

# What cannot be said is an error.
for way in '>&-' '>/dev/full'; do
  for option in --list --help; do
    eval "\"\$claims\" $option $way 2>errors"
    [[ $? == 1 ]] && grep -q 'the standard output could not be written' errors || wrong "$option $way: $(cat errors)"
  done
done

# Ctrl-C says that it can go on. Another build's numbers do not count, unless they are wanted.
"$claims" "${some[@]}" --out asked >/dev/null 2>errors & stopped=$!
until_there catches $stopped TERM
kill -TERM $stopped
wait $stopped
[[ $? == 143 ]] || wrong "SIGTERM did not end it with 143"
grep -q 'what was measured is kept' errors || wrong "$(cat errors)"
sed -i 's/"program":"[0-9a-f]*"/"program":"another"/' whole/cells.jsonl
"$claims" stable-softmax --out whole --keep >told
grep -q 'were measured before and are kept' told || wrong "--keep did not keep"
"$claims" stable-softmax --out whole >told
grep -q 'of another build of this program are measured again' told || wrong "kept another build's numbers"
[[ -e whole/some.json && -e whole/stable-softmax.json ]] || wrong "one claim's file took the place of another's"

# Into a file of results: what is not measured now stays, with its commit; of changed sources nothing goes in.
commits() { grep -o '"id": *"[^"]*"\|"commit": *"[^"]*"' "$1" | tr -d ' ' | uniq | tr '\n' ' '; }
sources=$(sed -n 's/^.*= "\(.*\)";$/\1/p' "$root/build/release/examples/commit.cpp")
"$claims" stable-softmax erratum-1 --out before >/dev/null || wrong "ended with $?"
grep -q "\"commit\": \"$sources\"" before/some.json || wrong "some.json does not name the commit of the build, $sources"
sed 's/"commit": "[^"]*"/"commit": "1ba4faa"/' before/some.json >results.json
cp results.json kept.json
"$claims" erratum-1 --out after --into results.json >told 2>errors
refused=$?
if [[ $sources == *+ || $sources == unknown ]]; then
  [[ $refused == 2 ]] && grep -q 'commit first' errors && cmp -s results.json kept.json || wrong "took numbers of changed sources: $(cat told errors)"
else
  [[ $(commits results.json) == *'"id":"claim-stable-softmax" "commit":"1ba4faa" "id":"erratum-1" "commit":"'"$sources"'" ' ]] ||
    wrong "the merge has $(commits results.json)"
  cp results.json kept.json
  sed -i 's/"commit":"[^"]*"/"commit":"1ba4faa+"/' after/cells.jsonl
  "$claims" erratum-1 --out after --into results.json >told 2>errors
  [[ $? == 2 ]] && grep -q 'commit first' errors && cmp -s results.json kept.json || wrong "took numbers of changed sources: $(cat told errors)"
fi

# Bad input: 2, the nearest name, and nothing written.
expect() {
  local status_wanted=$1 text=$2
  shift 2
  "$claims" "$@" --out nothing >told 2>errors
  [[ $? == "$status_wanted" ]] || wrong "$* did not end with $status_wanted"
  grep -qF -- "$text" errors || wrong "$*: said '$(cat errors)', not '$text'"
  [[ ! -e nothing ]] || wrong "$* wrote something"
}
expect 2 "did you mean 'stable-softmax'?" stabel-softmax
expect 2 "--full" --ful
expect 2 "--seed" --seed -1
expect 2 "--only" stable-softmax --full --only short
expect 2 "--full" stable-softmax --only long
touch file
"$claims" stable-softmax --out file 2>errors >/dev/null && wrong "wrote into a file"
grep -q 'cannot write into file' errors || wrong "$(cat errors)"
"$claims" --list >told
grep -q '^stable-softmax$' told || wrong "--list does not name it"
exit $status
