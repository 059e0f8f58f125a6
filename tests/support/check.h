// doctest, told how to print Gradus' types, and the comparisons tests need.
#pragma once

#include <doctest/doctest.h>
#include <fmt/ranges.h>

#include <limits>
#include <string>
#include <vector>

#include "core/inspect/compare.h"
#include "core/io/print.h"
#include "core/tensor/create.h"
#include "core/tensor/tensor.h"

namespace doctest {

template <> struct StringMaker<gradus::Shape> {
  static String convert(const gradus::Shape& shape) { return shape.str().c_str(); }
};
template <> struct StringMaker<gradus::DType> {
  static String convert(gradus::DType dtype) { return fmt::format("{}", dtype).c_str(); }
};
template <> struct StringMaker<std::vector<double>> {
  static String convert(const std::vector<double>& values) { return fmt::format("{}", values).c_str(); }
};
template <> struct StringMaker<std::vector<int>> {
  static String convert(const std::vector<int>& values) { return fmt::format("{}", values).c_str(); }
};

}  // namespace doctest

namespace gradus::test {

using Values = std::vector<double>;

inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(), kInfinity = std::numeric_limits<double>::infinity();

// "" when |actual - expected| <= tolerance · max(1, largest |expected|) everywhere and shapes agree, NaN and infinity
// being equal to themselves only; otherwise what is wrong: CHECK(difference(y, z, 1e-12) == "").
std::string difference(const Tensor& actual, const Tensor& expected, double tolerance);

inline bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace gradus::test
