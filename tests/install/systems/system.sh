# Sourced by the tests of other systems, which `./tests/run --full` runs as far as their tools are there.

. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
set -e

# need COMMAND...: without one of them, the system cannot be had here.
need() {
  local command
  for command; do
    command -v "$command" >/dev/null || { echo "there is no $command"; exit 77; }
  done
}

# run_tests PROGRAMS [COMMAND...]: the tests of core, nn and optim from this folder, each started by the command.
run_tests() {
  local programs=$1 floor failed=0
  shift
  for floor in core nn optim; do
    SECONDS=0
    "$@" "$programs/test_$floor" --no-colors=true || failed=1
    echo "   test_$floor: $SECONDS s"
  done
  return $failed
}

# build_tests NAME OPTION...: core, nn and optim with their tests, in build/NAME, configured with these options of CMake.
build_tests() {
  local dir=$root/build/$1
  shift
  cmake -S "$root" -B "$dir" --fresh -G Ninja -DGRADUS_BUILD_EXAMPLES=OFF -DGRADUS_BUILD_BENCH=OFF "$@"
  SECONDS=0
  cmake --build "$dir" --target test_core test_nn test_optim -j "$jobs" -- -k 0
  echo "   built in $SECONDS s"
}

# lanes N COMPILER [OPTION...]: a vector of this compiler holds N doubles.
lanes() {
  local n=$1
  shift
  "$@" -std=c++20 -fsyntax-only -x c++ - <<<"#include <xsimd/xsimd.hpp>
    static_assert(xsimd::batch<double>::size == $n && xsimd::batch<float>::size == 2 * $n);"
}
