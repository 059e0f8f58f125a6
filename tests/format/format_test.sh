#!/usr/bin/env bash
# core, nn and optim are formatted as .clang-format says; with --write they become so. Ends with 77 where the formatter
# cannot be had: it comes from npm, so that every machine has the same version.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
. "$(dirname "${BASH_SOURCE[0]}")/../support/browser.sh"
need_packages @wasm-fmt/clang-format@23.1.0
find "$root"/{core,nn,optim} -name '*.h' -o -name '*.cpp' | node "$root/tests/format/format.mjs" "$root/.clang-format" "$@"
