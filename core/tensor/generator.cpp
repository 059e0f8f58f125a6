#include "core/tensor/generator.h"

#include <algorithm>

#include "core/check.h"

namespace gradus {

Generator::Words Generator::words(std::uint64_t counter) const {
  Words w{static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32), 0, 0};
  auto key0 = static_cast<std::uint32_t>(seed_), key1 = static_cast<std::uint32_t>(seed_ >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * w[0], b = std::uint64_t{0xCD9E8D57} * w[2];
    w = {static_cast<std::uint32_t>(b >> 32) ^ w[1] ^ key0, static_cast<std::uint32_t>(b),
         static_cast<std::uint32_t>(a >> 32) ^ w[3] ^ key1, static_cast<std::uint32_t>(a)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return w;
}

double Generator::uniform() {
  const Words w = words(advance(1));
  return unit_interval(w[0], w[1]);
}

int64_t Generator::below(int64_t bound) {
  check<ValueError>(bound > 0, "below: the bound must be positive, got {}", bound);
  return std::min(static_cast<int64_t>(uniform() * static_cast<double>(bound)), bound - 1);
}

Generator& default_generator() {
  thread_local Generator generator(0);
  return generator;
}

void manual_seed(std::uint64_t seed) { default_generator().restore(seed, 0); }

}  // namespace gradus
