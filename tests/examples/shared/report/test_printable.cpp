#include "examples/shared/report/printable.h"

#include <doctest/doctest.h>

using gradus::examples::printable;

TEST_CASE("printable: text, line breaks and UTF-8 stay; control characters and broken UTF-8 are shown as bytes") {
  for (const char* text : {"", "a line\n\tand another\n", "qué \u00a0 σ(x) 漢 \U0001f600 \U0010ffff \ud7ff \ue000"}) {
    CHECK(printable(text) == text);
  }
  CHECK(printable("a\b\x1b[2J\r\x7f") == "a\\x08\\x1b[2J\\x0d\\x7f");
  CHECK(printable(std::string_view("\0", 1)) == "\\x00");
  CHECK(printable("\x9b \xc2\x9b") == "\\x9b \\xc2\\x9b");  // a terminal's command in Latin-1 and in UTF-8
  CHECK(printable("\xc3") == "\\xc3");                      // cut short
  CHECK(printable("\xe6\xbcx\xff") == "\\xe6\\xbcx\\xff");
  CHECK(printable("\xc1\xa1 \xe0\x81\xa1 \xf0\x80\x81\xa1") ==
        "\\xc1\\xa1 \\xe0\\x81\\xa1 \\xf0\\x80\\x81\\xa1");  // "a", longer than it should be
  CHECK(printable("\xed\xa0\x80 \xf4\x90\x80\x80 \xf8\x88\x80\x80\x80") ==
        "\\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80 \\xf8\\x88\\x80\\x80\\x80");  // a surrogate, and beyond the last character
}
