#include "examples/support/read_json.h"

#include "core/tensor/check.h"

namespace gradus::examples {

using Json = nlohmann::json;

Json read_json(const std::string& text) {
  constexpr int deepest = 32;
  const auto not_too_deep = [](int depth, Json::parse_event_t, Json&) {
    check<ValueError>(depth < deepest, "the JSON is nested too deep");
    return true;
  };
  if (text.find('\0') != std::string::npos) return Json::value_t::discarded;  // the parser would take it for the end
  try {
    return Json::parse(text, not_too_deep, false);
  } catch (const ValueError&) {
    return Json::value_t::discarded;
  }
}

std::string told(const Json& value) {
  constexpr std::size_t longest = 60;
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  const std::string text = value.dump(-1, ' ', true);
  return text.size() <= longest ? text : text.substr(0, longest) + "…";
}

}  // namespace gradus::examples
