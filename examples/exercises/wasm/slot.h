// An argument of a student's function, on its way from the grader's module to the student's, which has another memory.
#pragma once

#include "examples/exercises/rows.h"

namespace gradus::exercises {

// The page copies what is at `address`, and `beside` bytes on either side of it, from memory to memory, and back after the call.
struct Slot {
  double number = 0;     // where it is one, and no array
  unsigned address = 0;  // of an array
  int rows = 0, columns = 0;
  unsigned bytes = 0, beside = 0;

  operator double() const { return number; }
  operator int() const { return static_cast<int>(number); }
  operator In() const { return {rows, columns, reinterpret_cast<const double*>(address)}; }
  operator Out() const { return {rows, columns, reinterpret_cast<double*>(address)}; }
  template <typename T> operator const T*() const { return reinterpret_cast<const T*>(address); }
};

// How a call came to its end, where a page knows it: the numbers are also those of the runner's JavaScript.
enum class Ending { returned, not_written, out_of_memory, recursion, outside, division, trap, exited };

}  // namespace gradus::exercises
