// The expected texts are NumPy's str() of the same arrays.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "core/tensor/create.h"

using namespace gradus;

namespace {

std::string text(const Tensor& x) { return fmt::format("{}", x); }
std::string text(const Nested& values, DType dtype = DType::f32) { return text(tensor(values, dtype)); }

}  // namespace

TEST_CASE("print: scalars") {
  CHECK(text(2.5) == "2.5");
  CHECK(text(1) == "1.0");
  CHECK(text(0.1) == "0.1");
  CHECK(text(0.1, DType::f16) == "0.1");
  CHECK(text(1.0 / 3, DType::f64) == "0.3333333333333333");
  CHECK(text(-0.0) == "-0.0");
  CHECK(text(1e-5) == "1e-05");
  CHECK(text(1.5e20) == "1.5e+20");
  CHECK(text(-7, DType::i64) == "-7");
  CHECK(text(NAN) == "nan");
  CHECK(text(-INFINITY) == "-inf");
}

TEST_CASE("print: floats are aligned at the point and lose their zeros") {
  CHECK(text({1, 2, 3}) == "[1. 2. 3.]");
  CHECK(text({1, 2.5, -3}) == "[ 1.   2.5 -3. ]");
  CHECK(text({{1, -2}, {10, 0.25}}) == "[[ 1.   -2.  ]\n [10.    0.25]]");
  CHECK(text({1.0 / 3, 2.0 / 3}) == "[0.33333334 0.6666667 ]");
  CHECK(text({1.0 / 3, 2.0 / 3}, DType::f64) == "[0.33333333 0.66666667]");
  CHECK(text({1.0 / 3, 2.0 / 3}, DType::f16) == "[0.3333 0.6665]");
  CHECK(text({99999992}) == "[99999992.]");
}

TEST_CASE("print: scientific for large, small and distant magnitudes") {
  CHECK(text({1e8, 1}) == "[1.e+08 1.e+00]");
  CHECK(text({0.00001, 0.5}) == "[1.e-05 5.e-01]");
  CHECK(text({0.5, 1001}) == "[5.000e-01 1.001e+03]");
  CHECK(text({1e-100, 1e100, 0}, DType::f64) == "[1.e-100 1.e+100 0.e+000]");
  CHECK(text({1.5e10, -NAN, INFINITY}, DType::f64) == "[1.5e+10     nan     inf]");
}

TEST_CASE("print: NaN and infinity take part in the alignment") {
  CHECK(text({1, NAN}) == "[ 1. nan]");
  CHECK(text({1.25, -INFINITY, INFINITY}) == "[1.25 -inf  inf]");
  CHECK(text({NAN, NAN}) == "[nan nan]");
}

TEST_CASE("print: integers") {
  CHECK(text({{1, -20}, {300, 4}}, DType::i64) == "[[  1 -20]\n [300   4]]");
  CHECK(text(full({1}, -9223372036854775808.0, DType::i64)) == "[-9223372036854775808]");
}

TEST_CASE("print: an empty line for each axis outside of the rows") {
  CHECK(text({{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, DType::i64) == "[[[1 2]\n  [3 4]]\n\n [[5 6]\n  [7 8]]]");
  CHECK(text(ones({2, 1, 1, 1})) == "[[[[1.]]]\n\n\n [[[1.]]]]");
}

TEST_CASE("print: long rows wrap") {
  CHECK(text(arange(30)) == "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n 24 25 26 27 28 29]");
}

TEST_CASE("print: beyond 1000 elements only the edges of each axis") {
  CHECK(text(arange(1001)) == "[   0    1    2 ...  998  999 1000]");
  CHECK(text(zeros({100, 100})) ==
        "[[0. 0. 0. ... 0. 0. 0.]\n [0. 0. 0. ... 0. 0. 0.]\n [0. 0. 0. ... 0. 0. 0.]\n ...\n"
        " [0. 0. 0. ... 0. 0. 0.]\n [0. 0. 0. ... 0. 0. 0.]\n [0. 0. 0. ... 0. 0. 0.]]");
  CHECK(text(zeros({2, 600})) == "[[0. 0. 0. ... 0. 0. 0.]\n [0. 0. 0. ... 0. 0. 0.]]");
  CHECK(text(arange(1000)).find("...") == std::string::npos);
}

TEST_CASE("print: nothing to show") {
  CHECK(text(Tensor()) == "undefined (as a grad(): none has arrived; what an op made keeps one only after retain_grad())");
  CHECK(text(zeros({0})) == "[]");
  CHECK(text(zeros({3, 0})) == "[] (shape [3, 0])");
}

TEST_CASE("print: streams and fmt's width") {
  std::ostringstream out;
  out << tensor({1, 2});
  CHECK(out.str() == "[1. 2.]");
  CHECK(fmt::format("{:>9}", tensor({1, 2})) == "  [1. 2.]");
}

TEST_CASE("print: a format for numbers is each number's") {
  CHECK(fmt::format("{:.4f}", tensor(2.0 / 3)) == "0.6667");
  CHECK(fmt::format("{:8.1e}|", tensor(12345, DType::f64)) == " 1.2e+04|");
  CHECK(fmt::format("{:.2f}", tensor({{1, -20.125}, {0.333, NAN}}, DType::f64)) == "[[  1.00 -20.12]\n [  0.33    nan]]");
  CHECK(fmt::format("{:.1f}", tensor(3, DType::i64)) == "3.0");
  CHECK(fmt::format("{:+.3G} and {}", tensor(0.5), tensor(0.5)) == "+0.5 and 0.5");
}
