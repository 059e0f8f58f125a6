// TensorNames: what the errors of the tape may call a tensor, and the place where it was made.
#pragma once

#include <cstdint>
#include <string>

#include "core/tensor/tensor.h"

namespace gradus {

// Whoever knows the model: inspect::CallLog, while it lives.
class TensorNames {
 public:
  virtual std::string name_of(const Tensor& x) const = 0;         // "blocks.1.norm.gain"; empty if it has none
  virtual std::string module_of(std::uint64_t number) const = 0;  // the innermost call in which that tensor was made:
                                                                  // "blocks.1.norm"; empty if none is known
  static const TensorNames* current() { return current_; }        // of this thread; nullptr: there are none

 protected:
  ~TensorNames() = default;
  inline static thread_local constinit const TensorNames* current_ = nullptr;
};

}  // namespace gradus
