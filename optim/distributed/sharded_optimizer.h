// ShardedOptimizer: an optimizer whose state is spread over the ranks.
#pragma once

#include <functional>
#include <map>
#include <memory>

#include "optim/distributed/link.h"
#include "optim/optimizer.h"

namespace gradus::distributed {

// ZeRO, stage 1 (Rajbhandari et al., 2020). All ranks have all parameters and gradients; each parameter has an owner, which alone
// keeps its moments, updates it, and sends it to the others. The weights are those of the optimizer in one piece, to the bit, if it
// updates each parameter by itself. Whole tensors are dealt out, the largest first, to the rank with the least: so no rank's state
// is larger than a share of 1/n and the state of the largest tensor.
class ShardedOptimizer {
 public:
  using Make = std::function<std::unique_ptr<optim::Optimizer>(const optim::ParameterGroups& groups)>;
  // `make` gives the optimizer of some of the groups' parameters.
  ShardedOptimizer(Link& link, optim::ParameterGroups groups, Make make);

  // Together on all ranks, as the others below: one update, with this rate. GraphError as of Optimizer::step.
  void step(double lr);
  void zero_grad();
  int64_t steps() const { return steps_; }

  int64_t state_bytes() const;  // of this rank's share
  NamedTensors gather_state();  // the whole state, as of the optimizer in one piece, on rank 0; empty on the others
  // Takes this rank's share of a whole state. Errors as of Optimizer::load_state.
  void load_state(const NamedTensors& whole, int64_t steps);

 private:
  bool is_of(const NamedTensor& state, int rank) const;  // is it the state of a parameter that this rank owns?

  Link& link_;
  optim::ParameterGroups groups_;
  Make make_;
  std::map<std::string, int> owner_;       // by a parameter's name
  std::unique_ptr<optim::Optimizer> own_;  // none if there are more ranks than parameters
  int64_t steps_ = 0;
};

}  // namespace gradus::distributed
