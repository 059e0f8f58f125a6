// The edit distance of two words, to find the one that was meant by a mistyped one.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
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

// The one of `words`, which must not be empty, with the least edit distance from `given`; of equal ones the one nearest to it
// in length, then the first. No name has more than 100 bytes: what is longer is compared by its beginning.
inline std::string nearest(std::string_view given, const std::vector<std::string>& words) {
  const std::string_view wanted = given.substr(0, 100);
  const auto distance = [&](const std::string& word) {
    const std::size_t longer = std::max(word.size(), wanted.size()), shorter = std::min(word.size(), wanted.size());
    return std::pair(edit_distance(word, wanted), longer - shorter);
  };
  return *std::min_element(words.begin(), words.end(),
                           [&](const std::string& a, const std::string& b) { return distance(a) < distance(b); });
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
