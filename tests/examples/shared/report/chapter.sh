# Sourced by the tests of the chapters: runs one as a reader would and asks its numbers.
#
#   run_chapter ch01 --c 50                  its files are in $work/ch01; reports_test.sh looks at its page later
#   close    cliff.f32 88.72 0.01            |number - 88.72| <= 0.01
#   between  loss.final 0 0.5                0 <= number <= 0.5
#   end_chapter                              ends with 1 if anything was wrong
. "$(dirname "${BASH_SOURCE[0]}")/../../../support/setup.sh"
export OMP_NUM_THREADS=1  # these models are small: two threads would mostly wait for each other
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
reports=$root/build/reports
status=0

wrong() {
  echo "$chapter: $1" >&2
  status=1
}

run_chapter() {
  chapter=$1
  shift
  local program
  program=$(basename "$root/examples/$chapter"_*)
  build release "$program" && build release print_numbers || exit 1
  "$root/build/release/bin/$program" --out "$work/$chapter" "$@" >"$work/tour" 2>"$work/errors" </dev/null ||
    { wrong "ended with status $?: $(cat "$work/errors")"; exit 1; }
  [[ ! -s $work/errors ]] || wrong "wrote to stderr: $(head -3 "$work/errors")"
  [[ $(tail -1 "$work/tour") == "$chapter: "* ]] || wrong "the last line is not the one number: $(tail -1 "$work/tour")"
  ! grep -q $'\e' "$work/tour" || wrong "escape codes in what is no terminal"
  awk 'length($0) > 120 { exit 1 }' "$work/tour" || wrong "a line of the tour is too long"
  "$root/build/release/bin/print_numbers" "$work/$chapter/$chapter.json" >"$work/numbers" || wrong "no numbers"
  declare -gA numbers=()
  local path value
  while read -r path value; do numbers[$path]=$value; done <"$work/numbers"
  check_page
  (($#)) || check_results
  local options=$*
  mkdir -p "$reports" && cp "$work/$chapter/report.html" "$reports/$chapter${options//[^a-z0-9]/_}.html"
}

# The book quotes docs/made/results: what stands there has the names that the program writes now.
check_results() {
  local quoted=$root/docs/made/results/$chapter.json
  [[ ! -f $quoted ]] || diff <("$root/build/release/bin/print_numbers" "$quoted" | cut -d ' ' -f 1) <(cut -d ' ' -f 1 "$work/numbers") >&2 ||
    wrong "docs/made/results/$chapter.json has other numbers: docs/made/README.md says how it is made"
}

# The page holds the numbers, and asks for nothing. What is drawn of them, reports_test.sh looks at.
check_page() {
  local page=$work/$chapter/report.html
  for part in '<!doctype html>' 'id="data"' '</html>'; do
    grep -q "$part" "$page" || wrong "report.html has no $part"
  done
  ! grep -Eq '(src|href)="(https?:)?//' "$page" || wrong "report.html asks for something from outside"
}

number() { [[ -v numbers[$1] ]] && echo "${numbers[$1]}" || wrong "there is no number $1"; }

close() {
  awk -v x="$(number "$1")" -v y="$2" -v t="$3" 'BEGIN { d = x - y; exit !(x != "nan" && d <= t && -d <= t) }' ||
    wrong "$1 is $(number "$1"), not $2 ± $3"
}

between() {
  awk -v x="$(number "$1")" -v from="$2" -v to="$3" 'BEGIN { exit !(x != "nan" && x >= from && x <= to) }' ||
    wrong "$1 is $(number "$1"), not from $2 to $3"
}

same() { [[ $(number "$1") == "$2" ]] || wrong "$1 is $(number "$1"), not $2"; }

end_chapter() { exit $status; }
