#include "nn/module.h"

#include <cxxabi.h>

#include <cstdlib>
#include <typeinfo>
#include <unordered_set>

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

Parameter::Parameter(const Tensor& value) {
  if (!value.defined()) return;
  check<GraphError>(value.is_leaf(), "parameter: its value (shape {}) is on the tape, where its gradient would be lost; make "
                    "it under NoGrad, or detach() it", value.shape());
  Tensor::operator=(value.requires_grad() ? value : value.detached_copy());
  set_requires_grad();
  trained_ = number();
}

Parameter& Parameter::operator=(const Tensor& value) {
  if (!defined()) {
    share(value);
    return *this;
  }
  check<GraphError>(value.defined(), "parameter: an undefined tensor has no values to copy into one of shape {}", shape());
  assign(value);
  return *this;
}

void Parameter::share(const Parameter& other) {
  Tensor::operator=(other);
  trained_ = other.trained_;
}

void Members::parameter(std::string name, Parameter& tensor, Role role) {
  check<GraphError>(!tensor.was_replaced(),
                    "parameter '{}' was replaced by an assignment to it as a Tensor&; copy values in with assign()", name);
  if (tensor.defined()) parameters_.push_back({std::move(name), &tensor, role, true});
}

void Members::buffer(std::string name, Tensor& tensor, bool persistent) {
  if (tensor.defined()) buffers_.push_back({std::move(name), &tensor, Role::other, persistent});
}

void Members::child(std::string name, Module& module) { children_.emplace_back(std::move(name), &module); }

// Calls visit(path, module, its members), parents before children.
template <typename Visit> void Module::walk(const std::string& prefix, const Visit& visit) {
  Members found;
  members(found);
  visit(prefix, *this, found);
  for (const auto& [child_name, child] : found.children_) child->walk(prefix + child_name + ".", visit);
}

NamedTensors Module::named_parameters() {
  NamedTensors result;
  std::unordered_set<std::uint64_t> seen;
  walk("", [&](const std::string& prefix, Module&, const Members& found) {
    for (const auto& [leaf, tensor, role, persistent] : found.parameters_) {
      if (seen.insert(tensor->number()).second) result.emplace_back(prefix + leaf, *tensor, role);
    }
  });
  return result;
}

Tensors Module::parameters() {
  Tensors result;
  for (const auto& [path, tensor, role] : named_parameters()) result.push_back(tensor);
  return result;
}

int64_t Module::parameter_count() {
  int64_t count = 0;
  for (const Tensor& parameter : parameters()) count += parameter.numel();
  return count;
}

NamedTensors Module::state_dict() {
  NamedTensors result = named_parameters();
  walk("", [&](const std::string& prefix, Module&, const Members& found) {
    for (const auto& [leaf, tensor, role, persistent] : found.buffers_) {
      if (persistent) result.emplace_back(prefix + leaf, *tensor, role);
    }
  });
  return result;
}

std::vector<std::string> Module::load_state_dict(const NamedTensors& state, io::LoadOptions options) {
  return io::load_tensors("load_state_dict", state_dict(), state, options);
}

void Module::train(bool on) {
  walk("", [on](const std::string&, Module& module, const Members&) { module.training_ = on; });
}

void Module::to(DType dtype) {
  check<DTypeError>(is_floating(dtype), "to: a module's parameters must be floating, got {}", dtype);
  walk("", [dtype](const std::string&, Module&, const Members& found) {
    for (const auto* group : {&found.parameters_, &found.buffers_}) {
      for (const auto& [leaf, tensor, role, persistent] : *group) {
        if (!persistent || !is_floating(tensor->dtype()) || tensor->dtype() == dtype) continue;
        tensor->set_data(cast(tensor->detach(), dtype));
      }
    }
  });
}

void Module::clear_grad() {
  for (const Tensor& parameter : parameters()) parameter.clear_grad();
}

std::string Module::describe() const {
  int status = 0;
  const char* mangled = typeid(*this).name();
  char* demangled = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  const std::unique_ptr<char, void (*)(void*)> owner(demangled, std::free);
  return status == 0 ? without_namespaces(demangled) : mangled;
}

std::string Module::str() const {
  std::string text;
  describe_tree("", 0, text);
  return text;
}

void Module::describe_tree(const std::string& own_name, std::size_t depth, std::string& text) const {
  text += fmt::format("{:{}}{}{}\n", "", 2 * depth, own_name.empty() ? "" : own_name + ": ", describe());
  Members found;
  const_cast<Module*>(this)->members(found);  // which only names the fields
  for (const auto& [child_name, child] : found.children_) child->describe_tree(child_name, depth + 1, text);
}

namespace {

struct OpenCall {
  Module* module;
  std::string prefix;  // of what is below: "blocks.0."
};
thread_local std::vector<OpenCall> open_calls;

}  // namespace

void CallScope::begin(Module& module) {
  std::string path;
  if (open_calls.empty()) {
    for (const auto& [name, tensor, role] : module.named_parameters()) inspect::CallLog::active()->name(tensor, name);
  } else {
    const auto look_in = [&](const OpenCall& open) {
      open.module->walk(open.prefix, [&](const std::string& prefix, Module& below, const Members&) {
        if (&below == &module && path.empty()) path = prefix.substr(0, prefix.size() - 1);
      });
    };
    if (open_calls.back().module == &module) return;  // attention(x) calls attend(x): one call
    for (auto open = open_calls.rbegin(); open != open_calls.rend() && path.empty(); ++open) look_in(*open);
    if (path.empty()) return;
  }
  log_ = inspect::CallLog::active();
  log_->enter(path, module.describe());
  open_calls.push_back({&module, path.empty() ? "" : path + "."});
}

void CallScope::end() {
  open_calls.pop_back();
  if (log_ == inspect::CallLog::active()) log_->leave();
}

}  // namespace gradus::nn
