// What a widget shows: an object of JSON, which the page draws.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/tensor/tensor.h"

namespace gradus::widgets {

// A number, or "NaN", "inf", "-inf", for which JSON has none; eight digits.
std::string json(double value);
std::string json(std::string_view text);
std::string json(const Tensor& tensor);  // rows of rows
std::string json(const std::vector<double>& numbers);
std::string json(const std::vector<std::string>& texts);

class Seen {
 public:
  template <typename Value> Seen& add(std::string_view name, const Value& value) { return add_json(name, json(value)); }
  Seen& add(std::string_view name, const char* text) { return add_json(name, json(std::string_view(text))); }
  Seen& add(std::string_view name, bool value) { return add_json(name, value ? "true" : "false"); }
  Seen& add(std::string_view name, int value) { return add(name, static_cast<double>(value)); }
  Seen& add(std::string_view name, std::int64_t value) { return add(name, static_cast<double>(value)); }
  Seen& add(std::string_view name, const Seen& value) { return add_json(name, value.text()); }
  Seen& add(std::string_view name, const std::vector<Seen>& values);
  Seen& add_json(std::string_view name, const std::string& json);

  // What the law has come to, in one or two sentences; it is read out when it changes.
  Seen& say(std::string_view words) { return add("says", words); }

  std::string text() const { return "{" + inside_ + "}"; }

 private:
  std::string inside_;
};

}  // namespace gradus::widgets
