// Generator: counter-based random numbers, so that a tensor of any size can be filled in parallel and its values
// do not depend on the number of threads.
//
// Philox 4×32-10 (Salmon, Moraes, Dror and Shaw, 2011): ten rounds of multiplication mix a 128-bit counter with
// a 64-bit key into four independent 32-bit words.
#pragma once

#include <array>
#include <cstdint>

namespace gradus {

using std::int64_t;

// A stream of random numbers: a seed, which is Philox's key, and a counter, which rises.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : seed_(seed) {}

  using Words = std::array<std::uint32_t, 4>;
  Words words(std::uint64_t counter) const;  // the four of this counter: a pure function of (seed, counter)

  // Claims `count` counters and returns the first of them.
  std::uint64_t advance(std::uint64_t count) {
    const std::uint64_t first = counter_;
    counter_ += count;
    return first;
  }

  double uniform();              // one number in [0, 1)
  int64_t below(int64_t bound);  // one integer in [0, bound); ValueError unless bound > 0

  // The whole state, for checkpoints.
  std::uint64_t seed() const { return seed_; }
  std::uint64_t counter() const { return counter_; }
  void restore(std::uint64_t seed, std::uint64_t counter) {
    seed_ = seed;
    counter_ = counter;
  }

 private:
  std::uint64_t seed_;
  std::uint64_t counter_ = 0;
};

// The upper 53 of 64 random bits, as a multiple of 2⁻⁵³ in [0, 1).
inline double unit_interval(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (std::uint64_t{high} << 32 | low) >> 11;
  return static_cast<double>(bits) * 0x1p-53;
}

Generator& default_generator();        // of this thread; its seed is 0 until manual_seed
void manual_seed(std::uint64_t seed);  // starts the default generator anew

}  // namespace gradus
