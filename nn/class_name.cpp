#include "nn/class_name.h"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace gradus::nn {
namespace {

// "Block<f()::Size>" of "gradus::nn::Block<f()::Size>": what stands before the last :: outside of all brackets is
// left out.
std::string without_namespaces(const std::string& name) {
  int depth = 0;
  for (std::size_t i = name.size(); i-- > 1;) {
    if (name[i] == '>' || name[i] == ')') ++depth;
    if (name[i] == '<' || name[i] == '(') --depth;
    if (depth == 0 && name[i] == ':' && name[i - 1] == ':') return name.substr(i + 1);
  }
  return name;
}

}  // namespace

std::string name_of_class(const std::type_info& type) {
  int status = 0;
  char* demangled = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  const std::unique_ptr<char, void (*)(void*)> owner(demangled, std::free);
  return status == 0 ? without_namespaces(demangled) : type.name();
}

}  // namespace gradus::nn
