// Which parameters an optimizer changes: groups that share a learning rate and a weight decay.
#pragma once

#include <optional>
#include <vector>

#include "core/io/named_tensors.h"

namespace gradus::optim {

// Parameters that share a learning rate and a weight decay.
struct ParameterGroup {
  NamedTensors parameters;                  // by name, for messages and checkpoints
  std::optional<double> weight_decay = {};  // λ; where there is none, that of the optimizer's options
  double lr_scale = 1;                      // the group's learning rate, as a multiple of the optimizer's
};

// A list of groups. A model's parameters become the groups of decay_matrices:
//   AdamW optimizer(model.named_parameters(), {.weight_decay = 0.1});
// Parameters without names become one group, which decays whole, under the names "0", "1" …:
//   SGD optimizer({w, b}, {.lr = 0.1});
struct ParameterGroups : std::vector<ParameterGroup> {
  using std::vector<ParameterGroup>::vector;
  ParameterGroups(const NamedTensors& parameters);
  ParameterGroups(const Tensors& parameters);
  ParameterGroups(std::initializer_list<Tensor> parameters) : ParameterGroups(Tensors(parameters)) {}
};

struct DecayOptions {
  bool embeddings = true;  // do tables decay too: embeddings, learned positions?
};

// Two groups by the parameters' roles: those that decay, with λ = `weight_decay` (by default the optimizer's), and the
// others. Weights of linear maps decay if they have at least two axes, tables if the option says so, gains, biases and
// others never. An empty group is left out. ValueError unless λ is finite and not negative, GraphError for an undefined parameter.
ParameterGroups decay_matrices(const NamedTensors& parameters, std::optional<double> weight_decay = {}, DecayOptions options = {});

}  // namespace gradus::optim
