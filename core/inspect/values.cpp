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
    if (static_cast<float>(static_cast<half>(static_cast<float>(rounded))) == wide) return rounded;
  }
  return double{wide};
}

// A number that describes, and is not an element: seven digits will do.
double rounded(double x) { return shortest(static_cast<float>(x)); }

template <typename T> std::vector<std::int64_t> histogram(const T* data, int64_t count, double min, double max) {
  std::vector<std::int64_t> bins(kBins, 0);
  const double scale = max > min ? static_cast<double>(kBins) / (max - min) : 0;
  for (int64_t i = 0; i < count; ++i) {
    const auto x = static_cast<double>(data[i]);
    if (std::isfinite(x)) ++bins[std::min(static_cast<std::size_t>((x - min) * scale), kBins - 1)];
  }
  return bins;
}

template <typename T> Values::Summary summarize(const T* data, int64_t count) {
  Values::Summary s;
  s.count = count;
  double sum = 0, squares = 0, min = HUGE_VAL, max = -HUGE_VAL;
  for (int64_t i = 0; i < count; ++i) {
    const auto x = static_cast<double>(data[i]);
    s.zero += x == 0;
    if (!std::isfinite(x)) {
      ++(std::isnan(x) ? s.nan : s.inf);
      continue;
    }
    sum += x;
    squares += x * x;
    min = std::min(min, x);
    max = std::max(max, x);
  }
  const int64_t finite = count - s.nan - s.inf;
  if (finite == 0) return s;
  s.min = rounded(min);
  s.max = rounded(max);
  s.mean = rounded(sum / static_cast<double>(finite));
  s.rms = rounded(std::sqrt(squares / static_cast<double>(finite)));
  s.histogram = histogram(data, count, min, max);
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
