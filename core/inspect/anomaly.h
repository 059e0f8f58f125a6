// AnomalyMode: the first op whose value or gradient turns NaN or infinite is an error that names it, and the module in which it
// was called. Slow.
//
//   const inspect::AnomalyMode careful;
//   loss_of(model, batch).backward();  // GraphError: "anomaly: log made the first Inf in blocks.1.norm: …"
#pragma once

#include "core/inspect/calls.h"
#include "core/tape/node.h"

namespace gradus::inspect {

// While it lives, GraphError, naming the op:
//   forward, for a NaN in a value, whether the op made it or it came in by an input, and for an Inf while all inputs are finite
//     (one that came in may be meant, as in a mask);
//   backward, for a NaN or Inf from a rule whose dL/dy, y and inputs were finite, or from adding finite gradients;
//   in an optimizer's step, for a gradient that is not finite.
class AnomalyMode final : public CallLog {
 public:
  void made(const char* by, const Tensor& y, std::span<const Tensor> inputs, bool on_tape) override;
  void start(const Tensors& outputs, std::uint64_t oldest) override;
  void visit(const Tensor& y, const Tensor& gradient) override;
  void arriving(int i, const Tensor& x, const Gradient& contribution, const Tensor& before) override;
  void finish() override { forget_calls(); }
  void step(const std::string& parameter, const Tensor& gradient) override;

 private:
  bool finite_ = true;                               // were all seeds and contributions of this walk finite so far?
  const Tensor *y_ = nullptr, *gradient_ = nullptr;  // what is visited
};

}  // namespace gradus::inspect
