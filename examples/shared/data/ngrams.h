// What counting alone says of a text: the loss of a guess, and of models that know how often a byte comes after the one or
// the two before it. A language model that has learned anything passes these lines one after the other.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "examples/shared/data/corpus.h"

namespace gradus::examples {

// Cross-entropy in nats per byte of `text` under the n-gram model that was counted in `counted`, with α added to each count
// (Lidstone, 1920):
//   P(c | h) = (n(hc) + α) / (n(h) + 256 α),   h the n - 1 bytes before c,   L = mean of -log P over bytes that have an h
// α = 0 of a text in itself is its empirical entropy, which no model that sees n - 1 bytes gets below (Gibbs); of another
// text it is ∞ where something is new. ValueError unless n is 1 to 8, α is not negative, and both texts have n bytes.
double ngram_loss(const std::string& counted, const std::string& text, int n, double alpha);
// The same of several pieces together, none of which is the history of the next.
double ngram_loss(const std::string& counted, const std::vector<std::string>& pieces, int n, double alpha);

// What α is worth is a matter of taste, and the lines move with it, above all the trigram's: most of its 256³ counts are 0.
// So they bound the entropies of the language from above, and the trigram's loosely; 0.1 suits some hundred kB of text.
constexpr double kAddedCount = 0.1;

struct NgramLines {
  double guess, unigram, bigram, trigram;  // nats per byte; guess: ln 256
  // The trigram's of a long text. A short one has too few counts for it, and then another's.
  double lowest() const { return std::min({unigram, bigram, trigram}); }
};
NgramLines ngram_lines(const Corpus& corpus);  // of its validation part, counted in the training part
double unigram_line(const Corpus& corpus);     // the same, of one of the lines

}  // namespace gradus::examples
