#!/usr/bin/env bash
# docs/run says beforehand how long it takes, by what is missing, and shows how far it is: in a tree where ninja, npm and VitePress
# are others, which take no time.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$root/tests/support/browser.sh"
need_node
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/tree
mkdir -p "$tree"/{docs/.vitepress,tests/support,core,nn,optim,examples,build/docs} "$work/bin"
cp "$root/docs/run" "$tree/docs/" && cp "$root/tests/support/setup.sh" "$tree/tests/support/"
echo '{}' >"$tree/docs/package.json"

program() { printf '#!/bin/bash\n%s\n' "$2" >"$work/bin/$1" && chmod +x "$work/bin/$1"; }
program clang++-22 ''
program cmake 'mkdir -p "${!#}" && touch "${!#}/build.ninja"'
program ninja '[[ $* != *"-t commands"* && ! -f public/library/version ]] || exit 0
  printf "[%s/3] Building\n" 1 2 3; mkdir -p public/library && touch public/library/version'
program npm 'mkdir -p node_modules/{@esbuild/linux-x64/bin,@yowasp/clang}; echo "{}" >node_modules/@yowasp/clang/package.json
  ((${NO_ESBUILD:-0})) || touch node_modules/@esbuild/linux-x64/bin/esbuild'
program node "[[ \$* != *compiler.mjs* ]] || exec mkdir -p public/compiler
  [[ \$* == *vitepress.js* ]] || exec $(command -v node) \"\$@\"
  printf '[%s/5] page\n' 1 2 3 4 5; mkdir -p .vitepress/dist"

# said [ASSIGNMENT...]: what ./docs/run --build says.
said() { env -u GRADUS_WIDGETS PATH="$work/bin:$PATH" TERM=dumb GRADUS_JOBS=2 "$@" "$tree/docs/run" --build 2>&1; }

expect() {
  local what=$1 text=$2
  shift 2
  for line; do
    grep -qE "$line" <<<"$text" || { echo "$what: nothing says '$line' in:"; echo "$text"; exit 1; }
  done
}

first=$(said NO_ESBUILD=1) && { echo "without a part of npm's packages it goes on"; exit 1; }
expect "a part of npm's packages is missing" "$first" "could not be installed"
first=$(said) || { echo "$first"; exit 1; }
expect "the first time" "$first" "built first \(npm's packages, the library for the page, the pages\): about 7 min" \
  'building the library for the page: [1-3] of 3' 'building its pages: [1-5] of 5'
[[ $(head -n 1 <<<"$first") == *"about 7 min"* ]] || { echo "the time is not said at first: $first"; exit 1; }
second=$(said) && [[ -z $second ]] || { echo "where nothing is to be done it says: $second"; exit 1; }
touch "$tree/core/new.h"
expect "after a change" "$(said)" 'built first \(the pages\): about [12] min' 'building its pages'
expect "for readers" "$(head -n 40 "$root/README.md")" '^\./docs/run +# 7 min'
