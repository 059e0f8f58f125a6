#!/usr/bin/env bash
# Answers that are none, or that break what is around them: each gets its sentence, none passes, and none leaves anything behind.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
. "$root/tests/support/sample.sh"
build release exercises || exit 1
exercises=$root/build/release/bin/exercises
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export GRADUS_MY=$work/my GRADUS_ROOT=$work/project  # where nothing else is compiled meanwhile
mkdir project && ln -s "$root"/{core,nn,optim,examples} project

fail() {
  echo "hostile_test: $1" >&2
  exit 1
}

answer=$root/examples/exercises/answers/10_rms_norm.cpp
right=$(sed -n '/^  for/,/^  \/\/ end/p; /^  \/\/ end/q' "$answer" | grep -v '// end')
gradient=$(sed -n '/^\/\/ From g/,$p' "$answer")

# answers BODY [BEFORE]: answer.cpp, whose rms_norm has this body, and before it stands what is to stand there.
answers() {
  printf '%s\n' '#include "examples/exercises/rows.h"' "${2-}" "void rms_norm(In x, In gain, double eps, Out y) {" "$1" '}' "$gradient" >answer.cpp
}

# gets SENTENCE [BODY [BEFORE]]: such an answer, or answer.cpp as it is, does not pass, within a minute, and the sentence is said. Half
# of them are tried.
gets() { ! takes 2 || surely_gets "$@"; }
surely_gets() {
  [[ $# == 1 ]] || answers "$2" "${3-}"
  local since=$SECONDS
  "$exercises" check rms-norm answer.cpp >out.txt 2>err.txt </dev/null
  local status=$?
  ((status == 1)) || fail "'$1': it ended with $status: $(cat out.txt err.txt)"
  grep -qF -- "$1" out.txt || fail "'$1' is not said, but: $(cat out.txt err.txt)"
  ! grep -qF '✓ rms_norm' out.txt || fail "'$1': it passes"
  ((SECONDS - since < 60)) || fail "'$1': that took $((SECONDS - since)) s"
}

answers "$right"
"$exercises" check rms-norm answer.cpp >out.txt 2>err.txt || fail "what the others are made of does not pass: $(cat out.txt err.txt)"

# A main() for trying it out is never called.
answers "$right" 'int main() { for (;;) {} }'
"$exercises" check rms-norm answer.cpp >out.txt 2>err.txt || fail "a main() does not pass: $(cat out.txt err.txt)"

gets 'It wrote outside of y.' "$right y[x.rows][0] = 1;"
gets 'It wrote outside of y.' "$right y[0][-1] = 1;"
gets 'It wrote outside of y.' "$right y[0][5000] = 1;"
gets 'It crashed: a read or write outside of memory' "$right y[0][1 << 30] = 1;"
gets 'It crashed: a read or write outside of memory' "$right *reinterpret_cast<volatile int*>(8) = 1;"
gets 'It changed its input x.' "$right const_cast<double*>(x[0])[0] = 0;"
[[ $(uname -m) != x86_64 ]] || gets 'It crashed: a division of a whole number by 0' "$right volatile int none = 0; y[0][0] = 7 / none;"
gets 'It called itself until the stack was full.' "y[0][0] = deep(1);" 'double deep(double n) { volatile double room[64] = {n}; return deep(n + 1) + room[3]; }'

gets 'It is not run, as it uses fork(): no other process is needed.' "$right fork();" '#include <unistd.h>'
gets 'It is not run, as it uses system()' "$right if (system(\"touch here\")) return;" '#include <cstdlib>'
gets 'It is not run, as it uses popen()' "$right popen(\"touch here\", \"r\");" '#include <cstdio>'
gets 'It is not run, as it uses execl()' "$right execl(\"/bin/touch\", \"touch\", \"here\", nullptr);" '#include <unistd.h>'
gets 'It is not run, as it uses fopen()' "$right if (fopen(\"/proc/self/maps\", \"r\")) return;" '#include <cstdio>'
gets 'It is not run, as it uses open()' "$right if (open(\"/proc/self/mem\", O_RDWR) < 0) return;" '#include <fcntl.h>'
gets 'It is not run, as it uses a file stream' "$right std::ofstream(\"here\") << 1;" '#include <fstream>'
gets 'It is not run, as it uses a file stream or std::filesystem' "$right std::filesystem::remove(\"here\");" '#include <filesystem>'
gets 'It is not run, as it uses syscall()' "$right syscall(57);" '#include <unistd.h>'
gets 'It is not run, as it uses write()' "$right if (write(3, \"forged\", 6)) return;" '#include <unistd.h>'
[[ ! -e here ]] || fail "an answer that is not run has run"

gets 'It asked for more memory than the 4 GB that it may have.' "for (;;) all.push_back(new double[1 << 24]);" '#include <vector>
std::vector<double*> all;'
gets 'It asked for more memory than the 4 GB that it may have.' "std::vector<double> all(std::size_t{1} << 40);" '#include <vector>'
gets 'It did not come to an end in 10 seconds.' "$right for (volatile int i = 0;; i = i + 1) {}"
gets 'It did not come to an end in 10 seconds.' "$right sleep(1000);" '#include <unistd.h>'
gets 'It ended the whole program' "$right exit(0);" '#include <cstdlib>'
gets 'It ended the whole program' "$right _exit(77 + 1);" '#include <unistd.h>'
gets 'It crashed: something called abort()' "$right throw_none();" 'void throw_none() noexcept { throw 1; }'
gets 'It threw: a value of type int, which is no std::exception' "throw 3;"
gets 'It threw: none' "throw std::runtime_error(\"none\");" '#include <stdexcept>'
gets 'y[0][0] is never written' "try { todo(); } catch (...) {}"
gets 'It wrote outside of y.' "try { $right y[-1][0] = 1; } catch (...) {}"
gets 'Called once more with the same inputs, it gives another y.' "$right if (++calls == 6) y[0][0] = 0;" 'static int calls = 0;'
gets 'It uses something that is defined nowhere: helper(double)' "$right helper(1);" 'void helper(double);'

# A number that is not set is the compiler's to tell, before all else.
surely_gets 'The compiler warns:' 'double sum; for (int j = 0; j < x.columns; ++j) sum += x[0][j]; y[0][0] = sum;'
[[ $(sed -n 3p out.txt) == 'The compiler warns:' ]] || fail "a warning is not the first thing said: $(cat out.txt)"

# What it prints is shown, no more than a few lines, and no escape code.
surely_gets 'It printed:' 'for (int i = 0; i < 100000; ++i) printf("line %d\033[2J\n", i); y[0][0] = 0;' '#include <cstdio>'
grep -qF '    line 0\x1b[2J' out.txt && (($(wc -l <out.txt) < 40)) || fail "a megabyte is not shown in a few lines: $(head -c 2000 out.txt)"
gets 'before the crash' 'puts("before the crash"); *reinterpret_cast<volatile int*>(8) = 1;' '#include <cstdio>'

# A compiler's error is told in the file's own lines.
gets 'answer.cpp:4:18: error:' "y[0][0] = x[0] + nothing;"
gets 'answer.cpp:2:10: fatal error:' "$right" '#include "no/such/file.h"'
gets 'It does not compile' "$(printf '{%.0s' {1..200})"
answers "$right"
sed -i 's/^void rms_norm(In x/void rms_norm(Out x/' answer.cpp
gets 'rms_norm and rms_norm_gradient must be there'
answers "$right"
sed -i 's/void rms_norm_gradient/void gradient/' answer.cpp
gets 'rms_norm and rms_norm_gradient must be there'
: >answer.cpp
gets 'rms_norm and rms_norm_gradient must be there'
printf '\xff\xfe\0' >answer.cpp
gets 'It does not compile'

! pgrep -f -- "--apart $work" >/dev/null || fail "a process is left"
[[ -z $(ls project/build/exercises) ]] || fail "libraries are left: $(find project/build/exercises)"
