#!/usr/bin/env bash
# tests/run and examples/run say what is wrong with what they are given, and do nothing then.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$root/tests/support/moments.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "scripts_test: $1" >&2
  exit 1
}

# expect TEXT COMMAND...: it ends with 2 and says this on the standard error, first of all.
expect() {
  local text=$1 status
  shift
  timeout 20 env "$@" >"$work/out" 2>"$work/err" </dev/null
  status=$?
  [[ $status == 2 ]] || { echo "'$*' ended with $status, not 2" >&2; exit 1; }
  [[ ! -s $work/out && $(head -n 2 "$work/err") == *"$text"* ]] || { echo "'$*' said: $(cat "$work/out" "$work/err")" >&2; exit 1; }
}

for program in tests/run examples/run; do
  for jobs in 0 -1 abc 1.5 99999; do
    expect "GRADUS_JOBS=$jobs: the number of compilers at a time is a whole number from 1" "GRADUS_JOBS=$jobs" "$root/$program"
  done
done
expect '-j 0: the number of compilers' "$root/tests/run" -j 0
expect '-jabc: the number of compilers' "$root/tests/run" -jabc
expect '-j : the number of compilers' "$root/tests/run" -j
expect "'--onyl' is no option of tests/run" "$root/tests/run" --onyl core
expect 'the value of the last option is missing' "$root/tests/run" --only
expect 'no file can be made in /nonexistent' TMPDIR=/nonexistent "$root/tests/run"
for preset in ../x nosuch base 'release debug'; do
  expect "GRADUS_PRESET=$preset: there is no such build preset; the presets are release" "GRADUS_PRESET=$preset" "$root/examples/run"
done
expect "There is no example 'trian'. Did you mean: train?" "$root/examples/run" trian
for path in nn/nrom nrom ./nrom; do
  expect "There is no test '${path#./}'. Did you mean: nn/norm?" "$root/tests/run" --only $path
done
for path in '' ../core nosuch nn/nosuch.cpp; do
  expect "There is no test '$path'" "$root/tests/run" --only "$path"
done
for name in '' ch14 ch004 nosuch ../x 'a b' '*' '\' "'" train.cpp; do
  expect "There is no example '$name'" "$root/examples/run" "$name"
done
for name in ch04 ch4 ch13 line train; do  # a chapter's number is enough: what is wrong here is the preset
  expect 'GRADUS_PRESET=x: there is no such build preset' GRADUS_PRESET=x "$root/examples/run" $name
done

# By a link, a link to a link, a shell that is not bash, and with options in the environment, they are what they are.
"$root/examples/run" --list >"$work/list" || exit 1
ln -s "$root/examples/run" "$work/link" && ln -s link "$work/second"
for call in "$work/link" "$work/second" "sh $root/examples/run" 'env SHELLOPTS=noglob:noclobber:errexit '"$root/examples/run"; do
  cmp -s "$work/list" <($call --list 2>&1) || fail "'$call --list' says: $($call --list 2>&1 | head -3)"
done
for script in tests/run docs/run tests/fuzz/run tests/mutation/run; do
  ln -s "$root/$script" "$work/script"
  for call in "$work/script" "sh $root/$script"; do
    cmp -s <("$root/$script" --help 2>&1) <($call --help 2>&1) || fail "'$call --help' says: $($call --help 2>&1 | head -3)"
  done
  rm "$work/script"
done

# How long a build may still take is told from what it did last: here 40 files of ten seconds, then 120 of one.
progress=$(
  unset SECONDS  # told by the lines
  read() { builtin read -r line && SECONDS=${line##* }; }
  for step in $(seq 160); do echo "[$step/400] after $((step <= 40 ? 10 * step : 360 + step))"; done |
    show_progress x 2>&1 >/dev/null | tail -n 1
)
[[ $progress =~ 'building x: '[0-9]+' of 400, about '[45]' min left' ]] || fail "the build says '$progress'"

# A build that failed shows what the compiler said, not how it was called.
printf '%s\n' '-- Configuring done' '[1/2] Building a.o' 'FAILED: b.o' 'g++ -c b.cpp' 'b.cpp:1: error: here' >"$work/log"
failed() { what_failed "$work/log" 2>&1 | head -n -1; }
[[ $(failed) == $'FAILED: b.o\nb.cpp:1: error: here' ]] || fail "what failed: $(failed)"
printf "$root/b.cpp:%s: error: here\n" {1..20} >"$work/log"
[[ $(failed | tail -n 2) == "$root/b.cpp:20: error: here"$'\n''The first error: b.cpp:1: error: here' ]] || fail "what failed: $(failed)"

# Sanitizers that there are not are no others.
for value in address nonsense 'thread;address' ''; do
  ! cmake -G Ninja -S "$root" -B "$work/build" "-DGRADUS_SANITIZE=$value" >"$work/out" 2>&1 &&
    grep -q "GRADUS_SANITIZE is '$value', not OFF, ON" "$work/out" || fail "GRADUS_SANITIZE=$value: $(tail -5 "$work/out")"
done

# A copy in a folder with spaces and an apostrophe builds as any other, here a program and a source with the headers that are
# compiled once; and Ctrl-C in a build is no obstacle to the next.
copy="$work/Anna's first copy"
mkdir "$copy"
tar -C "$root" --exclude=./build --exclude=./.git --exclude=node_modules -c . | tar -C "$copy" -x
build_in_copy() { (root=$copy && build release gradus_op_sources optim/CMakeFiles/gradus_optim.dir/Unity/unity_0_cxx.cxx.o) >"$work/out" 2>&1; }
set -m  # a job is a group of processes, which Ctrl-C reaches; one in the background may have been started to ignore it
env --default-signal=INT bash -c '"$0" line; echo and goes on' "$copy/examples/run" >"$work/out" 2>&1 &
set +m
until_there grep -q '^\[' "$copy/build/build-release.log"
until_there pgrep -f -- "-c $work" >/dev/null
kill -INT -- -$!
wait $!
[[ $? == 130 && $(tail -n 1 "$work/out") == 'Interrupted.'* ]] || fail "a build that was interrupted says: $(cat "$work/out")"
build_in_copy || { echo "after an interrupted build a copy in '$copy' does not build: $(cat "$work/out")" >&2; exit 1; }
expect "There is no example 'trian'. Did you mean: train?" "$copy/examples/run" trian

# A program of one's own is a file beside the script, in first/, or in a folder of its name.
mkdir "$copy/examples/mine"
for place in mine first/mine mine/mine; do
  echo '// mine: one of my own' >"$copy/examples/$place.cpp"
  "$copy/examples/run" --list | grep -q '^  mine  *one of my own$' || fail "examples/$place.cpp is not listed"
  expect 'GRADUS_PRESET=x: there is no such build preset' GRADUS_PRESET=x "$copy/examples/run" mine
  rm "$copy/examples/$place.cpp"
done
