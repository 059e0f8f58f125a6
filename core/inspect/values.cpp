// What is kept of a tensor's values.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/inspect/tracer.h"
#include "core/tensor/half.h"

namespace gradus::inspect {
namespace {

constexpr int64_t kCornerSize = 6;
constexpr std::size_t kBins = 16;

// The decimal with the fewest digits that comes back as this very element: 0.1, not 0.100000001490116.
double shortest(float x) { return std::isfinite(x) ? std::strtod(fmt::format("{}", x).c_str(), nullptr) : double{x}; }
double shortest(double x) { return x; }
double shortest(std::int64_t x) { return static_cast<double>(x); }
double shortest(half x) {
  const auto wide = static_cast<float>(x);
  for (int digits = 1; std::isfinite(wide) && wide != std::trunc(wide) && digits < 5; ++digits) {
    const double rounded = std::strtod(fmt::format("{:.{}g}", wide, digits).c_str(), nullptr);
    if (static_cast<float>(convert<half>(rounded)) == wide) return rounded;
  }
  return double{wide};
}

// A number that describes, and is not an element: seven digits will do.
double rounded(double x) { return std::strtod(fmt::format("{:.7g}", x).c_str(), nullptr); }

// Mean, root mean square and histogram of the finite elements, which lie between min and max. They are divided by the
// greatest magnitude first, so that no sum overflows.
template <typename T> void describe_finite(const T* data, Values::Summary& s) {
  const double largest = std::max(std::abs(s.min), std::abs(s.max)), unit = largest > 0 ? largest : 1;
  const double scale = s.max > s.min ? static_cast<double>(kBins) / (s.max / unit - s.min / unit) : 0;
  double sum = 0, squares = 0;
  s.histogram.assign(kBins, 0);
  for (int64_t i = 0; i < s.count; ++i) {
    const double x = static_cast<double>(data[i]) / unit;
    if (!std::isfinite(x)) continue;
    sum += x;
    squares += x * x;
    ++s.histogram[std::min(static_cast<std::size_t>((x - s.min / unit) * scale), kBins - 1)];
  }
  const auto finite = static_cast<double>(s.count - s.nan - s.inf);
  s.mean = rounded(sum / finite * unit);
  s.rms = rounded(std::sqrt(squares / finite) * unit);
}

template <typename T> Values::Summary summarize(const T* data, int64_t count) {
  Values::Summary s;
  s.count = count;
  s.min = HUGE_VAL;
  s.max = -HUGE_VAL;
  for (int64_t i = 0; i < count; ++i) {
    const auto x = static_cast<double>(data[i]);
    s.zero += x == 0;
    if (std::isfinite(x)) {
      s.min = std::min(s.min, x);
      s.max = std::max(s.max, x);
    } else {
      ++(std::isnan(x) ? s.nan : s.inf);
    }
  }
  if (s.nan + s.inf == count) {
    s.min = s.max = 0;
    return s;
  }
  describe_finite(data, s);
  s.min = shortest(static_cast<T>(s.min));
  s.max = shortest(static_cast<T>(s.max));
  return s;
}

// The first rows and columns of the first matrix; of a vector its first elements.
Shape corner_of(const Shape& shape) {
  Shape corner;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    corner.push_back(axis < shape.rank() - 2 ? 1 : std::min(shape[axis], kCornerSize));
  }
  return corner;
}

}  // namespace

bool Measure::take(std::int64_t numbers) {
  const auto bytes = numbers * static_cast<std::int64_t>(sizeof(double));
  if (bytes > bytes_left_) {
    ++shortened_;
    return false;
  }
  bytes_left_ -= bytes;
  return true;
}

Values Measure::operator()(const Tensor& x) {
  Values values{.shape = x.shape()};
  dispatch(x.dtype(), [&]<typename T>() {
    const T* data = x.data<T>();
    const int64_t count = x.numel();
    if (count <= 1 || (count <= whole_ && take(count))) {
      std::transform(data, data + count, std::back_inserter(values.all), [](T v) { return shortest(v); });
      return;
    }
    values.summary = summarize(data, count);
    const Shape corner = corner_of(x.shape());
    if (!take(corner.numel())) return;
    values.corner_shape = corner;
    const int64_t columns = x.size(-1), width = corner[-1], rows = corner.numel() / width;
    for (int64_t row = 0; row < rows; ++row) {
      const T* const first = data + row * columns;
      std::transform(first, first + width, std::back_inserter(values.corner), [](T v) { return shortest(v); });
    }
  });
  return values;
}

}  // namespace gradus::inspect
