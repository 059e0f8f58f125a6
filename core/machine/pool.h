// Memory blocks from lists of the calling thread: a tape makes and frees millions, and a mutex would cost as much as the
// arithmetic. The largest are the system's; under AddressSanitizer all are, for reuse would hide use after free.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gradus::pool {

// A block of at least `bytes`, at an address ≡ 48 (mod 64) when large, so that what follows a 16-byte header
// starts on a cache line. Uninitialised. MemoryError when memory is out.
void* allocate(std::size_t bytes);

// Gives back a block; `bytes` is what was asked for.
void release(void* block, std::size_t bytes) noexcept;

std::size_t live_bytes();  // bytes of this thread's blocks in use, rounded up to block sizes

// For a program whose steps ask for the same large blocks again and again: the system's allocator (glibc's) keeps the pages
// of freed blocks. Otherwise each is a mapping of its own, fetched anew page by page in every step. It holds for the
// whole process, so it is the program's choice, never the library's.
void keep_freed_pages();

// Lets standard containers use the pool.
template <typename T> struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <typename U> Allocator(const Allocator<U>&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(pool::allocate(count * sizeof(T))); }
  void deallocate(T* block, std::size_t count) { pool::release(block, count * sizeof(T)); }
  bool operator==(const Allocator&) const { return true; }
};

}  // namespace gradus::pool
