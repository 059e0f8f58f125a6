#!/usr/bin/env bash
# The commit that a build writes down: the last one of the sources, "+" where they are changed; rewritten only if it is another.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../../support/setup.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
wrong() { echo "commit: $1" >&2; status=1; }

clone="$work/it's a clone"
in_clone() { git -C "$clone" -c user.name=x -c user.email=x@x.x "$@"; }
written() {
  cmake -D SOURCE="$work/commit.cpp" -D ROOT="$clone" -P "$root/examples/shared/experiment/Commit.cmake" || wrong "cmake ended with $?"
  sed -n 's/.*commit = "\(.*\)";/\1/p' "$work/commit.cpp"
}
expect() { local found; found=$(written); [[ $found == "$1" ]] || wrong "$2: '$found', not '$1'"; }

mkdir -p "$clone/nn" "$clone/docs"
expect unknown "no repository"
in_clone init -q
echo one >"$clone/nn/one.cpp"
in_clone add . && in_clone commit -q -m one
first=$(in_clone describe --always)
expect "$first" "a commit"
touch -d 2000-01-01 "$work/commit.cpp"
echo page >"$clone/docs/page.md"
in_clone add . && in_clone commit -q -m page
expect "$first" "a commit of pages alone"
[[ $(date -r "$work/commit.cpp" +%Y) == 2000 ]] || wrong "the same commit is written again, and all is linked anew"
echo two >"$clone/nn/one.cpp"
expect "$first+" "changed sources"
in_clone commit -q -a -m two
expect "$(in_clone describe --always)" "the next commit"
exit $status
