// Scoped: gives a variable of this thread another value for as long as an object lives. Scopes nest: such an object lives on
// the stack, and ends before those that began earlier.
#pragma once

#include <cstddef>
#include <utility>

namespace gradus {

template <typename T> class Scoped {
 public:
  Scoped(T& variable, T value) : variable_(variable), before_(std::exchange(variable, value)) {}
  ~Scoped() { variable_ = before_; }
  Scoped(const Scoped&) = delete;
  Scoped& operator=(const Scoped&) = delete;
  static void* operator new(std::size_t) = delete;

 private:
  T& variable_;
  const T before_;
};

}  // namespace gradus
