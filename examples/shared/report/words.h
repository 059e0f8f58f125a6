// Numbers and formulas as a report writes them.
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
std::string escaped(std::string_view text);  // for HTML: & < > "
std::string quoted_for_shell(const std::string& word);

// Words in lines of at most `columns` columns, each line after `indent`; a word that is longer has a line of its own.
std::string folded(std::string_view words, std::size_t columns, std::string_view indent);

// A formula in a small language, as HTML and as a line of text:
//   {v y} = {frac {v x} | {v r}} ⊙ {p γ},  {v r} = {root mean({v x}²) + {c ε}}
// v, g, p, c: value, gradient, parameter, constant, the four colours of every page; m: a name without a role;
// frac, root, sub, sup, big (a tall bracket). ValueError for a brace that is not closed and for an unknown word.
std::string formula_html(std::string_view formula);
std::string formula_text(std::string_view formula);

}  // namespace gradus::examples
