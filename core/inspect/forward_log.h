// ForwardLog: what was computed of what, on the tape and past it, so that severed() can tell who cut a parameter off.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/inspect/calls.h"
#include "core/tensor/forward_watcher.h"

namespace gradus::inspect {

// All that this thread computes, while it lives, from tensors that require a gradient. It holds numbers and shapes, and no
// tensor: nothing lives longer for it. The calls of modules it knows as well, being a CallLog.
class ForwardLog final : public CallLog, public ForwardWatcher {
 public:
  // A tensor, as the last op or call to make or change it left it.
  struct Made {
    std::string by;                           // "mul", "sign (no derivative)", "mul under NoGrad", "detach()"
    Shape shape;
    bool on_tape = false;
    std::vector<std::uint64_t> inputs = {};   // the numbers of the tensors it came from; 0: absent
  };

  static const ForwardLog* active();  // nullptr if none is

  // By the tensors' numbers: how they were made, and the calls that took their values, such as "item()".
  const std::unordered_map<std::uint64_t, Made>& made() const { return made_; }
  const std::map<std::uint64_t, std::vector<std::string>>& reads() const { return reads_; }

 private:
  void made(const char* by, const Tensor& y, std::span<const Tensor> inputs, bool on_tape) override;
  void changed(const char* call, const Tensor& x, const Tensor& source) override;
  void read(const char* call, const Tensor& x) override;
  bool follows(const Tensor& x) const;

  std::unordered_map<std::uint64_t, Made> made_;
  std::map<std::uint64_t, std::vector<std::string>> reads_;
  const ForwardWatch watch_{this};
};

}  // namespace gradus::inspect
