// Keys, from the bytes that a terminal sends.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gradus::examples {

struct Key {
  enum class Kind { character, up, down, left, right, home, end, page_up, page_down, enter, escape, backspace };
  Kind kind = Kind::character;
  std::string text = {};  // of a character, in UTF-8

  bool is(std::string_view character) const { return kind == Kind::character && text == character; }
};

// All whole keys at the head of `bytes`, which are taken off it. An escape sequence may come in pieces: what may be the
// beginning of one stays, unless the terminal has been silent since, when it was the escape key.
std::vector<Key> take_keys(std::string& bytes, bool silent);

}  // namespace gradus::examples
