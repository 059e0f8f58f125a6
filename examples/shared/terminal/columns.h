// How many columns of a terminal a text takes, and what becomes of it where there are too few, or only ASCII.
#pragma once

#include <string>
#include <string_view>

namespace gradus::examples {

std::size_t character_size(std::string_view text);  // bytes of the first character; 1 where it is not UTF-8

// Combining marks take no column, East Asian wide characters and emoji two, all others one.
std::size_t columns(std::string_view text);

// At most `width` columns: what is too long ends in "…" (in ASCII: "~").
std::string clip(std::string_view text, std::size_t width, bool ascii = false);

// The signs that Gradus writes as ASCII does: ⊙ * − - √ sqrt → -> ─ - │ |; for any other "?".
std::string to_ascii(std::string_view text);

}  // namespace gradus::examples
