// Observer: sees what a thread computes. Whoever traces, names or tests a computation is one; where there is none, an op
// and a step of a walk pay one test of a pointer.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/tensor/scoped.h"
#include "core/tensor/tensor.h"

namespace gradus {

struct Gradient;  // tape/node.h

class Observer {
 public:
  virtual ~Observer() = default;

  // Forward. `by`, an op or a call such as "detach()", made y of the inputs; an absent input is undefined. Is y on the tape? An op
  // that detaches what it then records reports y twice: the second report holds.
  virtual void made(const char* /*by*/, const Tensor& /*y*/, std::span<const Tensor> /*inputs*/, bool /*on_tape*/) {}
  virtual void changed(const char* /*call*/, const Tensor& /*x*/, const Tensor& /*source*/) {}  // x took its values, in place
  virtual void read(const char* /*call*/, const Tensor& /*x*/) {}                               // a call took values of x, as plain numbers

  // A walk: start; arriving and arrived for each seed; then visit for each tensor, with arriving and arrived for each input of
  // its op that gets a gradient; and finish. What rules compute, and walks within a walk, are not seen.
  virtual void start(const Tensors& /*outputs*/, std::uint64_t /*oldest*/) {}  // no tensor before `oldest` will be visited
  virtual void visit(const Tensor& /*y*/, const Tensor& /*gradient*/) {}       // complete; the op that made y is next
  // A contribution comes to `x`, which is input i of that op (-1: a seed). `before` is the sum there, undefined if there is
  // none yet. Keep no handle on either: a gradient that nobody else holds is added to in place.
  virtual void arriving(int /*i*/, const Tensor& /*x*/, const Gradient& /*contribution*/, const Tensor& /*before*/) {}
  virtual void arrived(const Tensor& /*after*/) {}  // the sum with the contribution
  virtual void finish() {}                          // not called when the walk fails

  // An optimizer is about to use the gradients of its parameters.
  virtual void step(const std::string& /*parameter*/, const Tensor& /*gradient*/) {}

  // Modules: a call begins, "blocks.0", "Linear(2 -> 3)"; the last to begin ends, perhaps by an exception, so that this may not
  // throw; a tensor has a name, a size has a letter.
  virtual void enter(const std::string& /*path*/, const std::string& /*type*/) {}
  virtual void leave() noexcept {}
  virtual void name(const Tensor& /*x*/, const std::string& /*name*/) {}
  virtual void dimension(const std::string& /*letter*/, std::int64_t /*size*/) {}
};

// While it lives, `observer` sees what this thread does, beside those that saw it before; nullptr: nobody does. Scopes nest.
class Observing {
 public:
  explicit Observing(Observer* observer)
      : observer_(observer), outer_(innermost_), here_(innermost_, observer != nullptr ? this : nullptr) {}
  Observer& observer() const { return *observer_; }
  const Observing* outer() const { return outer_; }
  static const Observing* innermost() { return innermost_; }
  static void* operator new(std::size_t) = delete;

 private:
  inline static thread_local constinit const Observing* innermost_ = nullptr;
  Observer* observer_;
  const Observing* outer_;
  Scoped<const Observing*> here_;
};

// tell(&Observer::visit, y, gradient): calls it for each that observes this thread, or did where `observing` was the innermost.
template <typename... P, typename... A>
void tell(const Observing* observing, void (Observer::*event)(P...), const A&... arguments) {
  for (; observing != nullptr; observing = observing->outer()) (observing->observer().*event)(arguments...);
}
template <typename... P, typename... A> void tell(void (Observer::*event)(P...), const A&... arguments) {
  tell(Observing::innermost(), event, arguments...);
}

}  // namespace gradus
