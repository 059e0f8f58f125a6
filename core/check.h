// Errors: one exception hierarchy, and `check`, by which the library reports a bad argument.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace gradus {

// The base of all exceptions of the library.
class Error : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class ShapeError : public Error { using Error::Error; };  // sizes, ranks or axes that do not fit
class DTypeError : public Error { using Error::Error; };  // an element type an op cannot take
class ValueError : public Error { using Error::Error; };  // a number, index or option out of range
class IoError : public Error { using Error::Error; };     // files: missing, malformed, full disk
class MemoryError : public Error { using Error::Error; };  // no memory for what was asked
class GraphError : public Error { using Error::Error; };  // the tape: freed, changed in place, absent

// Throws the Error that is being handled once more, in its class, with another message.
template <typename Reword> [[noreturn]] void rethrow(const Reword& reworded) {
  try {
    throw;
  } catch (const ShapeError& error) {
    throw ShapeError(reworded(error.what()));
  } catch (const DTypeError& error) {
    throw DTypeError(reworded(error.what()));
  } catch (const ValueError& error) {
    throw ValueError(reworded(error.what()));
  } catch (const IoError& error) {
    throw IoError(reworded(error.what()));
  } catch (const MemoryError& error) {
    throw MemoryError(reworded(error.what()));
  } catch (const GraphError& error) {
    throw GraphError(reworded(error.what()));
  } catch (const Error& error) {
    throw Error(reworded(error.what()));
  }
}

// The name with which an error begins. A function whose last parameter is `OpName op = {}` gets the name of its caller:
//   int normalize_axis(int axis, int rank, OpName op = {});   // called by permute: "permute: axis 7 is out of range …"
struct OpName {
  constexpr OpName(const char* the_name = __builtin_FUNCTION()) : name(the_name) {}
  const char* name;
};

// Throws E with the formatted message unless `ok`. A message names the op, what came, what was expected and, if there is
// one, the fix:
//   check<ShapeError>(k == b.size(0), "matmul: inner dimensions differ: {} @ {}", a.shape(), b.shape());
template <typename E, typename... Args>
void check(bool ok, fmt::format_string<Args...> message, Args&&... args) {
  if (!ok) throw E(fmt::format(message, std::forward<Args>(args)...));
}

}  // namespace gradus

template <> struct fmt::formatter<gradus::OpName> : fmt::formatter<const char*> {
  auto format(gradus::OpName op, fmt::format_context& context) const {
    return fmt::formatter<const char*>::format(op.name, context);
  }
};
