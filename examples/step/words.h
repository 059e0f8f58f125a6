// How the stepper says what a trace holds: numbers, tensors, gradients.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/inspect/trace.h"
#include "examples/shared/terminal/styled.h"

namespace gradus::examples {

// Never -0; "0" is exact, and what is not finite has its name.
std::string number(double x, int significant_digits = 5);

struct Measures {
  std::int64_t count = 0, nan = 0, inf = 0, zero = 0;
  double norm = 0;  // √(Σx²) of the finite elements
};
Measures measures(const inspect::Values& values);

// A number; few numbers as [[1, 2], [3, 4]]; else what can be said of them, and the shape if there is room for it:
// "[64, 32] rms 0.12", "rms 0.12".
std::string brief(const inspect::Values& values, std::size_t width = 24);
bool is_written_out(const inspect::Values& values, std::size_t width = 24);  // would brief() show every element?

std::string plural(std::size_t count, const char* what);  // "1 visit", "2 visits"

// "#7 mul", "#9 s add" with a name, "#1 w" for a leaf; a constant of one number is that number. A long name loses its head:
// "#47 …norm1.gain".
StyledLine called(const inspect::TracedTensor& tensor, std::size_t room = SIZE_MAX);
StyledLine called_short(const inspect::TracedTensor& tensor);  // by name, or by number
StyledLine value_of(const inspect::TracedTensor& tensor, std::size_t width = 24);

// "cut by sign: it passes no gradient on", of a tensor that wants a gradient and is given none; else empty.
StyledLine cut_of(const inspect::Trace& trace, const inspect::TracedTensor& tensor);

// What naive recursion ends with at this tensor; null where it was not recorded, or not to the end.
const inspect::Values* naive_gradient(const inspect::Trace& trace, std::uint64_t number);
// "✓ what 25", or with ✗ where the two differ as far as they are shown.
StyledLine compared(const std::string& what, const inspect::Values& found, const inspect::Values& right, std::size_t width);

// The formula's right-hand side with numbers for its names: "dL/dy ⊙ b" as "1 ⊙ 3". Empty where it would be no arithmetic:
// one of its words is neither a name with a number nor a function, or nothing is replaced.
std::string with_numbers(std::string_view formula, const std::map<std::string, std::string>& numbers);

}  // namespace gradus::examples
