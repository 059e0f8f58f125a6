#include "examples/shared/data/ngrams.h"

#include <cmath>
#include <unordered_map>

namespace gradus::examples {
namespace {

constexpr double kBytes = 256;
using Counts = std::unordered_map<std::uint64_t, double>;

// Calls visit(h, hc) for each byte c that has n - 1 bytes h before it, both packed into a number.
template <typename Visit> void for_each_ngram(const std::string& text, int n, const Visit& visit) {
  const std::uint64_t kept = n == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * n)) - 1;
  std::uint64_t gram = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint64_t before = gram & (kept >> 8);
    gram = (gram << 8 | static_cast<unsigned char>(text[i])) & kept;
    if (i + 1 >= static_cast<std::size_t>(n)) visit(before, gram);
  }
}

double count_of(const Counts& counts, std::uint64_t gram) {
  const auto found = counts.find(gram);
  return found == counts.end() ? 0 : found->second;
}

double line_of(const Corpus& corpus, int n) { return ngram_loss(corpus.train_text(), corpus.validation_text(), n, kAddedCount); }

}  // namespace

double ngram_loss(const std::string& counted, const std::string& text, int n, double alpha) {
  return ngram_loss(counted, std::vector<std::string>{text}, n, alpha);
}

double ngram_loss(const std::string& counted, const std::vector<std::string>& pieces, int n, double alpha) {
  check<ValueError>(n >= 1 && n <= 8, "ngram_loss: expected n from 1 to 8, got {}", n);
  check<ValueError>(alpha >= 0, "ngram_loss: the added count must not be negative, got {}", alpha);
  const auto check_length = [&](const std::string& part) {
    check<ValueError>(part.size() >= static_cast<std::size_t>(n), "ngram_loss: a text of {} bytes has no {}-gram", part.size(), n);
  };
  check_length(counted);
  for (const std::string& piece : pieces) check_length(piece);
  Counts contexts, grams;
  for_each_ngram(counted, n, [&](std::uint64_t before, std::uint64_t gram) {
    ++contexts[before];
    ++grams[gram];
  });
  double total = 0, bytes = 0;
  const auto add = [&](std::uint64_t before, std::uint64_t gram) {
    const double seen = count_of(grams, gram) + alpha, of = count_of(contexts, before) + kBytes * alpha;
    total += seen > 0 ? std::log(of / seen) : HUGE_VAL;
    ++bytes;
  };
  for (const std::string& piece : pieces) for_each_ngram(piece, n, add);
  return total / bytes;
}

NgramLines ngram_lines(const Corpus& corpus) { return {std::log(kBytes), line_of(corpus, 1), line_of(corpus, 2), line_of(corpus, 3)}; }

double unigram_line(const Corpus& corpus) { return line_of(corpus, 1); }

}  // namespace gradus::examples
