#!/usr/bin/env bash
# What answers/generate.cpp makes of an answer, and how it refuses one: with the file, the line and what to do.
set -u
. "$(dirname "${BASH_SOURCE[0]}")/../../support/setup.sh"
build release exercises_made || exit 1
generate=$root/build/release/bin/exercises_made
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

fail() {
  echo "generate_test: $1" >&2
  exit 1
}

cat >twice.cpp <<'END'
// Needs docs/ch00.md#op-mul.
//! title: Twice
//! minutes: 5
//! needs:
//! done: Done.
void twice(In x, Out y) {
  // blank: y from x
  //! Which number is it?
  y[0][0] = x[0][0] * 2;
  //~ 1 a/b: y[0][0] = x[0][0] * 3;
  //? Which factor?
  //= the factor is 3
  //~ a/c: y[0][0] = x[0][1] * 2;
  //? Which column?
  // end
}
END

# makes NAME SED: the answer so changed becomes NAME.h.
makes() {
  sed "$2" twice.cpp >"$1.cpp"
  "$generate" "$1.cpp" "$1.h" 2>err
}

# refuses LINE TEXT SED: the answer so changed is refused in this line, and nothing is written.
refuses() {
  rm -f 28_bad.*
  ! makes 28_bad "$3" || fail "it takes '$3'"
  [[ $(<err) == "28_bad.cpp:$1: error: "*"$2"* ]] || fail "of '$3' it says: $(<err)"
  [[ ! -e 28_bad.h* ]] || fail "of '$3' something is written"
}

makes 27_twice '' || fail "$(<err)"
grep -qF 'twice_made[0] && twice_made[63]' 27_twice.h || fail "two mistakes in one place are not made at once"
makes 27_crlf $'s/$/\r/' && ! grep -q $'\r' 27_crlf.h || fail "of the line ends of Windows: $(<err)"
makes 27_alone 's,~ a/c,~ alone a/c,' && ! grep -q '&& twice' 27_alone.h || fail "'alone' is made with another: $(<err)"
lines=$(for i in {3..64}; do printf '  //~ a/n%s: y[0][0] = %s;\\n' "$i" "$i"; done)
makes 27_full "s,^  // end,$lines  // end," || fail "of 64 mistakes: $(<err)"

refuses 77 'has room for 64 mistakes' "s,^  // end,$lines  //~ a/n: y[0][0] = 0;\n  // end,"
refuses 13 'this number is not free' 's,~ a/c,~ 1 a/c,'
for number in 0 65; do refuses 10 'not from 1 to 64' "s,~ 1,~ $number,"; done
refuses 10 'a wrong line is `//~ ID: CODE`' 's,~ 1,~ 9999999999,'
refuses 10 'a wrong line is `//~ ID: CODE`' 's,~ 1,~ (agreement) 1,'
refuses 13 'has no first place' 's,~ a/c,~ also a/c,'
refuses 12 'no such mark is known' 's,//=,//-,'
refuses 8 'there is no wrong line above' 's,//!\( Which\),//?\1,'
refuses 7 'a `//!` of the head is' '/blank/d'
refuses 2 'a `//!` of the head is' 's/title/titel/'
refuses 16 'no `//! title: …`' 's/Twice$//'
refuses 16 'no `//! minutes: …`' 's/: 5/: five/'
refuses 15 'no `//! done: …`' '/done/d'
refuses 16 'names no section' 's/docs/dosc/'
refuses 17 'no block is open' 's/^}/}\n}/'
refuses 15 'a block is not closed' '/^}/d'
refuses 14 'it is no such head' '9s/.*/  for (int i = 0; i < 2; ++i) {/; 10s/: .*/: for (int i : all) {/; 13d; s/^}/  }\n}/'
"$generate" twice.cpp twice.h 2>err && fail "a name without a number is taken"
grep -q "^twice.cpp:0: error: an answer's name" err || fail "of a name without a number it says: $(<err)"
"$generate" 29_gone.cpp gone.h 2>err && fail "a file that is not there is taken"
grep -q '^29_gone.cpp:0: error: it cannot be read' err || fail "of a file that is not there it says: $(<err)"
