#include "core/io/print.h"

// As NumPy prints. (xtensor's printer writes braces and commas, rounds floats to a common precision,
// and knows no f16, so only the idea of it is here.)
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "core/tensor/half.h"

namespace gradus {
namespace {

constexpr int64_t kSummarizeBeyond = 1000;  // elements
constexpr int64_t kEdgeItems = 3;           // shown at both ends of a summarised axis
constexpr std::size_t kLineWidth = 75;
constexpr int kMaxDecimals = 8;  // in an array; a scalar shows all it has
constexpr int kUnlimited = 1000;

// --- one number ---------------------------------------------------------------------------------------------

// d.ddde±xx with the fewest digits that still name this very value among all of its type.
template <typename T> std::string shortest_scientific(T value) {
  std::string text;
  for (int decimals = 0; decimals < std::numeric_limits<T>::max_digits10; ++decimals) {
    text = fmt::format("{:.{}e}", static_cast<double>(value), decimals);
    if (static_cast<T>(std::strtod(text.c_str(), nullptr)) == value) break;
  }
  return text;
}

// A finite number, split so that a column of them can be aligned: "-1" "25" "", or "-1" "25" "e-07".
struct Digits { std::string whole, decimals, exponent; };

Digits split(const std::string& text) {
  const std::size_t e = std::min(text.find('e'), text.size()), point = std::min(text.find('.'), e);
  Digits digits{text.substr(0, point), point < e ? text.substr(point + 1, e - point - 1) : "", text.substr(e)};
  while (!digits.decimals.empty() && digits.decimals.back() == '0') digits.decimals.pop_back();
  return digits;
}

// With the fewest digits that name the value, within limits on the decimals.
template <typename T> Digits digits_of(T value, bool scientific, int at_least, int at_most) {
  const Digits shortest = split(shortest_scientific(value));
  const int mantissa = static_cast<int>(shortest.decimals.size());
  const int wanted = scientific ? mantissa : mantissa - std::atoi(shortest.exponent.c_str() + 1);
  const int shown = std::clamp(wanted, at_least, at_most);
  const auto exact = static_cast<double>(value);
  return split(scientific ? fmt::format("{:.{}e}", exact, shown) : fmt::format("{:.{}f}", exact, shown));
}

// The sign of a NaN says nothing: 0/0 has one.
std::string format_special(double value) { return std::isnan(value) ? "nan" : value < 0 ? "-inf" : "inf"; }

template <typename T> std::string format_scalar(T value) {
  const auto wide = static_cast<double>(value);
  if (!std::isfinite(wide)) return format_special(wide);
  const bool scientific = wide != 0 && (std::abs(wide) >= 1e16 || std::abs(wide) < 1e-4);
  const Digits digits = digits_of(value, scientific, 0, kUnlimited);
  if (!scientific) return fmt::format("{}.{}", digits.whole, digits.decimals.empty() ? "0" : digits.decimals);
  return fmt::format("{}{}{}{}", digits.whole, digits.decimals.empty() ? "" : ".", digits.decimals, digits.exponent);
}

template <> std::string format_scalar(int64_t value) { return fmt::format("{}", value); }

// --- a column of numbers: all in the same notation, points below each other -------------------------------------

// Scientific when a magnitude is large or small, or when they are far apart.
template <typename T> bool wants_scientific(const std::vector<T>& values) {
  double largest = 0, smallest = std::numeric_limits<double>::infinity();
  for (const T& value : values) {
    const double magnitude = std::abs(static_cast<double>(value));
    if (!std::isfinite(magnitude) || magnitude == 0) continue;
    largest = std::max(largest, magnitude);
    smallest = std::min(smallest, magnitude);
  }
  return largest > 0 && (largest >= 1e8 || smallest < 1e-4 || largest / smallest > 1000);
}

void align_right(std::vector<std::string>& words) {
  std::size_t width = 0;
  for (const std::string& word : words) width = std::max(width, word.size());
  for (std::string& word : words) word.insert(0, width - word.size(), ' ');
}

template <typename T> std::vector<std::string> format_column(const std::vector<T>& values) {
  const auto finite = [](T value) { return std::isfinite(static_cast<double>(value)); };
  const bool scientific = wants_scientific(values);
  std::size_t decimals = 0, exponent = 0;
  for (const T& value : values) {
    if (!finite(value)) continue;
    const Digits digits = digits_of(value, scientific, 0, kMaxDecimals);
    decimals = std::max(decimals, digits.decimals.size());
    exponent = std::max(exponent, digits.exponent.size());
  }
  std::vector<std::string> words;
  for (const T& value : values) {
    if (!finite(value)) {
      words.push_back(format_special(static_cast<double>(value)));
      continue;
    }
    Digits digits = digits_of(value, scientific, scientific ? static_cast<int>(decimals) : 0, kMaxDecimals);
    digits.decimals.resize(decimals, scientific ? '0' : ' ');
    if (scientific) digits.exponent.insert(2, exponent - digits.exponent.size(), '0');
    words.push_back(fmt::format("{}.{}{}", digits.whole, digits.decimals, digits.exponent));
  }
  align_right(words);
  return words;
}

template <> std::vector<std::string> format_column(const std::vector<int64_t>& values) {
  std::vector<std::string> words;
  for (int64_t value : values) words.push_back(fmt::format("{}", value));
  align_right(words);
  return words;
}

// --- the brackets -------------------------------------------------------------------------------------------

// The positions along an axis that are shown; -1 stands for those left out.
std::vector<int64_t> shown_positions(int64_t size, bool summarize) {
  std::vector<int64_t> positions;
  const bool shorten = summarize && size > 2 * kEdgeItems;
  for (int64_t i = 0; i < size; ++i) {
    if (shorten && i == kEdgeItems) {
      positions.push_back(-1);
      i = size - kEdgeItems;
    }
    positions.push_back(i);
  }
  return positions;
}

class Layout {
 public:
  explicit Layout(const Tensor& x) : shape_(x.shape()), summarize_(x.numel() > kSummarizeBeyond), strides_(strides_of(x.shape())) {}

  // The shown elements, in order.
  template <typename T> void collect(const T* data, int axis, std::vector<T>& values) const {
    for (int64_t i : shown_positions(shape_[axis], summarize_)) {
      if (i < 0) continue;
      const T* element = data + i * strides_[static_cast<std::size_t>(axis)];
      if (axis + 1 == shape_.rank()) {
        values.push_back(*element);
      } else {
        collect(element, axis + 1, values);
      }
    }
  }

  // Takes the words of one slice from `word` on. Rows are stacked, with an empty line more for each axis outside
  // of them; the numbers of a row wrap at the line width.
  std::string brackets(int axis, std::vector<std::string>::const_iterator& word) const {
    const std::string indent(static_cast<std::size_t>(axis) + 1, ' ');
    const auto inner = static_cast<std::size_t>(shape_.rank() - axis - 1);
    const std::string separator = inner == 0 ? " " : std::string(inner, '\n') + indent;
    std::string text = "[";
    std::size_t column = indent.size();
    const std::vector<int64_t> positions = shown_positions(shape_[axis], summarize_);
    for (std::size_t k = 0; k < positions.size(); ++k) {
      const std::string item = positions[k] < 0 ? "..." : inner == 0 ? *word++ : brackets(axis + 1, word);
      // Every line has room for the brackets that may close after it.
      const bool wraps = inner == 0 && k > 0 && column + 1 + item.size() + indent.size() > kLineWidth;
      if (wraps) text.erase(text.find_last_not_of(' ') + 1);
      if (k > 0) text += wraps ? '\n' + indent : separator;
      column = wraps ? indent.size() + item.size() : column + item.size() + (k > 0 ? 1 : 0);
      text += item;
    }
    return text + "]";
  }

 private:
  Shape shape_;
  bool summarize_;
  Strides strides_;
};

// The words of a column, each by the format that was asked for; without one, so that they align.
template <typename T> std::vector<std::string> words_of(const std::vector<T>& values, fmt::string_view of_number) {
  if (of_number.size() == 0) return format_column(values);
  const std::string each = fmt::format("{{:{}}}", of_number);
  std::vector<std::string> words;
  for (const T& value : values) words.push_back(fmt::format(fmt::runtime(each), static_cast<double>(value)));
  align_right(words);
  return words;
}

template <typename T> std::string format_values(const Tensor& x, fmt::string_view of_number) {
  if (x.rank() == 0) return of_number.size() == 0 ? format_scalar(*x.data<T>()) : words_of<T>({*x.data<T>()}, of_number)[0];
  const Layout layout(x);
  std::vector<T> values;
  layout.collect(x.data<T>(), 0, values);
  const std::vector<std::string> words = words_of(values, of_number);
  auto word = words.begin();
  return layout.brackets(0, word);
}

std::string format_tensor(const Tensor& x, fmt::string_view of_number = {}) {
  if (!x.defined()) return "undefined (as a grad(): none has arrived; what an op made keeps one only after retain_grad())";
  if (x.numel() == 0) return x.rank() == 1 ? "[]" : fmt::format("[] (shape {})", x.shape());
  return dispatch(x.dtype(), [&]<typename T>() { return format_values<T>(x, of_number); });
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Tensor& tensor) { return out << format_tensor(tensor); }

}  // namespace gradus

auto fmt::formatter<gradus::Tensor>::format(const gradus::Tensor& tensor, fmt::format_context& context) const
    -> fmt::format_context::iterator {
  return fmt::formatter<fmt::string_view>::format(gradus::format_tensor(tensor, of_number_), context);
}
