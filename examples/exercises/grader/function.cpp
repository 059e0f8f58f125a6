#include "examples/exercises/grader/function.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/check.h"

namespace gradus::exercises {
namespace {

const double kBlank = std::bit_cast<double>(std::uint64_t{0x7ff8'6772'6164'7573});    // a NaN that no arithmetic gives
const double kOutside = std::bit_cast<double>(std::uint64_t{0x7ff8'6f75'7473'6964});  // another one
constexpr double kMarginal = 0x1.6d617267696ep-2;                                     // no NaN: NaN + 1 would be the same NaN

std::size_t numel(const std::vector<int>& shape) {
  std::size_t product = 1;
  for (int size : shape) product *= static_cast<std::size_t>(size);
  return product;
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof(double)) == 0; }

// As it is compared for each call of each mistake, all at once.
const std::vector<double>& margin() {
  static const std::vector<double> numbers(Sheet::kMargin, kMarginal);
  return numbers;
}

}  // namespace

void todo() { throw NotWritten{}; }

bool never_written(double value) { return same_bits(value, kBlank); }

void mark_outside(Array& array) {
  const std::size_t size = array.numbers.size();
  array.numbers.resize(size + Sheet::kMargin, kOutside);
  array.numbers.resize(size);
}

bool from_outside(double value) { return same_bits(std::copysign(value, 1.0), kOutside); }

bool Array::operator==(const Array& other) const {
  return name == other.name && shape == other.shape && numbers.size() == other.numbers.size() &&
         std::equal(numbers.begin(), numbers.end(), other.numbers.begin(), same_bits);
}

Array number(const std::string& name, double value) { return {name, {}, {value}}; }

Array array(const std::string& name, std::vector<int> shape, std::vector<double> numbers) {
  check<ShapeError>(numel(shape) == numbers.size(), "array {}: {} numbers for its shape", name, numbers.size());
  return {name, std::move(shape), std::move(numbers)};
}

const Array& Probe::operator[](const std::string& input) const {
  for (const Array& one : inputs) {
    if (one.name == input) return one;
  }
  throw ValueError("the probe '" + name + "' has no input " + input);
}

int columns_of(const Array& array) { return array.shape.empty() ? 1 : array.shape.back(); }

double largest(const Array& array) {
  double most = 0;
  for (double value : array.numbers) {
    if (std::isfinite(value)) most = std::max(most, std::abs(value));
  }
  return most;
}

bool close(double a, double b, double scale) {
  if (never_written(a) != never_written(b)) return false;
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <= 1e-9 * scale + 1e-300;
}

int rows_of(const Array& array) {
  const int columns = columns_of(array);
  return columns == 0 ? 0 : static_cast<int>(array.numbers.size()) / columns;
}

In in(const Array& array) { return {rows_of(array), columns_of(array), array.numbers.data()}; }

In Probe::in(const std::string& input) const { return exercises::in((*this)[input]); }

Sheet::Sheet(std::string name, std::vector<int> shape) : array_{std::move(name), std::move(shape), {}}, paper_(margin()) {
  paper_.insert(paper_.end(), numel(array_.shape), kBlank);
  paper_.insert(paper_.end(), margin().begin(), margin().end());
}

Sheet::Sheet(const exercises::Array& held) : Sheet(held.name, held.shape) {
  std::copy(held.numbers.begin(), held.numbers.end(), paper_.begin() + kMargin);
}

Out Sheet::out() {
  const int columns = columns_of(array_), all = static_cast<int>(paper_.size() - 2 * kMargin);
  return {columns == 0 ? 0 : all / columns, columns, paper_.data() + kMargin};
}

Array Sheet::array() const {
  const auto is_margin = [](const double* numbers) { return std::memcmp(numbers, margin().data(), kMargin * sizeof(double)) == 0; };
  if (!is_margin(paper_.data()) || !is_margin(paper_.data() + paper_.size() - kMargin)) throw WroteOutside{array_.name};
  Array written = array_;
  written.numbers.assign(paper_.begin() + kMargin, paper_.end() - kMargin);
  return written;
}

}  // namespace gradus::exercises
