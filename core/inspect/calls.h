// CallLog: which tensors each call of a module made. A module says when a call begins and ends; as the numbers of tensors only
// rise, a tensor belongs to the calls whose interval holds its number, and no node carries a name.
//
//   inspect::CallLog log;
//   Tensor loss = mean(square(model(x) - y));
//   inspect::write_html("walk.html", inspect::trace(loss));  // knows the model's parts, and its parameters by name
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/tensor/observer.h"

namespace gradus::inspect {

// One call of one module.
struct ModuleCall {
  std::string path, type;             // "blocks.0", "Linear(2 -> 3)"
  std::uint64_t first = 0, last = 0;  // it made the tensors first ≤ number < last
};

// The calls of this thread while it lives, and what tensors and sizes are named.
class CallLog : public Observer {
 public:
  CallLog() = default;
  CallLog(const CallLog&) = delete;
  CallLog& operator=(const CallLog&) = delete;
  static void* operator new(std::size_t) = delete;    // logs nest, as scopes do
  static const CallLog* active() { return active_; }  // the innermost of this thread; nullptr if there is none

  std::string name_of(const Tensor& x) const;         // "blocks.1.norm.gain"; empty if it has none
  std::string module_of(std::uint64_t number) const;  // the innermost call that made that tensor: "blocks.1.norm"; empty if none did
  const std::vector<ModuleCall>& calls() const { return calls_; }  // by `first`, outer before inner; `last` is 0 while it is open
  const std::map<std::uint64_t, std::string>& names() const { return names_; }  // by the tensors' numbers
  const std::map<std::string, std::int64_t>& dimensions() const { return dimensions_; }
  void forget_calls();  // forgets the calls that have ended; the names stay

  void enter(const std::string& path, const std::string& type) override;
  void leave() noexcept override;
  void name(const Tensor& tensor, const std::string& name) override;
  void dimension(const std::string& letter, std::int64_t size) override { dimensions_[letter] = size; }

 private:
  std::vector<ModuleCall> calls_;
  std::map<std::uint64_t, std::string> names_;
  std::map<std::string, std::int64_t> dimensions_;
  inline static thread_local constinit const CallLog* active_ = nullptr;
  const Scoped<const CallLog*> here_{active_, this};
  const Observing observing_{this};
};

}  // namespace gradus::inspect
