#include "tests/core/bad_input/rows.h"

namespace gradus::test {

BadCall undefined_row(const std::string& op, const std::string& argument, std::function<void()> call) {
  return {op + " of an undefined tensor: " + argument, std::move(call), Raises::graph,
          op + ": " + argument + " is undefined: it was never given a value, or is a gradient that has not arrived"};
}

}  // namespace gradus::test
