// Tests of many like things take a sample of them in ./tests/run, the same for every commit; all in ./tests/run --full.
#pragma once

#include <cstdlib>
#include <random>
#include <string>

namespace gradus::test {

// Draws one thing in `one_in`, by GRADUS_SEED; every one where GRADUS_FULL is set.
class Sample {
 public:
  explicit Sample(unsigned one_in) : one_in_(given("GRADUS_FULL").empty() ? one_in : 1) {}
  bool takes_next() { return random_() % one_in_ == 0; }

 private:
  static std::string given(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  }
  static unsigned long seed() { return given("GRADUS_SEED").empty() ? 1 : std::strtoul(given("GRADUS_SEED").c_str(), nullptr, 10); }

  unsigned one_in_;
  std::minstd_rand random_{static_cast<std::minstd_rand::result_type>(seed())};
};

}  // namespace gradus::test
