// All that an exercise on rows of numbers needs: arrays to read and to write, and the functions of <cmath>.
#pragma once

#include <algorithm>
#include <cmath>

namespace gradus::exercises {

// [rows, columns], to be read: x[i][j]. A single row is x[0].
struct In {
  int rows, columns;
  const double* numbers;
  const double* operator[](int row) const { return numbers + row * columns; }
};

// [rows, columns], to be written: y[i][j] = …
struct Out {
  int rows, columns;
  double* numbers;
  double* operator[](int row) const { return numbers + row * columns; }
};

[[noreturn]] void todo();  // what stands where nothing is written yet

}  // namespace gradus::exercises

using namespace gradus::exercises;
