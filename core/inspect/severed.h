// severed: which parameters get no gradient from a loss, and who cut them off.
//
//   inspect::ForwardLog log;  // before the model is called: it sees who cuts
//   Tensor loss = mean(square(model(x) - y));
//   for (const inspect::Severed& lost : inspect::severed(loss, model)) fmt::print("{}\n", lost.str());
//
//   encoder.weight: cut by detach() at #41 [8, 16] in blocks.0
//   head.bias: not reached: no op read it
#pragma once

#include <string>
#include <vector>

#include "core/inspect/forward_log.h"
#include "core/io/named_tensors.h"

namespace gradus::inspect {

// A parameter that a loss gives no gradient.
struct Severed {
  enum class Kind {
    cut,       // what was computed from it left the tape on its way to the loss
    unused,    // nothing that the loss depends on was computed from it
    replaced,  // the forward read another tensor under its name
    frozen,    // it does not require a gradient
    zero,      // its gradient did come, and is 0 everywhere
  };
  std::string name;  // its path: "encoder.weight"
  Kind kind = Kind::unused;
  std::string why;   // "cut by detach() at #41 [8, 16] in blocks.0"

  std::string str() const { return name + ": " + why; }
};

struct SeveredOptions {
  bool zeros = false;  // report gradients that are 0 everywhere, too
};

// The parameters that get no gradient from this loss, in their order. Before backward, the tape is walked to find them, and
// no gradient is added to (hooks run, and the tape stays). After backward, when the tape is gone, a parameter without a
// grad() got none: ask before clear_grad(). Who cut is known from the ForwardLog in whose life the loss was computed, if that
// is alive. Ops and the calls detach(), assign(), set_data(), item(), at() and array() are seen, reads by data() are not.
// Numbers are those of tape(). GraphError if only a part of the tape was freed, and for an undefined
// tensor.
std::vector<Severed> severed(const Tensor& loss, const NamedTensors& parameters, const SeveredOptions& options = {});

// The same of whatever has named_parameters(): a module.
template <typename Model>
auto severed(const Tensor& loss, Model& model, const SeveredOptions& options = {})
    -> decltype(model.named_parameters(), std::vector<Severed>()) {
  return severed(loss, model.named_parameters(), options);
}

}  // namespace gradus::inspect
