#include "examples/widgets/knobs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "core/tensor/create.h"
#include "examples/shared/report/decimal.h"

namespace gradus::widgets {
namespace {

std::vector<std::string> split(std::string_view text, char by) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == by) parts.emplace_back();
    else parts.back() += c;
  }
  return parts;
}

int hex(char c) {
  const std::string_view digits = "0123456789abcdef";
  const std::size_t at = digits.find(static_cast<char>(c | 0x20));
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

// "a%3Db" is "a=b".
std::string decoded(std::string_view text) {
  std::string all;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0) {
      all += static_cast<char>(16 * hex(text[i + 1]) + hex(text[i + 2]));
      i += 2;
    } else {
      all += text[i];
    }
  }
  return all;
}

double number_of(const std::string& name, const std::string& text, Range range) {
  const std::optional<double> value = examples::decimal(text);
  check<ValueError>(value.has_value(), "{}: '{}' is not a number", name, text);
  check<ValueError>(*value >= range.least && *value <= range.most, "{}: {} is not from {} to {}", name, *value, range.least, range.most);
  return *value;
}

// All of a range that two digits can write, from the least, which is 0 or below it, to the most; 0 and the ends are among them.
std::vector<double> stops_of(Range range) {
  std::vector<double> stops;
  const auto upwards = [&](double end, double sign) {
    const double last = std::round(end / range.step);
    double power = 1;  // of ten, in steps
    for (double at = 1; at < last; at += power) {
      if (at >= 100 * power) power *= 10;
      stops.push_back(sign * at * range.step);
    }
    if (last >= 1) stops.push_back(sign * end);
  };
  upwards(-range.least, -1);
  std::reverse(stops.begin(), stops.end());
  stops.push_back(0);
  upwards(range.most, 1);
  return stops;
}

Seen described(const std::string& kind, const std::string& name, const std::string& words) {
  return Seen().add("kind", kind).add("name", name).add("words", words);
}

Seen described(const std::string& kind, const std::string& name, const std::string& words, Range range) {
  Seen all = described(kind, name, words).add("least", range.least).add("most", range.most).add("step", range.step);
  if (range.two_digits) all.add("stops", stops_of(range));
  return range.play > 0 ? all.add("play", range.play) : all;
}

}  // namespace

Knobs::Knobs(std::string_view state, int milliseconds) {
  if (milliseconds > 0) due_ = Clock::now() + std::chrono::milliseconds(milliseconds);
  if (state.empty()) return;
  for (const std::string& one : split(state, '&')) {
    const std::size_t at = one.find('=');
    check<ValueError>(at != std::string::npos, "'{}' is not a knob and its value, such as c=3", one);
    given_[decoded(one.substr(0, at))] = decoded(one.substr(at + 1));
  }
}

const std::string* Knobs::given(const std::string& name) const {
  known_.push_back(name);
  const auto found = given_.find(name);
  return found == given_.end() ? nullptr : &found->second;
}

double Knobs::number(const std::string& name, const std::string& words, double first, Range range) {
  note(name, described("number", name, words, range).add("first", first));
  const std::string* text = given(name);
  return text != nullptr ? number_of(name, *text, range) : first;
}

std::int64_t Knobs::whole(const std::string& name, const std::string& words, std::int64_t first, Range range) {
  const double value = number(name, words, static_cast<double>(first), range);
  check<ValueError>(value == std::floor(value), "{}: {} is not a whole number", name, value);
  return static_cast<std::int64_t>(value);
}

bool Knobs::on(const std::string& name, const std::string& words, bool first) {
  note(name, described("switch", name, words).add("first", first ? 1 : 0));
  const std::string* text = given(name);
  return text != nullptr ? number_of(name, *text, {0, 1, 1}) == 1 : first;
}

std::string Knobs::choice(const std::string& name, const std::string& words, const std::string& first,
                          const std::vector<std::string>& names) {
  note(name, described("choice", name, words).add("names", names).add("first", first));
  const std::string* text = given(name);
  if (text == nullptr) return first;
  check<ValueError>(std::find(names.begin(), names.end(), *text) != names.end(), "{}: '{}' is none of {}", name, *text,
                    fmt::join(names, ", "));
  return *text;
}

std::string Knobs::text(const std::string& name, const std::string& words, const std::string& first, std::size_t most_bytes) {
  note(name, described("text", name, words).add("most", static_cast<std::int64_t>(most_bytes)).add("first", first));
  const std::string* text = given(name);
  check<ValueError>(text == nullptr || text->size() <= most_bytes, "{}: more than {} bytes", name, most_bytes);
  return text != nullptr ? *text : first;
}

Tensor Knobs::numbers(const std::string& name, const std::string& words, const Tensor& first, Range range) {
  note(name, described("numbers", name, words, range).add("first", first));
  const std::string* text = given(name);
  if (text == nullptr) return first;
  std::vector<double> values;
  for (const std::string& one : split(*text, ',')) values.push_back(number_of(name, one, range));
  check<ValueError>(static_cast<std::int64_t>(values.size()) == first.numel(), "{}: {} numbers where {} are needed", name, values.size(),
                    first.numel());
  return from_vector(values, first.shape());
}

Tensor Knobs::row(const std::string& name, const std::string& words, const Tensor& first, Range range, std::int64_t fewest,
                  std::int64_t most) {
  note(name, described("row", name, words, range).add("first", first).add("fewest", fewest).add("longest", most));
  const std::string* text = given(name);
  if (text == nullptr) return first;
  std::vector<double> values;
  for (const std::string& one : split(*text, ',')) values.push_back(number_of(name, one, range));
  const auto count = static_cast<std::int64_t>(values.size());
  check<ValueError>(count >= fewest && count <= most, "{}: {} numbers; from {} to {} are possible", name, count, fewest, most);
  return from_vector(values, {count});
}

void Knobs::check_all_known() const {
  for (const auto& [name, value] : given_) {
    check<ValueError>(std::find(known_.begin(), known_.end(), name) != known_.end(), "there is no knob '{}'; there are {}", name,
                      fmt::join(known_, ", "));
  }
}

Seen& Knobs::noted(const std::string& name) {
  const auto found = std::find_if(noted_.begin(), noted_.end(), [&](const Noted& one) { return one.name == name; });
  check<ValueError>(found != noted_.end(), "the knob '{}' has not been asked for", name);
  return found->seen;
}

void Knobs::set_idle(const std::vector<std::string>& names, const std::string& why) {
  for (const std::string& name : names) noted(name).add("idle", why);
}

void Knobs::set_end(const std::string& name, double end) { noted(name).add("end", end); }

std::string Knobs::json() const {
  std::vector<std::string> all;
  for (const Noted& one : noted_) all.push_back(one.seen.text());
  return fmt::format("[{}]", fmt::join(all, ","));
}

}  // namespace gradus::widgets
