// Storage: the counted bytes that one or more tensors share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "core/machine/pool.h"
#include "core/tensor/numbers.h"

namespace gradus {

// A header of 16 bytes, then the data, in one block of the pool. The count is not atomic: one thread touches
// tensors, kernels get raw pointers.
class alignas(16) Storage {
 public:
  static Storage* create(std::size_t bytes) { return new (pool::allocate(sizeof(Storage) + bytes)) Storage(bytes); }

  void retain() { ++references_; }
  void release() {
    if (--references_ == 0) pool::release(this, sizeof(Storage) + bytes_);
  }
  bool shared() const { return references_ > 1; }

  void* data() { return this + 1; }

  // The number of the last change in place, by which backward notices that a value it needs is gone. It is unique, so that a
  // storage taken over from another tensor is never mistaken for the old one.
  std::uint32_t version() const { return version_; }
  void bump_version() { version_ = static_cast<std::uint32_t>(next_number<Numbered::change>()); }

 private:
  explicit Storage(std::size_t bytes) : bytes_(bytes) {}

  std::uint32_t references_ = 1;
  std::uint32_t version_ = 0;
  std::size_t bytes_;
};

}  // namespace gradus
