#include "core/tensor/pool.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define GRADUS_POOL_REUSES 0
#else
#define GRADUS_POOL_REUSES 1
#endif

namespace gradus::pool {
namespace {

constexpr std::size_t kHeader = 16;  // see allocate() in pool.h
constexpr std::size_t kLine = 64;
constexpr std::size_t kSlab = 1 << 16;       // small blocks are cut from slabs of this size
constexpr std::size_t kLargestSmall = 1024;  // and stay in their lists for good
constexpr std::size_t kLargestKept = std::size_t{256} << 10;  // larger blocks are in no list
constexpr std::size_t kMostKept = std::size_t{64} << 20;     // in all lists together, small blocks apart

struct FreeBlock {
  FreeBlock* next;
};

// Sizes are rounded up to three significant bits: at most an eighth is lost, and those pages stay untouched.
struct SizeClass {
  std::size_t index;
  std::size_t bytes;
};

SizeClass size_class(std::size_t bytes) {
  if (bytes <= 128) {
    const std::size_t index = (std::max<std::size_t>(bytes, 1) + 15) / 16 - 1;  // 0 … 7: multiples of 16
    return {index, (index + 1) * 16};
  }
  const int exponent = 63 - __builtin_clzll(bytes - 1);  // 2^exponent < bytes <= 2^(exponent+1)
  const int shift = exponent - 3;
  const std::size_t steps = ((bytes - 1) >> shift) + 1;  // 9 … 16 steps of 2^shift
  return {static_cast<std::size_t>(exponent - 7) * 8 + steps - 1, steps << shift};
}

// Trivially destructible, so it outlives every static tensor.
struct Pool {
  std::array<FreeBlock*, 8 * 12> free{};  // up to kLargestKept
  char* slab = nullptr;
  std::size_t slab_left = 0;
  std::size_t live = 0, cached = 0;
  std::size_t kept = 0;  // of `cached`, what is in blocks above kLargestSmall
};
thread_local constinit Pool local{};

void empty_lists();

// A thread that ends leaves nothing in its lists but small blocks.
struct AtThreadEnd {
  ~AtThreadEnd() { empty_lists(); }
  void arm() {}
};
thread_local AtThreadEnd at_thread_end;

void* from_system(std::size_t bytes) {
  at_thread_end.arm();
  const std::size_t padded = (bytes + kLine - kHeader + kLine - 1) / kLine * kLine;
  void* memory = std::aligned_alloc(kLine, padded);
  if (memory == nullptr) throw std::bad_alloc();
  return static_cast<char*>(memory) + (kLine - kHeader);
}

void to_system(void* block) { std::free(static_cast<char*>(block) - (kLine - kHeader)); }

void* cut_from_slab(std::size_t bytes) {
  if (local.slab_left < bytes) {
    local.slab = static_cast<char*>(std::aligned_alloc(kLine, kSlab));
    if (local.slab == nullptr) throw std::bad_alloc();
    local.slab_left = kSlab;
  }
  void* block = local.slab;
  local.slab += bytes;
  local.slab_left -= bytes;
  return block;
}

void count_cached(SizeClass size, bool added) {
  const std::size_t change = added ? size.bytes : -size.bytes;
  local.cached += change;
  if (size.bytes > kLargestSmall) local.kept += change;
}

void empty_lists() {
  for (std::size_t index = size_class(kLargestSmall).index + 1; index < local.free.size(); ++index) {
    while (FreeBlock* block = local.free[index]) {
      local.free[index] = block->next;
      to_system(block);
    }
  }
  local.cached -= std::exchange(local.kept, 0);
}

void* from_lists(SizeClass size) {
  FreeBlock* block = local.free[size.index];
  if (block == nullptr) return size.bytes <= kLargestSmall ? cut_from_slab(size.bytes) : from_system(size.bytes);
  local.free[size.index] = block->next;
  count_cached(size, false);
  return block;
}

void to_lists(void* block, SizeClass size) {
  if (local.kept + size.bytes > kMostKept) empty_lists();
  auto* freed = static_cast<FreeBlock*>(block);
  freed->next = local.free[size.index];
  local.free[size.index] = freed;
  count_cached(size, true);
}

}  // namespace

void* allocate(std::size_t bytes) {
  const SizeClass size = size_class(bytes);
  void* block = nullptr;
  if (!GRADUS_POOL_REUSES) {
    block = std::malloc(bytes);
    if (block == nullptr) throw std::bad_alloc();
  } else {
    block = size.bytes > kLargestKept ? from_system(bytes) : from_lists(size);
  }
  local.live += size.bytes;
  return block;
}

void release(void* block, std::size_t bytes) noexcept {
  const SizeClass size = size_class(bytes);
  local.live -= size.bytes;
  if (!GRADUS_POOL_REUSES) return std::free(block);
  size.bytes > kLargestKept ? to_system(block) : to_lists(block, size);
}

void trim() {
  empty_lists();
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void keep_freed_pages() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

std::size_t live_bytes() { return local.live; }
std::size_t cached_bytes() { return local.cached; }

}  // namespace gradus::pool
