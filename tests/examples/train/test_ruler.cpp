#include <doctest/doctest.h>

#include <string>

#include "examples/train/ruler.h"

using gradus::examples::Ruler;

namespace {

// The column, counted from 0, at which a mark stands; -1 if there is none.
int column_of(const std::string& line, const std::string& mark) {
  const auto at = line.find(mark);
  if (at == std::string::npos) return -1;
  int columns = 0;
  for (std::size_t i = 0; i < at; ++i) columns += (static_cast<unsigned char>(line[i]) & 0xC0) != 0x80;
  return columns;
}

constexpr gradus::examples::NgramLines kLines{.guess = 5.545, .unigram = 3.31, .bigram = 2.46, .trigram = 1.97};

}  // namespace

TEST_CASE("ruler: a bar ends at the mark of the line that it has reached, and the names end there") {
  const Ruler ruler(kLines);
  for (const auto& [name, nats] : {std::pair{"triples", 1.97}, {"pairs", 2.46}, {"bytes", 3.31}, {"guessing", 5.545}}) {
    CAPTURE(name);
    const int mark = column_of(ruler.head(), std::string(name) + "┐") + static_cast<int>(std::string(name).size());
    CHECK(column_of(ruler.bar(nats), "╸") == mark);
  }
}

TEST_CASE("ruler: a lower loss is a shorter bar, within 78 columns; beyond its ends it stays at them") {
  const Ruler ruler(kLines);
  int before = 78;
  for (const double loss : {5.5, 4.0, 3.0, 2.0, 1.2}) {
    const int end = column_of(ruler.bar(loss), "╸");
    CHECK(end < before);
    before = end;
  }
  CHECK(ruler.bar(9) == ruler.bar(5.545));
  CHECK(column_of(ruler.bar(0.2), "╸") == 0);
}

TEST_CASE("ruler: a name for which there is no room is left out, its mark is not") {
  const Ruler ruler({.guess = 5.545, .unigram = 3.0, .bigram = 2.02, .trigram = 2.0});
  CHECK(column_of(ruler.head(), "bytes┐") > 0);
  CHECK(ruler.head().find("pairs") == std::string::npos);
  CHECK(column_of(ruler.bar(5), "╸") > 0);
}

TEST_CASE("ruler: the values, from the highest") { CHECK(Ruler(kLines).values() == "guessing 5.54, bytes 3.31, pairs 2.46, triples 1.97"); }
