// Keys for the stepper.
#pragma once

#include <string>

#include "examples/step/stepper.h"

namespace gradus::test {

// Each character is a key, and '\n' is Enter.
inline void press(examples::Stepper& stepper, const std::string& keys) {
  using examples::Key;
  for (const char c : keys) {
    stepper.press(c == '\n' ? Key{Key::Kind::enter} : Key{Key::Kind::character, std::string(1, c)});
  }
}

}  // namespace gradus::test
