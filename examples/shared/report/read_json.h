// JSON out of a file that anybody may have written.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gradus::examples {

// Discarded (is_discarded()) for what is no JSON, has an object that names a key twice, or is nested deeper than any file of
// ours: copying or printing that would use up the stack.
nlohmann::json read_json(const std::string& text);

// Is it an object with all of these keys?
bool has_keys(const nlohmann::json& json, const std::vector<std::string>& keys);

// A value as an error shows it: what is long is cut, a list or an object is only called so.
std::string told(const nlohmann::json& value);

}  // namespace gradus::examples
