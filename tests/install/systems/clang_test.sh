#!/usr/bin/env bash
# The newest clang that is here, with libc++: the tests of core, nn and optim, built, linked and run.
. "$(dirname "${BASH_SOURCE[0]}")/system.sh"
clang=$(compgen -c clang++- | sort -V | tail -n 1) || true
need "${clang:-clang++}"
libcxx=("$clang" -stdlib=libc++)
"${libcxx[@]}" -fsyntax-only -x c++ - <<<'#include <vector>' 2>/dev/null || { echo "there is no libc++ for $clang"; exit 77; }

"$clang" --version | head -n 1
build_tests clang -DCMAKE_CXX_COMPILER="$clang" -DCMAKE_CXX_FLAGS=-stdlib=libc++ -DGRADUS_FMT_HEADER_ONLY=ON
run_tests "$root/build/clang/bin"
