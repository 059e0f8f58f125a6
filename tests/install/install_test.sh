#!/usr/bin/env bash
# Installs the build, and compiles an outside project and programs of examples/first, a sample, against what was installed.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/../support/setup.sh"
set -euo pipefail  # setup.sh turns it off
. "$root/tests/examples/first/printed.sh"
. "$root/tests/support/sample.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Shared libraries, without MPI: every source that becomes part of one is compiled to stand at any address. With --full they are
# linked and used.
shared_options=(-DBUILD_SHARED_LIBS=ON -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON -DGRADUS_BUILD_EXAMPLES=OFF -DGRADUS_BUILD_TESTS=OFF -DGRADUS_BUILD_BENCH=OFF)
cmake -S "$root" -B "$scratch/shared" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON "${shared_options[@]}" >/dev/null
apart=$(grep -F '"command"' "$scratch/shared/compile_commands.json" | grep -E '/gradus_[a-z]+(_kernels)?\.dir/' | grep -vcF -- -fPIC || true)
((apart == 0)) || { echo "$apart sources of a shared library are compiled without -fPIC"; exit 1; }
if [[ ${GRADUS_FULL-} ]]; then
  cmake --build "$scratch/shared" -j "$jobs" >/dev/null
  cmake --install "$scratch/shared" --prefix "$scratch/shared_prefix" >/dev/null
  cmake -S "$here" -B "$scratch/of_shared" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$scratch/shared_prefix" >/dev/null
  cmake --build "$scratch/of_shared" -j "$jobs" >/dev/null
  export LD_LIBRARY_PATH=$(echo "$scratch"/shared_prefix/lib*)
  "$scratch/of_shared/outside"
  "$scratch/of_shared/ranks" | grep 'threads of this process: 1 + 2 = 3'
  unset LD_LIBRARY_PATH
fi

build release
cmake --install "$root/build/release" --prefix "$scratch/prefix" >/dev/null

printed=($(sample 2 tape line network classifier))
mapfile -t programs < <({ sample 1 "$root"/examples/first/*.cpp; printf "$root/examples/first/%s.cpp\n" "${printed[@]}"; } | sort -u)
cmake -S "$here" -B "$scratch/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DPROGRAMS="$(IFS=';'; echo "${programs[*]}")" \
  -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_CXX_FLAGS="-Wall -Wextra -Werror"
cmake --build "$scratch/build" -j "$jobs"
"$scratch/build/outside"
"$scratch/build/ranks" --threads | grep 'threads of this process: 1 + 2 = 3'
way='threads of this process'
! grep -qF 'if("TRUE")' "$scratch"/prefix/lib*/cmake/Gradus/GradusConfig.cmake || ! command -v mpirun >/dev/null || way='processes by Open MPI'
"$scratch/build/ranks" | grep "$way: 1 + 2 = 3"
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
