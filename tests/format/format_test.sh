#!/usr/bin/env bash
# C++, JavaScript and Python are formatted as .clang-format, .dprint.json and .ruff.toml say; with --write they become so.
# Ends with 77 where the formatters cannot be had: they come from npm, so that every machine has the same versions.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$(dirname "${BASH_SOURCE[0]}")/../support/browser.sh"
need_packages @wasm-fmt/clang-format@23.1.0 @wasm-fmt/ruff_fmt@0.15.20 @dprint/formatter@0.6.0 @dprint/typescript@0.96.1
find "$root"/{core,nn,optim,examples,docs,tests} \
  \( -name node_modules -o -path '*/docs/public' -o -path '*/.vitepress/dist' -o -path '*/.vitepress/cache' \) -prune -o \
  \( -name '*.h' -o -name '*.cpp' -o -name '*.js' -o -name '*.mjs' -o -name '*.py' \) -print |
  node "$root/tests/format/format.mjs" "$root" "$@"
