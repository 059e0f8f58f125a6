// The edit distance of two words, to find the one that was meant by a mistyped one.
#pragma once

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace gradus {

// The fewest insertions, deletions, replacements and swaps of two neighbours that turn one word into the other, no letter
// being edited twice (Damerau, 1964; as optimal string alignment: Lowrance and Wagner, 1975).
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));  // of the first i and j
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      const std::size_t replaced = d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      d[i][j] = std::min({replaced, d[i - 1][j] + 1, d[i][j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  }
  return d[a.size()][b.size()];
}

// Does one of the words begin with the other, of two letters or more? Dashes and underscores do not count.
inline bool is_longer_form(std::string_view a, std::string_view b) {
  const auto letters = [](std::string_view word) {
    std::string kept;
    std::copy_if(word.begin(), word.end(), std::back_inserter(kept), [](char c) { return c != '-' && c != '_'; });
    return kept;
  };
  const std::string one = letters(a), other = letters(b);
  const std::size_t shared = std::min(one.size(), other.size());
  return shared >= 2 && one.compare(0, shared, other, 0, shared) == 0;
}

// The one of `words`, which must not be empty, that `given` was meant to be: "lyaer" is "layer", a third of its letters mistyped
// at most; else "rmsnorm" is "rms", and "cos" is "cosine", a longer or shorter form; else it is the word with the least edit
// distance. Ties go to the one nearest in length, then to the first. No name has more than 100 bytes: what is longer is
// compared by its beginning.
inline std::string nearest(std::string_view given, const std::vector<std::string>& words) {
  const std::string_view wanted = given.substr(0, 100);
  const auto strangeness = [&](const std::string& word) {
    const std::size_t longer = std::max(word.size(), wanted.size()), shorter = std::min(word.size(), wanted.size());
    const std::size_t distance = edit_distance(word, wanted);
    const int kind = 3 * distance <= wanted.size() ? 0 : is_longer_form(word, wanted) ? 1 : 2;
    return std::tuple(kind, kind == 1 ? 0 : distance, longer - shorter);
  };
  return *std::min_element(words.begin(), words.end(),
                           [&](const std::string& a, const std::string& b) { return strangeness(a) < strangeness(b); });
}

// The word with A to Z turned into a to z; other characters stay.
inline std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

}  // namespace gradus
