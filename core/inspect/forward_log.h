// ForwardLog: what was computed from what, on the tape and off it, so that severed() can tell what cut a parameter off.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/inspect/calls.h"
#include "core/tensor/numbers.h"

namespace gradus::inspect {

// While it lives, it notes what its thread computes from tensors that require a gradient. It keeps numbers and shapes but no
// tensor, so that none lives longer because of it. It is a CallLog, too, and knows the calls of modules.
class ForwardLog final : public CallLog {
 public:
  // The last op or call that made or changed a tensor.
  struct Made {
    std::string by;  // "mul", "sign (no derivative)", "mul under NoGrad", "detach()"
    Shape shape;
    bool on_tape = false;
    std::vector<std::uint64_t> inputs = {};  // the numbers of the tensors it came from; 0: absent
  };

  static const ForwardLog* active() { return active_; }  // the innermost of this thread; nullptr if there is none
  std::uint64_t begun() const { return begun_; }         // a number above those of all tensors before it, below those of all since

  // By the tensors' numbers: how they were made, and the calls that took their values, such as "item()".
  const std::unordered_map<std::uint64_t, Made>& made() const { return made_; }
  const std::map<std::uint64_t, std::vector<std::string>>& reads() const { return reads_; }
  // The leaves that recorded ops read and that require a gradient, by number.
  const std::map<std::uint64_t, Shape>& leaves() const { return leaves_; }

 private:
  inline static thread_local constinit const ForwardLog* active_ = nullptr;
  const Scoped<const ForwardLog*> here_{active_, this};
  const std::uint64_t begun_ = next_number<Numbered::tensor>();
  void made(const char* by, const Tensor& y, std::span<const Tensor> inputs, bool on_tape) override;
  void changed(const char* call, const Tensor& x, const Tensor& source) override;
  void read(const char* call, const Tensor& x) override;
  bool follows(const Tensor& x) const;

  std::unordered_map<std::uint64_t, Made> made_;
  std::map<std::uint64_t, std::vector<std::string>> reads_;
  std::map<std::uint64_t, Shape> leaves_;
};

}  // namespace gradus::inspect
