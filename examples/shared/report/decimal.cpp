#include "examples/shared/report/decimal.h"

#include <cmath>
#include <cstdlib>

namespace gradus::examples {

std::optional<double> decimal(const std::string& text) {
  if (text.empty() || text.find_first_not_of("+-.0123456789eE") != std::string::npos) return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (*end != '\0' || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace gradus::examples
