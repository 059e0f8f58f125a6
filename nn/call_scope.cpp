#include "nn/call_scope.h"

#include "nn/class_name.h"

namespace gradus::nn {

const CallScope::Place& CallScope::place() const {
  if (place_) return *place_;
  Place found{&module_, ""};
  for (const CallScope* call = outer_; call != nullptr; call = call->outer_) {
    const std::optional<std::string> below = call->module_.path_of(module_);
    if (!below) continue;
    const auto& [root, path] = call->place();
    found = {root, path.empty() || below->empty() ? path + *below : path + "." + *below};
    if (root != &call->module_) break;  // or a call further out may know it, too
  }
  return place_.emplace(std::move(found));
}

std::string CallScope::str() const {
  const Scoped<const ErrorPlace*> of_itself{innermost, nullptr};  // an error on the way to these words has no place
  try {
    const auto& [root, path] = place();
    const std::string whole = root->describe(), name = whole.substr(0, whole.find('('));  // "Linear" of "Linear(4 -> 8)"
    return path.empty() ? whole : fmt::format("{}.{}, {}", name, path, module_.describe());
  } catch (const std::exception&) {
    return name_of_class(typeid(module_));
  }
}

void CallScope::begin() {
  if (outer_ == nullptr) {
    for (const auto& parameter : module_.named_parameters()) tell(&Observer::name, parameter.tensor, parameter.name);
  } else if (&outer_->module_ == &module_ || place().root == &module_) {
    return;  // its forward(x) may call it with more inputs: one call
  }
  is_logged_ = true;
  tell(&Observer::enter, place().path, module_.describe());
}

}  // namespace gradus::nn
