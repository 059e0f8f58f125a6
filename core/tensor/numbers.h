// Numbers that no two threads share, rising within each: where a tensor stands in the order of creation, which change in
// place a storage has seen.
#pragma once

#include <atomic>
#include <cstdint>

namespace gradus {

enum class Numbered { tensor, change };

// The next number of this kind, from 1 on. A thread takes them in blocks, so that one call in a million is atomic.
template <Numbered> std::uint64_t next_number() {
  constexpr std::uint64_t block = 1 << 20;
  static constinit std::atomic<std::uint64_t> blocks = 0;
  static thread_local constinit std::uint64_t last = 0;
  if (last % block == 0) last = blocks++ * block;
  return ++last;
}

}  // namespace gradus
