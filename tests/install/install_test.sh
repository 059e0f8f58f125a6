#!/usr/bin/env bash
# Installs the build, and compiles an outside project and programs of examples/first, a sample, against what was installed.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/../support/setup.sh"
set -euo pipefail  # setup.sh turns it off
. "$root/tests/examples/first/printed.sh"
. "$root/tests/support/sample.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

build release
cmake --install "$root/build/release" --prefix "$scratch/prefix" >/dev/null

printed=($(sample 2 tape line network classifier))
mapfile -t programs < <({ sample 1 "$root"/examples/first/*.cpp; printf "$root/examples/first/%s.cpp\n" "${printed[@]}"; } | sort -u)
cmake -S "$here" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPROGRAMS="$(IFS=';'; echo "${programs[*]}")" \
  -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror"
cmake --build "$scratch/build" -j "$jobs"
"$scratch/build/outside"
installed() { "$scratch/build/$1"; }
check_printed installed "${printed[@]}"

# What lets the debuggers show tensors is installed, and loads from there.
share=$scratch/prefix/share/gradus
[[ -z $(find "$share" -name __pycache__) ]]
if command -v gdb >/dev/null; then
  gdb -nx -batch -ex "source $share/gdb.py" -ex 'break main' -ex run -ex 'help tape' -ex 'tape x' "$scratch/build/outside" \
    >"$scratch/gdb" 2>&1 || true
  grep -q 'The tape behind a tensor' "$scratch/gdb"
  grep -q 'tape: No symbol' "$scratch/gdb"
fi
if command -v lldb >/dev/null; then
  find_python_of_lldb
  lldb --no-lldbinit --batch -o "command script import $share/gradus_lldb.py" -o 'help tape' -o 'tape x' \
    >"$scratch/lldb" 2>&1 || true
  grep -q 'The tape behind a tensor' "$scratch/lldb"
  grep -q 'tape: there is no process' "$scratch/lldb"
fi
[[ -z $(find "$share" -name __pycache__) ]]
