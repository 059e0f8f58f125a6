#include "core/inspect/calls.h"

#include <algorithm>
#include <utility>

#include "core/tensor/numbers.h"

namespace gradus::inspect {

CallLog::CallLog() : before_(std::exchange(active_, this)) { current_ = active_; }

CallLog::~CallLog() {  // in whatever order logs go
  CallLog** link = &active_;
  while (*link != nullptr && *link != this) link = &(*link)->before_;
  if (*link == this) *link = before_;
  current_ = active_;
}

std::string CallLog::name_of(const Tensor& x) const {
  const auto found = names_.find(x.number());
  return found == names_.end() ? "" : found->second;
}

std::string CallLog::module_of(std::uint64_t number) const {
  const auto holds = [number](const ModuleCall& call) { return call.first <= number && (call.last == 0 || number < call.last); };
  const auto innermost = std::find_if(calls_.rbegin(), calls_.rend(), holds);
  return innermost == calls_.rend() ? "" : innermost->path;
}

void CallLog::enter(std::string path, std::string type) {
  open_.push_back(calls_.size());
  calls_.push_back({std::move(path), std::move(type), last_number<Numbered::tensor> + 1, 0});
}

void CallLog::leave() {
  if (open_.empty()) return;
  calls_[open_.back()].last = last_number<Numbered::tensor> + 1;
  open_.pop_back();
}

void CallLog::name(const Tensor& tensor, std::string name) { names_.emplace(tensor.number(), std::move(name)); }

void CallLog::forget_calls() {
  calls_.erase(std::remove_if(calls_.begin(), calls_.end(), [](const ModuleCall& call) { return call.last != 0; }),
               calls_.end());
  for (std::size_t i = 0; i < open_.size(); ++i) open_[i] = i;  // what is open stayed, in its order
}

}  // namespace gradus::inspect
