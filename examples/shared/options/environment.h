// Reading the environment.
#pragma once

#include <cstdlib>
#include <string_view>

namespace gradus::examples {

inline bool is_switched_on(const char* variable) {  // set, neither to nothing nor to 0
  const char* found = std::getenv(variable);
  const std::string_view value = found != nullptr ? found : "";
  return !value.empty() && value != "0";
}

}  // namespace gradus::examples
