#include "core/machine/pool.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>

#include "core/check.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#ifndef __has_feature
#define __has_feature(x) 0
#endif

namespace gradus::pool {
namespace {

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
constexpr bool kReuses = false;
#else
constexpr bool kReuses = true;
#endif
constexpr std::size_t kSmall = 1024;         // up to here blocks are cut from slabs, and stay with the thread for good
constexpr std::size_t kSlab = 1 << 16;       // of this size
constexpr std::size_t kListed = 256 << 10;   // larger blocks are in no list
constexpr std::size_t kMostKept = 64 << 20;  // in all lists of a thread together, small blocks apart
// More is refused at once: AddressSanitizer would end the process.
constexpr std::size_t kMostAtOnce = std::numeric_limits<std::size_t>::max() >> (kReuses || sizeof(void*) == 4 ? 1 : 24);
constexpr std::size_t kLine = 64, kHeader = 16;  // see allocate() in pool.h

// What an allocator gave for `bytes` bytes.
void* had(void* memory, std::size_t bytes) {
  if (memory == nullptr) throw MemoryError(fmt::format("memory: none left for {} bytes", bytes));
  return memory;
}

// Blocks of one size class share a list: multiples of 16 bytes when small, of 128 above.
struct SizeClass {
  explicit SizeClass(std::size_t asked) {
    if (asked > kMostAtOnce) had(nullptr, asked);
    const std::size_t step = asked <= kSmall ? 16 : 128, steps = (std::max<std::size_t>(asked, 1) + step - 1) / step;
    bytes = steps * step;
    index = asked <= kSmall ? steps : kSmall / 16 + steps;
  }
  bool small() const { return bytes <= kSmall; }
  std::size_t bytes, index;
};

struct FreeBlock { FreeBlock* next; };

// Trivially destructible, so it outlives every static tensor.
struct Pool {
  std::array<FreeBlock*, kSmall / 16 + kListed / 128 + 1> free{};  // by index
  char* slab = nullptr;
  std::size_t slab_left = 0, live = 0, kept = 0;
};
thread_local constinit Pool local{};

char* from_system(std::size_t bytes) {
  void* memory = had(std::aligned_alloc(kLine, (bytes + 2 * kLine - kHeader - 1) / kLine * kLine), bytes);
  return static_cast<char*>(memory) + (kLine - kHeader);
}

void to_system(void* block) { std::free(static_cast<char*>(block) - (kLine - kHeader)); }

// A thread that ends leaves nothing but small blocks.
struct AtThreadEnd {
  ~AtThreadEnd() {
    for (std::size_t i = kSmall / 16 + 1; i < local.free.size(); ++i) {
      while (FreeBlock* block = local.free[i]) to_system(std::exchange(local.free[i], block->next));
    }
    local.kept = 0;
  }
};

void* take(SizeClass size) {
  if (FreeBlock* block = local.free[size.index]) {
    if (!size.small()) local.kept -= size.bytes;
    return std::exchange(local.free[size.index], block->next);
  }
  if (!size.small()) return from_system(size.bytes);
  if (local.slab_left < size.bytes) {
    local.slab = from_system(kSlab);
    local.slab_left = kSlab;
  }
  local.slab_left -= size.bytes;
  return std::exchange(local.slab, local.slab + size.bytes);
}

void keep(void* block, SizeClass size) {
  if (!size.small()) {
    static thread_local const AtThreadEnd emptied;
    local.kept += size.bytes;
  }
  local.free[size.index] = new (block) FreeBlock{local.free[size.index]};
}

}  // namespace

void* allocate(std::size_t bytes) {
  const SizeClass size(bytes);
  void* block = !kReuses ? had(::operator new(bytes, std::nothrow), bytes) : size.bytes <= kListed ? take(size) : from_system(bytes);
  local.live += size.bytes;
  return block;
}

void release(void* block, std::size_t bytes) noexcept {
  const SizeClass size(bytes);
  local.live -= size.bytes;
  if (!kReuses) return ::operator delete(block);
  const bool kept = size.small() || (size.bytes <= kListed && local.kept + size.bytes <= kMostKept);
  kept ? keep(block, size) : to_system(block);
}

std::size_t live_bytes() { return local.live; }

void keep_freed_pages() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

}  // namespace gradus::pool
