// The words of an expression.
#pragma once

#include <string_view>

namespace gradus::examples {

struct Token {
  enum class Kind { number, name, sign, end };
  Kind kind = Kind::end;
  std::string_view text = {};
  std::size_t column = 0;      // bytes before it
  std::string_view sign = {};  // in its plain form: "*" for "⊙"
};

// The one at this byte or after the spaces there. ExpressionError for a character that no expression has.
Token token_at(std::string_view text, std::size_t at);

}  // namespace gradus::examples
