// severed: which parameters get no gradient from a loss, and the op or call that cut them off.
//
//   inspect::ForwardLog log;  // before the model is called: it sees what cuts
//   Tensor loss = mean(square(model(x) - y));
//   for (const inspect::Severed& lost : inspect::severed(loss, model)) fmt::print("{}\n", lost.str());
//
//   encoder.weight: cut by detach() at #41 [8, 16] in blocks.0
//   head.bias: not reached: no op read it
//
// It also reports the reverse: a leaf that gets a gradient but is no parameter of the model, so nothing trains or saves it.
#pragma once

#include <string>
#include <vector>

#include "core/inspect/forward_log.h"
#include "core/io/named_tensors.h"

namespace gradus::inspect {

// A parameter that a loss gives no gradient, or a leaf to which it may give one for nothing.
struct Severed {
  enum class Kind {
    cut,       // what was computed from it left the tape on its way to the loss
    unused,    // nothing that the loss depends on was computed from it; without a ForwardLog, it may also have been cut
    replaced,  // the forward read another tensor under its name
    frozen,    // it does not require a gradient
    zero,      // its gradient did come, and is 0 everywhere
    unnamed,   // no parameter: a leaf on the tape of the loss that requires a gradient
  };
  std::string name;  // its path: "encoder.weight"; of an unnamed one, number and shape: "#12 [8]"
  Kind kind = Kind::unused;
  std::string why;  // "cut by detach() at #41 [8, 16] in blocks.0"

  std::string str() const { return name + ": " + why; }
};

struct SeveredOptions {
  bool zeros = false;   // report gradients that are 0 everywhere, too
  bool unnamed = true;  // of a model, report unnamed_leaves(), too; a list of parameters may be a part of one
};

// The parameters that get no gradient from this loss, in the order given; frozen ones are among them. Before backward() they
// are found by a walk of the tape, which changes no grad() and frees nothing; hooks run. After backward(), when the tape is
// freed, they are those without a grad(): ask before zero_grad(). The grad() of an earlier loss hides what this one does not
// reach, so zero_grad() before backward(). The active ForwardLog, if there is one, says what cut a parameter off. It sees
// ops and the calls detach(), assign(), item(), at() and array(), but no reads through data(). #41 is a tensor's
// number, as in tape(). GraphError if only a part of the tape was freed, if the log was made after the loss, and for an
// undefined loss or parameter.
std::vector<Severed> severed(const Tensor& loss, const NamedTensors& parameters, const SeveredOptions& options = {});

// The leaves on the tape of the loss that require a gradient and are none of the parameters, each with the first op that read it;
// in the order in which they were made. So also an input that requires a gradient, and the parameters of another model, unless
// an active CallLog knows their names. Where backward() has freed the tape, only a ForwardLog still knows them. GraphError if
// only a part of it was freed, and for an undefined loss or parameter.
std::vector<Severed> unnamed_leaves(const Tensor& loss, const NamedTensors& parameters);

// Both for all parameters of a module, or of anything else with named_parameters().
template <typename Model>
auto severed(const Tensor& loss, Model& model, const SeveredOptions& options = {})
    -> decltype(model.named_parameters(), std::vector<Severed>()) {
  const NamedTensors parameters = model.named_parameters();
  std::vector<Severed> result = severed(loss, parameters, options);
  if (!options.unnamed) return result;
  for (Severed& leaf : unnamed_leaves(loss, parameters)) result.push_back(std::move(leaf));
  return result;
}

}  // namespace gradus::inspect
