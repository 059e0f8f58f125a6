#include "core/inspect/compare.h"

#include <algorithm>
#include <cmath>

#include "core/options/range.h"
#include "core/tensor/create.h"

namespace gradus {
namespace {

bool close(double a, double b, double relative, double absolute, bool equal_nan) {
  if (a == b) return true;
  if (std::isnan(a) && std::isnan(b)) return equal_nan;
  return std::isfinite(a) && std::isfinite(b) && std::abs(a - b) <= absolute + relative * std::abs(b);
}

std::pair<std::vector<double>, std::vector<double>> values_of(const Tensor& a, const Tensor& b, OpName op = {}) {
  check_defined({{"a", a}, {"b", b}}, op);
  check<ShapeError>(a.shape() == b.shape(), "{}: shapes differ: {} and {}", op, a.shape(), b.shape());
  return {to_vector(a), to_vector(b)};
}

}  // namespace

bool equal(const Tensor& a, const Tensor& b) {
  check_defined({{"a", a}, {"b", b}});
  if (a.shape() != b.shape() || a.dtype() != b.dtype()) return false;
  if (a.dtype() == DType::i64) return std::equal(a.data<int64_t>(), a.data<int64_t>() + a.numel(), b.data<int64_t>());
  return allclose(a, b, 0, 0, true);
}

bool allclose(const Tensor& a, const Tensor& b, double relative, double absolute, bool equal_nan) {
  check_range("relative", relative, range::not_negative);
  check_range("absolute", absolute, range::not_negative);
  const auto [x, y] = values_of(a, b);
  return std::equal(x.begin(), x.end(), y.begin(), [&](double u, double v) { return close(u, v, relative, absolute, equal_nan); });
}

double max_difference(const Tensor& a, const Tensor& b) {
  const auto [x, y] = values_of(a, b);
  double largest = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double difference = close(x[i], y[i], 0, 0, true) ? 0 : std::abs(x[i] - y[i]);
    if (std::isnan(difference)) return difference;
    largest = std::max(largest, difference);
  }
  return largest;
}

}  // namespace gradus
