// What functions give on probes, compared.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "examples/exercises/grader/function.h"

namespace gradus::exercises {

// Are they equal, to a billionth of the largest number of b, NaN equal to NaN?
bool equal(const Array& a, const Array& b);
bool equal(const Outputs& a, const Outputs& b);

using Many = std::vector<Outputs>;  // of all probes
bool all_equal(const Many& a, const Many& b);
bool same_shapes(const Many& a, const Many& b);
Many of_all(const std::vector<Probe>& probes, const Function& function);

// What it gives, or what it throws.
struct Attempt {
  std::optional<Outputs> outputs = {};
  std::string thrown = {};
};
using Attempts = std::vector<Attempt>;  // on all probes
Attempt attempt(const Function& function, const Probe& probe);

// A number that is said to differ from another: with as many digits as it takes to see that it does.
std::string beside(double value, double other);

std::string place(const Array& array, std::size_t at);  // "x[2][0]": all axes but the last as rows

}  // namespace gradus::exercises
