// The memory pool: freed blocks are kept and handed out again.
//
// A training step asks for the same sizes again and again. Reusing a block costs a few nanoseconds, its pages are
// mapped and perhaps still in the cache; asking the system costs a page fault for every 4 KiB. Each thread has free
// lists of its own, one for each size up to 256 KiB, so there is no lock. Lists do not trade memory with each other;
// larger blocks go back to the C library's heap, which joins neighbours, so that gradients fit where activations were.
// On glibc that heap is told, for the whole process, to keep its pages.
//
// Under AddressSanitizer every block comes from malloc: a pool would hide use after free.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gradus::pool {

// A block of at least `bytes`, at an address ≡ 48 (mod 64) when large, so that what follows a 16-byte header
// starts on a cache line. Uninitialised. std::bad_alloc when memory is out.
void* allocate(std::size_t bytes);

// Gives back a block; `bytes` as it was asked for.
void release(void* block, std::size_t bytes) noexcept;

// Bytes of this thread's blocks in use (rounded up to block sizes), and kept in its lists.
std::size_t live_bytes();
std::size_t cached_bytes();

// For standard containers.
template <typename T> struct Allocator {
  using value_type = T;
  Allocator() = default;
  template <typename U> Allocator(const Allocator<U>&) {}
  T* allocate(std::size_t count) { return static_cast<T*>(pool::allocate(count * sizeof(T))); }
  void deallocate(T* block, std::size_t count) { pool::release(block, count * sizeof(T)); }
  bool operator==(const Allocator&) const { return true; }
};

// For a program whose steps ask for the same large blocks again and again: the system's allocator (glibc's) keeps the pages
// of freed blocks. Otherwise each large block is a mapping of its own, fetched anew page by page in every step. It holds
// for the whole process, so it is the program's choice, never the library's.
void keep_freed_pages();

void trim();  // empties the lists of all but small blocks and, on glibc, returns the heap's free pages to the system

}  // namespace gradus::pool
