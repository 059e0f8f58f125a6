#include "examples/step/words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "examples/shared/terminal/columns.h"

namespace gradus::examples {

using inspect::TracedTensor;
using inspect::Values;

namespace {

// Nested brackets; stops when the text is longer than it may be.
std::string written(const std::vector<double>& all, const Shape& shape, int axis, std::size_t& at, std::size_t limit) {
  if (axis == shape.rank()) return number(all[at++]);
  std::string text = "[";
  for (int64_t i = 0; i < shape[axis] && text.size() <= 4 * limit; ++i) {
    text += (i > 0 ? ", " : "") + written(all, shape, axis + 1, at, limit);
  }
  return text + "]";
}

std::string in_full(const Values& values, std::size_t width) {
  if (static_cast<int64_t>(values.all.size()) != values.shape.numel()) return "";
  std::size_t at = 0;
  const std::string text = written(values.all, values.shape, 0, at, width);
  return at == values.all.size() && columns(text) <= width ? text : "";
}

std::string summary(const Values& values) {
  const Measures m = measures(values);
  if (m.count > 0 && m.zero == m.count) return "zeros";
  const std::int64_t finite = m.count - m.nan - m.inf;
  std::string text = m.nan > 0 ? fmt::format("NaN {}× ", m.nan) : "";
  if (m.inf > 0) text += fmt::format("∞ {}× ", m.inf);
  if (finite > 0) return text + "rms " + number(m.norm / std::sqrt(static_cast<double>(finite)), 3);
  return text.empty() ? "no elements" : text.substr(0, text.size() - 1);
}

// The last `room` columns of a name, and at least its last two parts: "…norm1.gain".
std::string tail(std::string_view name, std::size_t room) {
  const std::size_t dot = name.rfind('.'), before = dot == 0 || dot == name.npos ? dot : name.rfind('.', dot - 1);
  if (before != name.npos) room = std::max(room, std::min<std::size_t>(columns(name.substr(before)), 16));
  std::size_t width = columns(name);
  if (width <= room) return std::string(name);
  while (width + 1 > room && !name.empty()) {
    const std::size_t size = character_size(name);
    width -= columns(name.substr(0, size));
    name.remove_prefix(size);
  }
  return "…" + std::string(name);
}

}  // namespace

std::string number(double x, int significant_digits) {
  if (std::isnan(x)) return "NaN";
  if (std::isinf(x)) return x > 0 ? "∞" : "−∞";
  if (x == 0) return "0";
  std::string text = fmt::format("{:.{}g}", x, significant_digits);
  const std::string sign = text[0] == '-' ? "−" : "";
  return sign + (sign.empty() ? text : text.substr(1));
}

Measures measures(const Values& values) {
  if (values.summary) {
    const Values::Summary& s = *values.summary;
    return {s.count, s.nan, s.inf, s.zero, s.rms * std::sqrt(static_cast<double>(s.count - s.nan - s.inf))};
  }
  Measures m;
  for (const double x : values.all) {
    ++m.count;
    m.nan += std::isnan(x);
    m.inf += std::isinf(x);
    m.zero += x == 0;
    if (std::isfinite(x)) m.norm = std::hypot(m.norm, x);
  }
  return m;
}

bool is_written_out(const Values& values, std::size_t width) { return !in_full(values, width).empty(); }

std::string brief(const Values& values, std::size_t width) {
  if (const std::string text = in_full(values, width); !text.empty()) return text;
  const std::string shape = values.shape.str() + " ", told = summary(values);
  return columns(shape + told) <= width ? shape + told : told;
}

std::string plural(std::size_t count, const char* what) { return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"); }

StyledLine called_short(const TracedTensor& t) {
  const bool leaf = t.kind == TracedTensor::Kind::leaf;
  if (!t.name.empty()) return {leaf ? Role::parameter : Role::plain, t.name};
  if (t.kind == TracedTensor::Kind::constant && t.values.shape.numel() == 1 && is_written_out(t.values)) {
    return {Role::constant, brief(t.values)};
  }
  return {leaf ? Role::parameter : Role::plain, fmt::format("#{}", t.number)};
}

StyledLine called(const TracedTensor& t, std::size_t room) {
  using Kind = TracedTensor::Kind;
  StyledLine line;
  if (t.kind == Kind::constant) {
    line.add(called_short(t));
    return t.name.empty() && t.values.shape.numel() == 1 ? line : line.add(Role::constant, " constant");
  }
  line.add(t.kind == Kind::leaf ? Role::parameter : Role::plain, fmt::format("#{}", t.number));
  const std::size_t used = line.width() + 1 + t.op.size();
  const std::string name = tail(t.name, room > used + 4 ? room - used : 4);
  if (!t.name.empty()) line.add(t.kind == Kind::leaf ? Role::parameter : Role::plain, " " + name);
  if (t.kind == Kind::leaf && t.name.empty()) line.add(Role::parameter, " leaf");
  if (t.kind == Kind::freed) line.add(" (freed)");
  return t.op.empty() ? line : line.add(" " + t.op);
}

StyledLine value_of(const TracedTensor& t, std::size_t width) {
  const bool constant = t.kind == TracedTensor::Kind::constant;
  return {constant ? Role::constant : Role::value, brief(t.values, width)};
}

StyledLine cut_of(const inspect::Trace& trace, const TracedTensor& tensor) {
  std::vector<std::string> ops;
  for (const std::uint64_t number : tensor.severed_by) {
    const TracedTensor& cut = trace.tensor(number);
    const std::string op = cut.op.empty() ? cut.name.substr(0, cut.name.find('(')) : cut.op;
    if (std::find(ops.begin(), ops.end(), op) == ops.end()) ops.push_back(op);
  }
  if (ops.empty()) return {};
  return fmt::format("cut by {}: {} no gradient on", fmt::join(ops, ", "), ops.size() == 1 ? "it passes" : "they pass");
}

const Values* naive_gradient(const inspect::Trace& trace, std::uint64_t number) {
  const Values* last = nullptr;
  const auto& naive = trace.naive;
  if (!naive || !naive->complete || naive->visits > static_cast<std::int64_t>(naive->arrivals.size())) return nullptr;
  for (const auto& arrival : naive->arrivals) last = arrival.to == number ? &arrival.after : last;
  return last;
}

StyledLine compared(const std::string& what, const Values& found, const Values& right, std::size_t width) {
  const std::string text = brief(found, width);
  const bool same = text == brief(right, width);
  return {same ? Role::right : Role::wrong, (same ? "✓ " : "✗ ") + what + text};
}

namespace {

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

// One word of a formula, dL/dy being one.
std::string_view word_at(std::string_view rest) {
  if (rest.substr(0, 4) == "dL/d") {
    std::size_t end = 4;
    while (end < rest.size() && is_word(rest[end])) ++end;
    return rest.substr(0, end);
  }
  std::size_t end = 0;
  while (end < rest.size() && is_word(rest[end])) ++end;
  return rest.substr(0, end);
}

bool is_function(std::string_view word) {
  static const std::set<std::string_view> known{"e", "sin", "cos", "log", "exp", "erf", "tanh", "sqrt", "sign", "sigmoid"};
  return known.count(word) > 0 || (word[0] >= '0' && word[0] <= '9');
}

}  // namespace

std::string with_numbers(std::string_view formula, const std::map<std::string, std::string>& numbers) {
  std::string text;
  bool replaced = false;
  while (!formula.empty()) {
    const std::string_view word = word_at(formula);
    if (word.empty()) {
      text += formula[0];
      formula.remove_prefix(1);
      continue;
    }
    formula.remove_prefix(word.size());
    const auto found = numbers.find(std::string(word));
    if (found == numbers.end()) {
      if (!is_function(word)) return "";
      text += word;
      continue;
    }
    const bool negative = found->second.rfind("−", 0) == 0;
    const bool raised = !formula.empty() && (formula[0] == '^' || formula.rfind("²", 0) == 0 || formula.rfind("⁻", 0) == 0);
    text += negative && (!text.empty() || raised) ? "(" + found->second + ")" : found->second;
    replaced = true;
  }
  return replaced ? text : "";
}

}  // namespace gradus::examples
