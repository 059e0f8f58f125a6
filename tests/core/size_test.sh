#!/usr/bin/env bash
# How much there is to read. A limit may fall, and does not rise: what needs more room pushes something else out.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../support/setup.sh"
cd "$root" || exit 1
wrong=0

# limit WHAT LINES MOST
limit() {
  printf '%-46s %5d lines, at most %5d\n' "$@"
  (($2 > 0 && $2 <= $3)) || { say "$1: $2 lines, and at most $3 were agreed"; wrong=1; }
}

lines() { cat "$@" | wc -l; }

# The lines of statements that check an argument or refuse it, messages included.
checks() {
  cat "$@" | awk '
    { line = $0; sub(/ *\/\/.*/, "", line) }
    !inside && line ~ /(^|[^[:alnum:]_])(check(_[a-z_]+)?(<[A-Za-z]+>)?\(|fail<|throw |refuse_[a-z]+\(|common_dtype\(|axes_of_extreme\()/ { inside = 1 }
    inside { count++; if (line ~ /[;{}]$/) inside = 0 }
    END { print count + 0 }'
}

heart=(core/tensor/*.* core/tape/*.* core/ops/*.* core/autograd/*.*)
limit "tensor, tape, ops and autograd" "$(lines "${heart[@]}")" 3300
limit "core/machine" "$(lines core/machine/*.*)" 520
limit "core/kernels" "$(lines core/kernels/*.*)" 1460
limit "checks and messages of these" "$(checks "${heart[@]}" core/machine/*.* core/kernels/*.*)" 284
limit "nn and optim" "$(find nn optim -path optim/distributed -prune -o \( -name '*.h' -o -name '*.cpp' \) -print | xargs cat | wc -l)" 16070
limit "optim/distributed" "$(lines optim/distributed/*.{h,cpp})" 1640
limit "core/autograd/engine.cpp" "$(lines core/autograd/engine.cpp)" 190
limit "the walk in it" "$(sed -n '/#region inside-walk/,/#endregion inside-walk/p' core/autograd/engine.cpp | grep -cvE '^ *(//.*)?$')" 30
limit "what gdb skips by name" "$(sed -n 's/^for name in (\(.*\)):.*/\1/p' examples/step/debugger/gdb.py | grep -o '"[^"]*"' | wc -l)" 3
exit "$wrong"
