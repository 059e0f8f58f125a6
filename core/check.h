// Errors: one exception hierarchy, and `check`, by which the library reports a bad argument.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace gradus {

// The place with which this thread's errors begin: in nn, the module being called.
class ErrorPlace {
 public:
  virtual std::string str() const = 0;  // "Sequential.2, Linear(4 -> 8)"; throws nothing
  inline static thread_local constinit const ErrorPlace* innermost = nullptr;

 protected:
  ~ErrorPlace() = default;
};

// The base of all exceptions of the library. what() is the place where it was thrown, if there is one, and then message().
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message)
      : Error(ErrorPlace::innermost != nullptr ? ErrorPlace::innermost->str() + ": " : "", message) {}
  const char* message() const { return what() + place_; }

 private:
  Error(const std::string& place, const std::string& message) : std::runtime_error(place + message), place_(place.size()) {}
  std::size_t place_;  // the length of the place
};

class ShapeError : public Error { using Error::Error; };   // sizes, ranks or axes that do not fit
class DTypeError : public Error { using Error::Error; };   // an element type an op cannot take
class ValueError : public Error { using Error::Error; };   // a number, index or option out of range
class IoError : public Error { using Error::Error; };      // files: missing, malformed, full disk
class MemoryError : public Error { using Error::Error; };  // no memory for what was asked
class GraphError : public Error { using Error::Error; };   // the tape: freed, changed in place, absent; what is undefined or was moved from

// Rethrows the Error being handled: the same class, another message. Its place is where this is called.
template <typename Reword> [[noreturn]] void rethrow(const Reword& reworded) {
  try {
    throw;
  } catch (const ShapeError& error) {
    throw ShapeError(reworded(error.message()));
  } catch (const DTypeError& error) {
    throw DTypeError(reworded(error.message()));
  } catch (const ValueError& error) {
    throw ValueError(reworded(error.message()));
  } catch (const IoError& error) {
    throw IoError(reworded(error.message()));
  } catch (const MemoryError& error) {
    throw MemoryError(reworded(error.message()));
  } catch (const GraphError& error) {
    throw GraphError(reworded(error.message()));
  } catch (const Error& error) {
    throw Error(reworded(error.message()));
  }
}

// The name with which a message begins. A function whose last parameter is `OpName op = {}` gets the name of its caller:
//   int normalize_axis(int axis, int rank, OpName op = {});   // called by permute: "permute: axis 7 is out of range …"
struct OpName {
  constexpr OpName(const char* the_name = __builtin_FUNCTION()) : name(the_name) {}
  const char* name;
};

// Throws E with the formatted message unless `ok`. A message names the op (a layer's leaves that to its place), what
// came, what was expected and, if there is one, the fix:
//   check<ShapeError>(k == b.size(0), "matmul: inner dimensions differ: {} @ {}", a.shape(), b.shape());
template <typename E, typename... Args>
void check(bool ok, fmt::format_string<Args...> message, Args&&... args) {
  if (!ok) throw E(fmt::format(message, std::forward<Args>(args)...));
}

}  // namespace gradus

template <> struct fmt::formatter<gradus::OpName> : fmt::formatter<const char*> {
  auto format(gradus::OpName op, fmt::format_context& context) const { return fmt::formatter<const char*>::format(op.name, context); }
};
