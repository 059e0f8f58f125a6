#include "core/autograd/check_walk.h"

namespace gradus {

void check_begin(const Tensors& outputs, const Tensors& seeds, int depth, OpName op) {
  constexpr int deepest = 100;  // far more than a rule or a hook needs, far less than the stack holds
  check<GraphError>(depth <= deepest, "{}: {} walks inside one another; a rule or a hook walks the graph that it is part of", op, deepest);
  check<ValueError>(!outputs.empty(), "{}: there is no output to begin with", op);
  check_defined("outputs", outputs, op);
  check<ValueError>(seeds.empty() || seeds.size() == outputs.size(), "{}: {} seeds for {} outputs", op, seeds.size(), outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Shape& shape = outputs[i].shape();
    const bool seeded = !seeds.empty() && seeds[i].defined();
    check<GraphError>(outputs[i].requires_grad(),
                      "{}: the output (shape {}) does not depend on any tensor that requires a gradient. "
                      "Was set_requires_grad() forgotten? Was the output computed under NoGrad, in a hook, or from detach(), item(), "
                      "argmax or a comparison? Was a parameter replaced (p = …) instead of changed (p -= …)?",
                      op, shape);
    check<GraphError>(seeded || shape.numel() == 1,
                      "{}: the output has shape {}, not one element; take its sum() or mean(), or give dL/doutput as the seed", op, shape);
    if (seeded) check_gradient(seeds[i], outputs[i], op);
  }
}

const Node& node_of(const Tensor& y, OpName op) {
  check<GraphError>(!y.graph_freed(),
                    "{}: this part of the graph was freed by an earlier backward, or one that failed. If it comes "
                    "from an earlier step (a hidden state, a generator's output), detach() it there; if two losses share it, add "
                    "them and call backward once; to walk it twice on purpose, call backward({{loss}}, {{}}, true) the first "
                    "time, or grad() with retain_graph = true",
                    op);
  return *y.node();
}

}  // namespace gradus
