// CallLog: which tensors each call of a module made. A module opens a call and closes it again (nn/module.h does); as the
// numbers of tensors only rise, a tensor belongs to the calls whose interval holds its number, and no node carries a name.
//
//   inspect::CallLog log;
//   Tensor loss = mean(square(model(x) - y));
//   inspect::write_html("walk.html", inspect::trace(loss));  // knows the model's parts, and its parameters by name
//
// Under AnomalyMode, an error says in which call the first NaN or Inf was made, and by what parameter.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/tape/tensor_names.h"
#include "core/tensor/tensor.h"

namespace gradus::inspect {

// One call of one module.
struct ModuleCall {
  std::string path, type;             // "blocks.0", "Linear(2 -> 3)"
  std::uint64_t first = 0, last = 0;  // it made the tensors first ≤ number < last
};

// The calls of this thread while it lives, and what tensors and sizes are named.
class CallLog : public TensorNames {
 public:
  CallLog();  // the active one of this thread until it is gone, or another is made
  ~CallLog();
  CallLog(const CallLog&) = delete;
  CallLog& operator=(const CallLog&) = delete;
  static CallLog* active() { return active_; }  // nullptr if there is none

  std::string name_of(const Tensor& x) const override;
  std::string module_of(std::uint64_t number) const override;

  // What modules tell the active log: a call begins, the last to begin ends (if one is open), a tensor has a name, a size has
  // a letter.
  void enter(std::string path, std::string type);
  void leave();
  void name(const Tensor& tensor, std::string name);
  void dimension(const std::string& letter, std::int64_t size) { dimensions_[letter] = size; }

  const std::vector<ModuleCall>& calls() const { return calls_; }  // by `first`, outer before inner; `last` is 0 while open
  const std::map<std::uint64_t, std::string>& names() const { return names_; }  // by the tensors' numbers
  const std::map<std::string, std::int64_t>& dimensions() const { return dimensions_; }
  void forget_calls();  // forgets the calls that have ended; the names stay

 private:
  inline static thread_local constinit CallLog* active_ = nullptr;

  CallLog* before_;
  std::vector<ModuleCall> calls_;
  std::vector<std::size_t> open_;
  std::map<std::uint64_t, std::string> names_;
  std::map<std::string, std::int64_t> dimensions_;
};

}  // namespace gradus::inspect
