// ForwardWatcher: sees what is computed of what, by ops that are recorded and by those that are not. Without one, an op pays
// one test of a pointer.
#pragma once

#include <span>

#include "core/tensor/tensor.h"
#include "core/tensor/watching.h"

namespace gradus {

// What ops and tensors call. The ops of a backward walk's rules are not told of.
class ForwardWatcher {
 public:
  virtual ~ForwardWatcher() = default;
  // `by`, an op or a call such as "detach()", made y of the inputs; an absent input is undefined. Is y on the tape? An op may
  // detach what it then records: the last that is said of y holds.
  virtual void made(const char* by, const Tensor& y, std::span<const Tensor> inputs, bool on_tape) = 0;
  virtual void changed(const char* call, const Tensor& x, const Tensor& source) = 0;  // x took the values of source, in place
  virtual void read(const char* call, const Tensor& x) = 0;  // a call took values of x, as plain numbers
};

// While it lives, `watcher` sees what this thread computes.
using ForwardWatch = Watching<ForwardWatcher>;

}  // namespace gradus
