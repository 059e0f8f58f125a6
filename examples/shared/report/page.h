// A report's page: the HTML of docs/kit, which draws the JSON that is put into it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/inspect/trace.h"

namespace gradus::examples {

// One file that opens offline, on a phone, in light and dark, and can be printed; with a tape, its viewer is in it.
std::string page_of(const nlohmann::ordered_json& data, const inspect::Trace* tape = nullptr);

}  // namespace gradus::examples
