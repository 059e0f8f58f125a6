#include "examples/shared/report/read_json.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/check.h"

namespace gradus::examples {

using Json = nlohmann::json;

Json read_json(const std::string& text) {
  constexpr int deepest = 32;
  std::array<std::set<std::string>, deepest + 1> keys;  // of the object that is read, by its depth
  const auto as_ours = [&](int depth, Json::parse_event_t event, Json& read) {
    check<ValueError>(depth < deepest, "the JSON is nested too deep");
    const auto level = static_cast<std::size_t>(depth);
    if (event == Json::parse_event_t::object_start) keys[level + 1].clear();
    const bool again = event == Json::parse_event_t::key && !keys[level].insert(read.get<std::string>()).second;
    check<ValueError>(!again, "the JSON names a key twice");
    return true;
  };
  if (text.find('\0') != std::string::npos) return Json::value_t::discarded;  // the parser would take it for the end
  try {
    return Json::parse(text, as_ours, false);
  } catch (const ValueError&) {
    return Json::value_t::discarded;
  }
}

bool has_keys(const Json& json, const std::vector<std::string>& keys) {
  return json.is_object() && std::all_of(keys.begin(), keys.end(), [&](const std::string& key) { return json.contains(key); });
}

std::string told(const Json& value) {
  constexpr std::size_t longest = 60;
  if (value.is_structured()) return value.is_array() ? "a list" : "an object";
  const std::string text = value.dump(-1, ' ', true);
  return text.size() <= longest ? text : text.substr(0, longest) + "…";
}

}  // namespace gradus::examples
