// GradientFactor: does an analytic gradient differ from the numeric one by the same factor everywhere? Then a mean stands for a
// sum, or a sign is the wrong way round.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gradus {

class GradientFactor {
 public:
  // One derivative by the tape and by differences, of an entry of an input. The entries come one after the other.
  void add(std::size_t input, std::int64_t entry, double analytic, double numeric);

  // A line for each input whose gradient is a constant times the numeric one, and the constant is not 1; or "".
  std::string text() const;

 private:
  struct Pair {
    std::int64_t entry;
    double analytic, numeric;
  };
  std::map<std::size_t, std::vector<Pair>> of_inputs_;
};

}  // namespace gradus
