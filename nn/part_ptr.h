// PartPtr: how a module holds a part whose class is known only when the program runs.
#pragma once

#include <memory>
#include <typeinfo>
#include <utility>

namespace gradus::nn {

[[noreturn]] void refuse_missing_part(const std::type_info& kind);  // GraphError that names the class

// A std::unique_ptr whose * and -> raise a GraphError where the part is missing: it was never given, or moved away with the
// module that held it. A module that can do without the part compares with nullptr first.
template <typename T> class PartPtr : public std::unique_ptr<T> {
 public:
  using std::unique_ptr<T>::unique_ptr;
  PartPtr(std::unique_ptr<T> part) noexcept : std::unique_ptr<T>(std::move(part)) {}

  T& operator*() const { return *there(); }
  T* operator->() const { return there(); }

 private:
  T* there() const {
    if (this->get() == nullptr) refuse_missing_part(typeid(T));
    return this->get();
  }
};

}  // namespace gradus::nn
