#include "core/options/table.h"

namespace gradus {

std::string unknown_variant(std::string_view table, std::string_view wanted, const std::vector<std::string>& names) {
  if (names.empty()) return fmt::format("unknown {} '{}'; there is none yet", table, wanted);
  return fmt::format("unknown {} '{}'; did you mean '{}'?", table, wanted, nearest(lower_case(wanted), names));
}

}  // namespace gradus
