// A number that somebody typed.
#pragma once

#include <optional>
#include <string>

namespace gradus::examples {

// The finite number that all of this text is, in decimal digits: not of "0x10", " 1", "1e3 m", "inf" or "".
std::optional<double> decimal(const std::string& text);

}  // namespace gradus::examples
