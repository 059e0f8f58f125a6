// The tables and the plot of chapter 12, as its page shows them.
#pragma once

#include "examples/ch12_matrix/study.h"

namespace gradus::examples {

// "Greatest difference: −1.2 σ and 5.0 σ", for those who do not see a matrix.
std::string widest(const Matrix& matrix, const std::vector<double>& in_spreads);

void refusals(Chapter& chapter, const Matrix& matrix);  // which cells the library does not take, and why

// How many percent differ significantly from the baseline, by the number of seeds from one to all.
Line significant_line(const std::string& name, const std::string& colour, const std::vector<std::vector<double>>& cells,
                      const Spread& baseline);
void draw_seeds(Chapter& chapter, const std::vector<Line>& lines, const Spread& baseline);

ReportTable factor_table(const std::vector<Effect>& effects, int64_t seeds);

ReportTable change_table(int64_t pairs);
void add_change(ReportTable& table, const std::string& name, const Paired& difference, const Spread& own, const Spread& baseline,
                int64_t comparisons);

std::string signed_fixed(double x, int decimals);              // "+1.20"
std::string in_sigma(double x);                                // that, and grey with ≈ where it is below two
std::string shown_p(double p);                                 // "0.0123", or "< 0.0001", as HTML
std::string spelled(std::string family);                       // "feed-forward"
std::string main_effects(const std::vector<Effect>& effects);  // those of two σ and more with their size
std::string listed(const std::vector<std::string>& names);     // "a, b", or "none"

// Which differences are significant though below two spreads, and which are above and not significant.
void what_was_significant(Chapter& chapter, const std::vector<std::string>& small, const std::vector<std::string>& large);
void what_pairing_does(Chapter& chapter, const Study& study);

void same_name(Chapter& chapter, const Spread& baseline);  // what ± may mean

}  // namespace gradus::examples
