#include "core/inspect/calls.h"

#include <algorithm>

#include "core/tensor/numbers.h"

namespace gradus::inspect {

std::string CallLog::name_of(const Tensor& x) const {
  const auto found = names_.find(x.number());
  return found == names_.end() ? "" : found->second;
}

std::string CallLog::module_of(std::uint64_t number) const {
  const auto holds = [number](const ModuleCall& call) { return call.first <= number && (call.last == 0 || number < call.last); };
  const auto innermost = std::find_if(calls_.rbegin(), calls_.rend(), holds);
  return innermost == calls_.rend() ? "" : innermost->path;
}

void CallLog::enter(const std::string& path, const std::string& type) {
  open_.push_back(calls_.size());
  calls_.push_back({path, type, last_number<Numbered::tensor> + 1, 0});
}

void CallLog::leave() {
  if (open_.empty()) return;
  calls_[open_.back()].last = last_number<Numbered::tensor> + 1;
  open_.pop_back();
}

void CallLog::name(const Tensor& tensor, const std::string& name) { names_.emplace(tensor.number(), name); }

void CallLog::forget_calls() {
  calls_.erase(std::remove_if(calls_.begin(), calls_.end(), [](const ModuleCall& call) { return call.last != 0; }),
               calls_.end());
  for (std::size_t i = 0; i < open_.size(); ++i) open_[i] = i;  // what is open stayed, in its order
}

}  // namespace gradus::inspect
