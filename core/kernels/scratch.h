// Scratch: memory for the length of a scope, uninitialised, from the calling thread's pool.
#pragma once

#include <cstdint>

#include "core/tensor/storage.h"

namespace gradus::kernels {

template <typename T> class Scratch {
 public:
  explicit Scratch(std::int64_t count) : storage_(Storage::create(static_cast<std::size_t>(count) * sizeof(T))) {}
  ~Scratch() { storage_->release(); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  T* data() { return static_cast<T*>(storage_->data()); }

 private:
  Storage* storage_;
};

}  // namespace gradus::kernels
