#!/usr/bin/env bash
# Does the code compile elsewhere? Checks the syntax of core, nn, optim and the examples with another compiler, against
# other versions of the libraries, or as if for a bare machine; builds nothing, but needs build/release, for headers that a build
# makes. First it prints what it found where.
#
#   tests/install/versions.sh ~/xtensor/include ~/fmt/include       these headers, then the system's
#   CXX=clang++-14 CXXFLAGS=-stdlib=libc++ tests/install/versions.sh
#   tests/install/versions.sh --bare      no vector instructions, no floating-point exceptions: the browser's WebAssembly
#   tests/install/versions.sh --in 'core tests/core'                only these folders
# 32 bits, on Debian without its 32-bit headers (an empty gnu/stubs-32.h in DIR):
#   CXX=clang++-14 CXXFLAGS='--target=i686-linux-gnu -msse2 -stdlib=libc++ -isystem DIR
#     -isystem /usr/include/x86_64-linux-gnu' tests/install/versions.sh
set -uo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
cd "$root" || exit 1

folders=(core nn optim examples) bare=
headers=()
while (($#)); do
  case $1 in
    --bare) bare=yes ;;
    --in) read -ra folders <<<"${2-}"; shift ;;
    *) [[ -d $1 ]] || { say "there is no directory $1"; exit 2; }; headers+=(-isystem "$1") ;;
  esac
  shift
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
read -ra chosen <<<"${CXXFLAGS--march=native}"
cblas=$(find /usr/include /opt/homebrew/opt/openblas/include -name cblas.h -print -quit 2>/dev/null)
flags=(-std=c++20 -O1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-unknown-pragmas -I.
  "${headers[@]}" -isystem build/release/examples -isystem "${cblas%/*}" -DGRADUS_SOURCE_DIR='""' -DGRADUS_FIXTURES='""' "${chosen[@]}")
if [[ $bare ]]; then
  cat >"$scratch/bare.h" <<'END'
#include <cfenv>
#undef FE_INVALID
#undef FE_DIVBYZERO
#undef FE_OVERFLOW
#undef FE_UNDERFLOW
#undef FE_INEXACT
#undef FE_ALL_EXCEPT
#define FE_ALL_EXCEPT 0
END
  flags+=(-DXSIMD_NO_SUPPORTED_ARCHITECTURE -include "$scratch/bare.h")
else
  flags+=(-DGRADUS_BLAS=1)
fi
: "${CXX:=g++}"
if [[ $CXX == *clang* ]]; then
  flags+=(-DFMT_HEADER_ONLY)
else
  flags+=(-Wno-uninitialized -Wno-maybe-uninitialized -Wno-restrict)  # false alarms, see CMakeLists.txt
fi

"$CXX" --version | head -n 1
for header in fmt/core.h xtl/xtl_config.hpp xtensor/core/xtensor_config.hpp xtensor/xtensor_config.hpp \
  xsimd/config/xsimd_config.hpp nlohmann/json_fwd.hpp nlohmann/detail/abi_macros.hpp \
  CLI/Version.hpp oneapi/dnnl/dnnl_version.h doctest/doctest.h; do
  printf '#if __has_include(<%s>)\n#include <%s>\n#endif\n' "$header" "$header"
done >"$scratch/versions.cpp"
"$CXX" "${flags[@]}" -E -dM "$scratch/versions.cpp" | awk '
  $2 ~ /^(FMT|CLI11)_VERSION$|^(XTL|XTENSOR|XSIMD|NLOHMANN_JSON|DNNL|DOCTEST)_VERSION_(MAJOR|MINOR|PATCH)$/ {
    split($2, name, "_VERSION"); value = $3; gsub(/"/, "", value)
    if (name[2] == "" && value ~ /^[0-9.]+$/) version[name[1]] = value
    if (name[2] != "") part[name[1], substr(name[2], 2)] = value
    seen[name[1]]
  }
  END {
    for (n in seen) {
      v = version[n]
      if (v == "") v = part[n, "MAJOR"] "." part[n, "MINOR"] "." part[n, "PATCH"]
      if (v ~ /^[0-9]+$/) v = int(v / 10000) "." int(v / 100) % 100 "." v % 100
      print "  " tolower(n) " " v
    }
  }' | sort

# check FILE: prints the file's name and what the compiler says, unless that is nothing.
check() {
  local said
  said=$("$CXX" "${flags[@]}" -fsyntax-only "$1" 2>&1) && [[ -z $said ]] || printf 'FAILED: %s\n%s\n' "$1" "$said"
}

running=0
while IFS= read -r file; do
  ((running < jobs)) || { wait -n; ((running -= 1)); }
  check "$file" >"$scratch/${file//\//_}.said" &
  ((running += 1))
done < <(find "${folders[@]}" -name '*.cpp' | sort)
wait
cat "$scratch"/*.said
failed=$(grep -l '^FAILED' "$scratch"/*.said | wc -l)
echo "$(find "$scratch" -name '*.said' | wc -l) files, $failed failed"
((failed == 0))
