// What may be shown on a terminal of bytes that a model has drawn.
#pragma once

#include <string>
#include <string_view>

namespace gradus::examples {

// Line breaks, tabs and characters in valid UTF-8 as they are; every other byte, a control character's too, as \x1b.
std::string printable(std::string_view text);

}  // namespace gradus::examples
