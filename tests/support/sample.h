// Tests of many like things take a sample of them in ./tests/run, which another commit draws anew; all in ./tests/run --full.
#pragma once

#include <cstdlib>
#include <random>

namespace gradus::test {

// Draws one thing in `one_in`, by GRADUS_SEED; every one where GRADUS_FULL is set.
class Sample {
 public:
  explicit Sample(unsigned one_in) : one_in_(number("GRADUS_FULL", 0) != 0 ? 1 : one_in) {}
  bool takes_next() { return random_() % one_in_ == 0; }

 private:
  static unsigned long number(const char* name, unsigned long otherwise) {
    const char* given = std::getenv(name);
    return given == nullptr || *given == '\0' ? otherwise : std::strtoul(given, nullptr, 10);
  }

  unsigned one_in_;
  std::minstd_rand random_{static_cast<std::minstd_rand::result_type>(number("GRADUS_SEED", 1))};
};

}  // namespace gradus::test
