#include "examples/shared/data/ngrams.h"

#include <cmath>

#include "tests/examples/shared/training/tiny_run.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

// In "abcabd" a and b come twice, c and d once; ab twice, bc, ca and bd once; abc, bca, cab and abd once.
TEST_CASE("ngrams: counts of a text, by hand") {
  const auto loss = [](const std::string& text, int n) { return ngram_loss("abcabd", text, n, 0); };
  CHECK(loss("a", 1) == doctest::Approx(std::log(3.0)));                           // 2 of 6
  CHECK(loss("ad", 1) == doctest::Approx((std::log(3.0) + std::log(6.0)) / 2));    // 1 of 6
  CHECK(loss("ab", 2) == doctest::Approx(0));                                      // b always follows a
  CHECK(loss("abd", 2) == doctest::Approx(std::log(2.0) / 2));                     // after b: c, d
  CHECK(loss("abdabc", 3) == HUGE_VAL);                                            // bda is new
  CHECK(loss("cabc", 3) == doctest::Approx((std::log(1.0) + std::log(2.0)) / 2));  // ca: b; ab: c, d
}

TEST_CASE("ngrams: a context's count is of the times that something follows it") {
  CHECK(ngram_loss("aab", "ab", 2, 0) == doctest::Approx(std::log(2.0)));  // the two a's are followed by a and b
  CHECK(ngram_loss("baa", "aa", 2, 0) == doctest::Approx(0));              // the last a by nothing
}

TEST_CASE("ngrams: α is added to each of 256 counts, so that what is new costs a finite price") {
  CHECK(ngram_loss("abcabd", "x", 1, 0.5) == doctest::Approx(-std::log(0.5 / (6 + 128))));
  CHECK(ngram_loss("abcabd", "ab", 2, 0.5) == doctest::Approx(-std::log(2.5 / (2 + 128))));
  CHECK(ngram_loss("abcabd", "xy", 2, 0.5) == doctest::Approx(std::log(256.0)));  // an unknown context is a guess
}

TEST_CASE("ngrams: bytes are told apart, beyond ASCII and in long contexts") {
  CHECK(ngram_loss("\xff\x7f", "\xff", 1, 0) == doctest::Approx(std::log(2.0)));
  CHECK(ngram_loss("1abcdefgX2abcdefgY", "1abcdefgX", 8, 0) == doctest::Approx(std::log(2.0) / 2));  // ?abcdefg, then X or Y
  CHECK(ngram_loss("1abcdefX2abcdefY", "1abcdefX", 8, 0) == doctest::Approx(0));                     // the whole is one 8-gram
}

TEST_CASE("ngrams: no model of one byte before gets below the text's own entropy") {
  const std::string text = "to be or not to be, that is the question", other = "whether it is nobler in the mind to suffer";
  const double own = ngram_loss(text, text, 2, 0);
  for (const double alpha : {0.01, 0.1, 1.0}) CHECK(ngram_loss(other + text, text, 2, alpha) > own);
}

TEST_CASE("ngrams: the lines of a corpus are of its last tenth, counted in the rest") {
  const TemporaryDirectory directory;
  std::ofstream(directory.file("two.txt")) << std::string(90, 'a') << std::string(10, 'b');
  const Corpus corpus = Corpus::from_file(directory.file("two.txt"), 4);
  const NgramLines lines = ngram_lines(corpus);
  CHECK(lines.guess == doctest::Approx(5.545177444));
  CHECK(lines.unigram == doctest::Approx(-std::log(0.1 / (90 + 25.6))));
  CHECK(lines.bigram == doctest::Approx(std::log(256.0)));  // nothing was counted after b
  CHECK(lines.trigram == doctest::Approx(std::log(256.0)));
}

// 3.3994, 2.4907 and 1.9712 by a script of its own, in another language.
TEST_CASE("ngrams: Shakespeare's lines") {
  const NgramLines lines = ngram_lines(Corpus::shakespeare(64));
  CHECK(lines.unigram == doctest::Approx(3.3994).epsilon(1e-4));
  CHECK(lines.bigram == doctest::Approx(2.4907).epsilon(1e-4));
  CHECK(lines.trigram == doctest::Approx(1.9712).epsilon(1e-4));
}

TEST_CASE("ngrams: what cannot be counted is said") {
  CHECK_THROWS_WITH_AS(ngram_loss("abc", "abc", 0, 0.1), "ngram_loss: expected n from 1 to 8, got 0", ValueError);
  CHECK_THROWS_WITH_AS(ngram_loss("abc", "abc", 9, 0.1), "ngram_loss: expected n from 1 to 8, got 9", ValueError);
  CHECK_THROWS_WITH_AS(ngram_loss("abc", "ab", 3, 0.1), "ngram_loss: a text of 2 bytes has no 3-gram", ValueError);
  CHECK_THROWS_WITH_AS(ngram_loss("abc", "abc", 1, -1), "ngram_loss: the added count must not be negative, got -1", ValueError);
}
