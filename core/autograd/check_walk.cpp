#include "core/autograd/check_walk.h"

namespace gradus {
namespace {

void check_seed(const Tensor& seed, const Tensor& output, OpName caller) {
  check<GraphError>(output.requires_grad(),
                    "{}: the output (shape {}) does not depend on any tensor that requires a gradient. Was set_requires_grad() "
                    "forgotten? Was the output computed under NoGrad, in a hook, or from detach(), item(), argmax or a comparison? "
                    "Was a parameter replaced (p = …) instead of changed (p -= …)?", caller, output.shape());
  check<GraphError>(seed.defined() || output.numel() == 1,
                    "{}: the output has shape {}, not one element; take its sum() or mean(), or give dL/doutput as the seed",
                    caller, output.shape());
  if (!seed.defined()) return;
  check<ShapeError>(seed.shape() == output.shape(), "{}: a seed of shape {} for an output of {}", caller, seed.shape(),
                    output.shape());
  check<DTypeError>(seed.dtype() == output.dtype(), "{}: a seed of {} for an output of {}; use cast", caller, seed.dtype(),
                    output.dtype());
}

}  // namespace

void check_begin(const Tensors& outputs, const Tensors& seeds, OpName caller) {
  check<ValueError>(!outputs.empty(), "{}: there is no output to begin with", caller);
  check_defined("outputs", outputs, caller);
  check<ValueError>(seeds.empty() || seeds.size() == outputs.size(), "{}: {} seeds for {} outputs", caller, seeds.size(),
                    outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) check_seed(seeds.empty() ? Tensor() : seeds[i], outputs[i], caller);
}

const Node& node_of(const Tensor& y, OpName caller) {
  check<GraphError>(!y.graph_freed(),
                    "{}: this part of the graph was freed by an earlier backward, or one that failed. If it comes from an "
                    "earlier step (a hidden state, a generator's output), detach() it there; if two losses share it, add them "
                    "and call backward once; to walk it twice on purpose, call backward({{loss}}, {{}}, true) the first time, "
                    "or grad() with retain_graph = true", caller);
  return *y.node();
}

void check_hooked(const Tensor& gradient, const Tensor& x) {
  check<ShapeError>(gradient.shape() == x.shape(), "hook: returned a gradient of shape {}, for a tensor of {}", gradient.shape(),
                    x.shape());
  check<DTypeError>(gradient.dtype() == x.dtype(), "hook: returned a gradient of {}, for a tensor of {}", gradient.dtype(),
                    x.dtype());
}

}  // namespace gradus
