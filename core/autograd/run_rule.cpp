#include "core/autograd/run_rule.h"

#include <fmt/format.h>

#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "core/tensor/check.h"

namespace gradus {
namespace {

// Throws what the rule threw again.
[[noreturn]] void rethrow_from_rule(const char* op) {
  const auto named = [op](const std::string_view message) {
    const bool says_so = message.starts_with(fmt::format("{}: ", op)) || message.starts_with("backward of ");
    return says_so ? std::string(message) : fmt::format("backward of {}: {}", op, message);
  };
  try {
    throw;
  } catch (const Error&) {
    rethrow(named);
  } catch (const std::bad_alloc&) {
    throw MemoryError(named("no memory"));
  } catch (const std::exception& error) {
    std::throw_with_nested(GraphError(named(error.what())));
  }
}

}  // namespace

void run_rule(const Node& node, const Backward& s, std::span<Gradient> gradients) {
  try {
    node.backward(s, gradients);
  } catch (...) {
    rethrow_from_rule(node.name());
  }
}

}  // namespace gradus
