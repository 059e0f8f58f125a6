// What attention's exercises share: a number for each query and key, and the product of two rows.
#pragma once

#include <cstddef>
#include <vector>

namespace gradus::exercises::set {

// [T, T], row-major: what a query i has of a key j.
struct Pairs {
  explicit Pairs(int size) : n(size), numbers(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)) {}
  double& operator()(int i, int j) { return numbers[static_cast<std::size_t>(i * n + j)]; }
  double operator()(int i, int j) const { return numbers[static_cast<std::size_t>(i * n + j)]; }
  int n;
  std::vector<double> numbers;
};

inline double product(const double* a, const double* b, int n) {
  double sum = 0;
  for (int c = 0; c < n; ++c) sum += a[c] * b[c];
  return sum;
}

}  // namespace gradus::exercises::set
