#include "core/tensor/pool.h"

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

namespace gradus::pool {
namespace {

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
constexpr bool kReuses = false;
#else
constexpr bool kReuses = true;
#endif
constexpr std::size_t kLargestSmall = 1024;
constexpr std::size_t kStep = 16;       // small blocks come in multiples of this size
constexpr std::size_t kSlab = 1 << 16;  // and are cut from slabs of this one, which stay with the thread
constexpr std::size_t kLine = 64, kHeader = 16;  // see allocate() in pool.h

struct FreeBlock {
  FreeBlock* next;
};

// Trivially destructible, so it outlives every static tensor.
struct Pool {
  std::array<FreeBlock*, kLargestSmall / kStep + 1> free{};  // the blocks of k·kStep bytes at k
  char* slab = nullptr;
  std::size_t slab_left = 0;
  std::size_t live = 0;
};
thread_local constinit Pool local{};

std::size_t rounded(std::size_t bytes, std::size_t step) { return (bytes + step - 1) / step * step; }

char* from_system(std::size_t bytes) {
  auto* memory = static_cast<char*>(std::aligned_alloc(kLine, rounded(bytes, kLine)));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void* small_block(std::size_t bytes) {
  if (FreeBlock* block = local.free[bytes / kStep]) {
    local.free[bytes / kStep] = block->next;
    return block;
  }
  if (local.slab_left < bytes) {
    local.slab = from_system(kSlab);
    local.slab_left = kSlab;
  }
  local.slab_left -= bytes;
  return std::exchange(local.slab, local.slab + bytes);
}

}  // namespace

void* allocate(std::size_t bytes) {
  const std::size_t size = rounded(bytes == 0 ? 1 : bytes, kStep);
  void* block = nullptr;
  if (!kReuses) {
    block = ::operator new(bytes);
  } else {
    block = size <= kLargestSmall ? small_block(size) : from_system(size + kLine - kHeader) + (kLine - kHeader);
  }
  local.live += size;
  return block;
}

void release(void* block, std::size_t bytes) noexcept {
  const std::size_t size = rounded(bytes == 0 ? 1 : bytes, kStep);
  local.live -= size;
  if (!kReuses) return ::operator delete(block);
  if (size > kLargestSmall) return std::free(static_cast<char*>(block) - (kLine - kHeader));
  auto* freed = static_cast<FreeBlock*>(block);
  freed->next = local.free[size / kStep];
  local.free[size / kStep] = freed;
}

std::size_t live_bytes() { return local.live; }

void keep_freed_pages() {
#ifdef __GLIBC__
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
#endif
}

}  // namespace gradus::pool
