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

copy_to "$work/copy" && node "$root/tests/docs/checks.mjs" "$work/copy" || exit 1

# build_changed NAME SOURCE CHANGED: the program docs_NAME with CHANGED in the place of SOURCE, as $work/NAME.
build_changed() (
  name=$1
  build release "docs_$name" && cd "$root/build/release" || exit 1
  compile=$(ninja -t commands "docs_$name" | grep -F "/$name.cpp.o -c") || exit 1
  link=$(ninja -t commands "docs_$name" | tail -n 1)
  object=$(sed "s/.* -o \([^ ]*$name\.cpp\.o\) .*/\1/" <<<"$compile")
  compile=${compile//"$2"/"$3"}
  bash -c "${compile//"$object"/"$work/$name.o"}" || exit 1
  link=${link//"$object"/"$work/$name.o"}
  bash -c "${link//"-o bin/docs/$name"/"-o $work/$name"}"
)

# fails_with NAME WORDS: $work/NAME ends with an error that has these words.
fails_with() {
  if "$work/$1" >/dev/null 2>"$work/said"; then
    echo "$1: what is wrong was not noticed"
    exit 1
  fi
  grep -q "$2" "$work/said" || { cat "$work/said"; exit 1; }
}

# A line of a derivation that is wrong ends its program.
broken=$work/norm-rms.cpp
sed 's|delta(i, j) / r - x(i) \* x(j) / (n \* r \* r \* r)|delta(i, j) / r - x(i) * x(j) / (n * r * r)|' "$root/docs/examples/norm-rms.cpp" >"$broken"
! cmp -s "$root/docs/examples/norm-rms.cpp" "$broken" || { echo "nothing was broken in norm-rms.cpp"; exit 1; }
build_changed norm-rms "$root/docs/examples/norm-rms.cpp" "$broken" || exit 1
fails_with norm-rms 'norm-rms: line 6'

# So does a snippet of the path whose output is another.
sed -i '/^## act-softmax$/,/^## / s/^```text$/&\nno such line/' "$work/copy/docs/ch01.md"
node "$work/copy/docs/.vitepress/fences.mjs" "$work/fences.cpp" && build_changed fences "$root/build/release/docs/fences.cpp" "$work/fences.cpp" || exit 1
fails_with fences '^docs/ch01\.md, act-softmax, snippet 1: expected'
