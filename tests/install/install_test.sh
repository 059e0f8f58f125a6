#!/usr/bin/env bash
# Installs the build, and compiles an outside project and the README's program against what was installed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/../support/setup.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

build release
cmake --install "$root/build/release" --prefix "$scratch/prefix" >/dev/null
sed -n '/^```cpp/,/^```/{/^```/d;p}' "$root/README.md" >"$scratch/readme.cpp"

cmake -S "$here" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DREADME_PROGRAM="$scratch/readme.cpp" \
  -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror"
cmake --build "$scratch/build" -j "$jobs"
"$scratch/build/outside"
"$scratch/build/readme"
