// Numbers that no two threads share, rising within each: where a tensor stands in the order of creation, which change in
// place a storage has seen.
#pragma once

#include <atomic>
#include <cstdint>

namespace gradus {

// What is numbered: the tensors, as they are made, and the changes of a storage in place.
enum class Numbered { tensor, change };

// The last number of this kind that this thread took; 0 before the first.
template <Numbered> inline thread_local constinit std::uint64_t last_number = 0;

// The next number of this kind, from 1 on. A thread takes numbers in blocks, so that one call in 2²⁰ is atomic.
template <Numbered kind> std::uint64_t next_number() {
  constexpr std::uint64_t block = 1 << 20;
  static constinit std::atomic<std::uint64_t> blocks = 0;
  if (last_number<kind> % block == 0) last_number<kind> = blocks++ * block;
  return ++last_number<kind>;
}

}  // namespace gradus
