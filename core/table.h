// Family: the variants of one kind of part (norms, placements, …) as a table that flags, tests and docs iterate.
// Adding a variant is one file and one row.
#pragma once

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/check.h"

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

template <typename T> struct Variant {
  std::string_view name;        // on the command line
  std::string_view formula_id;  // in the docs, the code and the tests
  T value;
};

template <typename T> struct Table {
  std::string_view name;
  std::vector<Variant<T>> variants;

  // ValueError with the nearest name for an unknown one.
  const Variant<T>& find(std::string_view wanted) const {
    for (const auto& variant : variants) {
      if (variant.name == wanted) return variant;
    }
    const auto nearest = std::min_element(variants.begin(), variants.end(), [&](const auto& a, const auto& b) {
      return edit_distance(a.name, wanted) < edit_distance(b.name, wanted);
    });
    throw ValueError(fmt::format("unknown {} '{}'; did you mean '{}'?", name, wanted, nearest->name));
  }
};

}  // namespace gradus
