// CallScope: the call of a module, which errors and observers name.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>

#include "core/tensor/observer.h"
#include "nn/module.h"

namespace gradus::nn {

// While it lives, a module is being called: errors of this thread begin with its path from the outermost module being called, and
// with its description: "Sequential.2, Linear(3 -> 1)". Observers see the call, unless the module is outside that tree.
// Layer::operator() opens it, and so does every module with an operator() of its own. GraphError for one that was moved from.
class CallScope : private ErrorPlace {
 public:
  explicit CallScope(Module& module) : module_(present(module)), outer_(static_cast<const CallScope*>(innermost)), here_(innermost, this) {
    if (Observing::innermost() != nullptr) begin();
  }
  ~CallScope() {
    if (is_logged_) tell(&Observer::leave);
  }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

  // What sizes are called: {{"B", 8}} for a batch of 8.
  void dimensions(std::initializer_list<std::pair<const char*, int64_t>> named) const {
    for (const auto& [letter, size] : named) tell(&Observer::dimension, letter, size);
  }

 private:
  struct Place {
    const Module* root;  // the outermost module being called in whose tree this one is; itself if there is none
    std::string path;
  };
  static Module& present(Module& module) { return module.check_still_here(), module; }
  const Place& place() const;
  std::string str() const override;
  void begin();

  Module& module_;
  const CallScope* outer_;  // the call around this one
  mutable std::optional<Place> place_;
  bool is_logged_ = false;
  const Scoped<const ErrorPlace*> here_;
};

}  // namespace gradus::nn
