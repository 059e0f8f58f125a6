#!/usr/bin/env bash
# The book's checks can fail: of each kind of thing one is removed or changed in a copy, and the check has to say so.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$root/tests/support/browser.sh"
need_book
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

copy_to() {
  local folder
  mkdir "$1"
  for folder in .github core nn optim examples tests docs; do
    (cd "$root" && find "$folder" -name node_modules -prune -o -path docs/.vitepress/dist -prune -o -path docs/.vitepress/cache -prune -o \
      -path docs/reference -prune -o -type f ! -path 'tests/fixtures/*' -print0 | xargs -0 cp --parents -t "$1") || return 1
  done
  cp "$root/README.md" "$root/LICENSE" "$1" && ln -s "$root/docs/node_modules" "$1/docs/node_modules"
}

# Half of the faults in each of two copies, at once.
copy_to "$work/0" && copy_to "$work/1" || exit 1
node "$root/tests/docs/checks.mjs" "$work/0" 0 2 & first=$!
node "$root/tests/docs/checks.mjs" "$work/1" 1 2 & second=$!
wait $first && first=0
wait $second && [[ $first == 0 ]] || exit 1

# A line of a derivation that is wrong ends its program.
build release docs_norm-rms || exit 1
compile=$(ninja -C "$root/build/release" -t commands docs_norm-rms | grep -F 'norm-rms.cpp.o -c') || exit 1
link=$(ninja -C "$root/build/release" -t commands docs_norm-rms | tail -n 1)
broken=$work/norm-rms.cpp
sed 's|delta(i, j) / r - x(i) \* x(j) / (n \* r \* r \* r)|delta(i, j) / r - x(i) * x(j) / (n * r * r)|' "$root/docs/examples/norm-rms.cpp" >"$broken"
! cmp -s "$root/docs/examples/norm-rms.cpp" "$broken" || { echo "nothing was broken in norm-rms.cpp"; exit 1; }
object=$(sed 's/.* -o \([^ ]*norm-rms\.cpp\.o\) .*/\1/' <<<"$compile")
cd "$root/build/release" || exit 1
compile=${compile//$root\/docs\/examples\/norm-rms.cpp/$broken}
bash -c "${compile//$object/$work/norm-rms.o}" || exit 1
link=${link//$object/$work/norm-rms.o}
bash -c "${link//-o bin\/docs\/norm-rms/-o $work/norm-rms}" || exit 1
if "$work/norm-rms" >/dev/null 2>"$work/said"; then
  echo "a wrong line 6 of norm-rms was not noticed"
  exit 1
fi
grep -q 'norm-rms: line 6' "$work/said" || { cat "$work/said"; exit 1; }
