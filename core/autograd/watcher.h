// Watcher: sees a backward walk while it happens. Without one, a walk pays one test of a pointer a step.
#pragma once

#include "core/tape/node.h"
#include "core/tensor/watching.h"

namespace gradus {

// What a walk calls: start; then arriving and arrived for each seed; then visit for each tensor, with arriving and arrived
// for each input of its op that gets a gradient; and finish.
class Watcher {
 public:
  virtual ~Watcher() = default;
  virtual void start(const Tensors&, std::uint64_t /*oldest*/) {}   // the outputs; no tensor before `oldest` will be visited
  virtual void visit(const Tensor& y, const Tensor& gradient) = 0;  // complete; the op that made y is next
  // A contribution comes to `x`, which is input i of that op (-1: a seed). `before` is the sum there, undefined if there is
  // none yet. Keep no handle on either: a gradient that nobody else holds is added to in place.
  virtual void arriving(int /*i*/, const Tensor& /*x*/, const Gradient& /*contribution*/, const Tensor& /*before*/) {}
  virtual void arrived(const Tensor& /*after*/) {}                  // the sum with the contribution
  virtual void finish() {}                                          // not called when the walk fails
};

// While it lives, `watcher` sees every walk that begins in this thread, but those that begin inside of another walk.
using Watch = Watching<Watcher>;

}  // namespace gradus
