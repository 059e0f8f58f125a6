#!/usr/bin/env bash
# 64-bit Arm, by Debian's cross compiler and QEMU: the tests of core, nn and optim, without BLAS. The other libraries are only
# headers, and so this machine's.
. "$(dirname "${BASH_SOURCE[0]}")/system.sh"
arm=aarch64-linux-gnu
need $arm-g++ qemu-aarch64
emulator=(qemu-aarch64 -L /usr/$arm)

lanes 2 $arm-g++ -idirafter /usr/include
build_tests arm -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_CXX_COMPILER=$arm-g++ \
  -DCMAKE_CXX_FLAGS='-idirafter /usr/include' -DCMAKE_PREFIX_PATH="/usr/lib/$(g++ -print-multiarch)/cmake" \
  -DCMAKE_CROSSCOMPILING_EMULATOR="$(IFS=';'; echo "${emulator[*]}")" -DGRADUS_BLAS=OFF -DGRADUS_FMT_HEADER_ONLY=ON
run_tests "$root/build/arm/bin" "${emulator[@]}"
