// What chapter 12 keeps and tells of its study.
#pragma once

#include "examples/ch12_matrix/study.h"

namespace gradus::examples {

void keep_setting(Chapter& chapter, const Study& study);  // sizes, seeds and the rate
void refusals(Chapter& chapter, const Matrix& matrix);    // which cells the library does not take, and why

// How many percent differ significantly from the baseline, by the number of seeds from one to all.
std::vector<double> by_seeds(const std::vector<std::vector<double>>& cells, const Spread& baseline);

std::string signed_fixed(double x, int decimals);              // "+1.20"
std::string shown_p(double p);                                 // "0.0123", or "< 0.0001"
std::string spelled(std::string family);                       // "feed-forward"
std::string main_effects(const std::vector<Effect>& effects);  // those of two σ and more with their size

// What ± may mean: σ, that of these n alone, the standard error, the 95 % interval of the mean, half of a 95 % range of runs.
void same_name(Chapter& chapter, const Spread& baseline);

}  // namespace gradus::examples
