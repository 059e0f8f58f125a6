// What a file of JSON holds.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gradus::examples {

// Indented by one space, or with -1 in one line. A byte of a path that is no UTF-8 becomes �: what was measured is not lost for it.
template <typename Json> std::string json_text(const Json& json, int indent = 1) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gradus::examples
