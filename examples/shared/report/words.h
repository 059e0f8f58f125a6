// Numbers and words as a tour writes them; docs/kit/words.mjs writes the same in a page.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gradus::examples {

// A number to be read: three significant digits, a true minus, 3.2·10⁻⁶ where it is very small or large, commas from 10,000
// on; NaN and ∞ by name. "0" is exact.
std::string shown(double x, int digits = 3);
std::string fixed(double x, int decimals);  // as many decimals as the others of its column; no −0.00
std::string with_commas(std::int64_t n);

void replace_all(std::string& text, std::string_view from, std::string_view to);
std::string quoted_for_shell(const std::string& word);

// Words in lines of at most `columns` columns, each line after `indent`; a word that is longer has a line of its own.
std::string folded(std::string_view words, std::size_t columns, std::string_view indent);

}  // namespace gradus::examples
