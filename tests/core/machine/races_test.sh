#!/usr/bin/env bash
# The team of threads under ThreadSanitizer: its own tests, without the rest of the library, which takes minutes to build so
# (./tests/run --races).
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
work=$root/build/team
mkdir -p "$work" && cd "$root" || exit 1
compiler=($(command -v ccache) "${CXX:-c++}")
flags=(-std=c++20 -O1 -g -fsanitize=thread -I. -DDOCTEST_CONFIG_IMPLEMENT_WITH_MAIN -DFMT_HEADER_ONLY)
echo 'int main() {}' >"$work/none.cpp"
"${CXX:-c++}" -fsanitize=thread "$work/none.cpp" -o "$work/none" 2>/dev/null && "$work/none" ||
  { echo "races_test: there is no ThreadSanitizer here"; exit 77; }

# Relaxed, the orders of memory let a thread read what another has not yet written.
sed 's/memory_order_\(acq_rel\|acquire\|release\)/memory_order_relaxed/g' core/machine/team.cpp >"$work/relaxed.cpp"
cmp -s core/machine/team.cpp "$work/relaxed.cpp" && { echo "races_test: nothing was relaxed"; exit 1; }

for source in tests/core/machine/test_team.cpp core/machine/{team,threads}.cpp "$work/relaxed.cpp"; do
  "${compiler[@]}" "${flags[@]}" -c "$source" -o "$work/$(basename "$source" .cpp).o" &
done
wait
link() { "${CXX:-c++}" -fsanitize=thread "$work"/{test_team,threads,"$1"}.o -pthread -o "$work/$1"; }
link team && link relaxed || exit 1

export TSAN_OPTIONS=halt_on_error=1:die_after_fork=0
"$work/team" || exit 1
if "$work/relaxed" >"$work/log" 2>&1 || ! grep -q 'data race' "$work/log"; then
  echo "races_test: with relaxed orders of memory no race is found"
  exit 1
fi
