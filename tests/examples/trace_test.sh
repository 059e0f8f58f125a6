#!/usr/bin/env bash
# GRADUS_TRACE: any example writes one of its backward walks down, and does not notice.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
build release ch00_tape || exit 1
program=$root/build/release/bin/ch00_tape
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
status=0

expect() {  # expect WHAT ACTUAL EXPECTED
  [[ $2 == "$3" ]] || { printf '%s:\n%s\ninstead of\n%s\n' "$1" "$2" "$3"; status=1; }
}

"$program" >plain 2>errors
expect "without the variable" "$(cat errors)" ""

GRADUS_TRACE=walk.json "$program" >traced 2>errors
expect "the program's output" "$(cat traced)" "$(cat plain)"
expect "what is said" "$(cat errors)" "GRADUS_TRACE: wrote walk.json: 5 tensors, 5 visits"
grep -q '^{"tensor":1,"gradient":{"all":\[2.5838531634528' walk.json || { echo "dy/da is 3 + cos 2"; status=1; }

GRADUS_TRACE=walk.json GRADUS_TRACE_WALK=2 "$program" >/dev/null 2>&1
grep -q '^{"tensor":152,"gradient":{"all":\[0.5403023058681398\]' walk.json || { echo "cos 1 is the second walk's"; status=1; }
GRADUS_TRACE=walk.json GRADUS_TRACE_WALK=999999 "$program" >/dev/null 2>errors
grep -q 'GRADUS_TRACE: the program ended [0-9]* walks too early' errors || { cat errors; status=1; }
GRADUS_TRACE=walk.json GRADUS_TRACE_WALK=two "$program" 2>&1 >/dev/null |
  [[ $(grep -c '^GRADUS_TRACE_WALK=two: a positive number was expected; 1 is taken$') == 1 ]] || { echo "a walk named 'two'"; status=1; }

GRADUS_TRACE=none/walk.json "$program" >traced 2>errors
expect "its status when the file cannot be written" $? 0
expect "its output then" "$(cat traced)" "$(cat plain)"
grep -q '^GRADUS_TRACE: .*none' errors || { cat errors; status=1; }

GRADUS_TRACE=/dev/stdout "$program" >traced 2>errors
expect "its output when the trace is to replace it" "$(cat traced)" "$(cat plain)"
grep -q 'GRADUS_TRACE: /dev/stdout: the standard output goes into this file' errors || { cat errors; status=1; }
GRADUS_TRACE=/dev/stderr "$program" 2>errors >traced
grep -q 'GRADUS_TRACE: /dev/stderr: the standard error goes into this file' errors || { cat errors; status=1; }
GRADUS_TRACE=/dev/stdout "$program" 2>errors | cat >traced
grep -q 'GRADUS_TRACE: /dev/stdout: not a regular file' errors || { cat errors; status=1; }

for walk in 1 two 999999; do
  GRADUS_TRACE=walk.json GRADUS_TRACE_WALK=$walk "$program" >traced 2>/dev/full
  expect "its status when walk $walk cannot be told" $? 0
  expect "its output then" "$(cat traced)" "$(cat plain)"
done

GRADUS_TRACE=walk.html "$program" >/dev/null 2>&1
expect "a page" "$(head -c 15 walk.html)" "<!doctype html>"
exit $status
