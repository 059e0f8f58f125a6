#include "core/inspect/calls.h"

#include <algorithm>
#include <functional>

#include "core/tensor/numbers.h"

namespace gradus::inspect {

static bool is_open(const ModuleCall& call) { return call.last == 0; }

std::string CallLog::name_of(const Tensor& x) const {
  const auto found = names_.find(x.number());
  return found == names_.end() ? "" : found->second;
}

std::string CallLog::module_of(std::uint64_t number) const {
  const auto holds = [number](const ModuleCall& call) { return call.first <= number && (is_open(call) || number < call.last); };
  const auto innermost = std::find_if(calls_.rbegin(), calls_.rend(), holds);
  return innermost == calls_.rend() ? "" : innermost->path;
}

void CallLog::enter(const std::string& path, const std::string& type) {
  calls_.push_back({path, type, last_number<Numbered::tensor> + 1, 0});
}

void CallLog::leave() noexcept {
  const auto innermost = std::find_if(calls_.rbegin(), calls_.rend(), is_open);
  if (innermost != calls_.rend()) innermost->last = last_number<Numbered::tensor> + 1;
}

void CallLog::name(const Tensor& tensor, const std::string& name) { names_.emplace(tensor.number(), name); }

void CallLog::forget_calls() { calls_.erase(std::remove_if(calls_.begin(), calls_.end(), std::not_fn(is_open)), calls_.end()); }

}  // namespace gradus::inspect
