// How far two words are apart, to find the one that was meant by a mistyped one.
#pragma once

#include <algorithm>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

// The fewest insertions, deletions and replacements that turn one word into the other (Levenshtein, 1966).
inline std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row.back();
}

// Of at least one word, the one that is least far from `wanted`; the first of equals.
inline std::string nearest(std::string_view wanted, const std::vector<std::string>& words) {
  return *std::min_element(words.begin(), words.end(), [&](const std::string& a, const std::string& b) {
    return edit_distance(a, wanted) < edit_distance(b, wanted);
  });
}

// A to Z as a to z.
inline std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

}  // namespace gradus
