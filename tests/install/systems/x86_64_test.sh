#!/usr/bin/env bash
# The oldest 64-bit processors, without AVX: vectors of two doubles. The tests of core, nn and optim.
. "$(dirname "${BASH_SOURCE[0]}")/system.sh"
[[ $(uname -m) == x86_64 ]] || { echo "this is no x86-64 processor"; exit 77; }

lanes 2 "${CXX:-g++}" -march=x86-64
build_tests x86-64 -DGRADUS_NATIVE=OFF -DCMAKE_CXX_FLAGS=-march=x86-64
run_tests "$root/build/x86-64/bin"
