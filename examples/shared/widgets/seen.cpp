#include "examples/shared/widgets/seen.h"

#include <fmt/format.h>

#include <cmath>

#include "core/ops/ops.h"

namespace gradus::widgets {
namespace {

template <typename Item> std::string list(std::size_t count, const Item& item) {
  std::string all = "[";
  for (std::size_t i = 0; i < count; ++i) all += (i > 0 ? "," : "") + item(i);
  return all + "]";
}

// The elements of x from here on, along this axis and those after it.
std::string nested(const double*& at, const Shape& shape, int axis) {
  if (axis == shape.rank()) return json(*at++);
  return list(static_cast<std::size_t>(shape[axis]), [&](std::size_t) { return nested(at, shape, axis + 1); });
}

}  // namespace

std::string json(double value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value > 0 ? "\"inf\"" : "\"-inf\"";
  return fmt::format("{:.8g}", value);
}

std::string json(std::string_view text) {
  std::string all = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') all += '\\';
    if (static_cast<unsigned char>(c) < ' ') all += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else all += c;
  }
  return all + "\"";
}

std::string json(const Tensor& tensor) {
  const Tensor wide = cast(tensor.detach(), DType::f64);
  const double* at = wide.data<double>();
  return nested(at, wide.shape(), 0);
}

std::string json(const std::vector<double>& numbers) {
  return list(numbers.size(), [&](std::size_t i) { return json(numbers[i]); });
}

std::string json(const std::vector<std::string>& texts) {
  return list(texts.size(), [&](std::size_t i) { return json(std::string_view(texts[i])); });
}

Seen& Seen::add(std::string_view name, const std::vector<Seen>& values) {
  return add_json(name, list(values.size(), [&](std::size_t i) { return values[i].text(); }));
}

Seen& Seen::add_json(std::string_view name, const std::string& value) {
  inside_ += (inside_.empty() ? "" : ",") + json(name) + ":" + value;
  return *this;
}

}  // namespace gradus::widgets
