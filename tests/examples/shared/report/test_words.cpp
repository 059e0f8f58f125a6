// Words as reports and terminals write them.
#include "examples/shared/report/words.h"
#include "tests/support/check.h"

using namespace gradus::examples;

TEST_CASE("folded: no line above the width, counted in characters; a longer word has a line of its own") {
  CHECK(folded("one two three", 9, "  ") == "  one two\n  three\n");
  CHECK(folded("one two three", 8, "  ") == "  one\n  two\n  three\n");
  CHECK(folded("αβγ δε", 8, "  ") == "  αβγ δε\n");  // six characters of two bytes each, but for the space
  CHECK(folded("unfoldable a", 4, "") == "unfoldable\na\n");
  CHECK(folded("a", 80, "") == "a\n");
}
