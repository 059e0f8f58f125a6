#include "core/autograd/engine.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

#include "core/tape/anomaly.h"
#include "core/tape/grad_mode.h"
#include "core/tape/node.h"
#include "core/kernels/kernels.h"
#include "core/ops/ops.h"

namespace gradus {
namespace {

// A tensor that gradients have reached, and their sum so far.
struct Arrival {
  Tensor tensor;
  Tensor gradient;
};

// Every tensor is newer than those it was made from, so the order of creation, newest first, is a topological
// order: when a tensor's turn comes, all gradients that will ever reach it have. One map is the order, the place
// where gradients meet, and the proof that no tensor is visited twice.
using Pending =
    std::map<std::uint64_t, Arrival, std::greater<>, pool::Allocator<std::pair<const std::uint64_t, Arrival>>>;

}  // namespace

class Walk {
 public:
  Walk(bool create_graph, bool keep_graph, std::uint64_t oldest)
      : mode_(create_graph), create_graph_(create_graph), keep_graph_(keep_graph), oldest_(oldest) {}

  void seed(const Tensor& output, const Tensor& given) {
    check<GraphError>(output.requires_grad(),
                      "backward: the output (shape {}) does not depend on any tensor that requires a gradient",
                      output.shape());
    check<GraphError>(given.defined() || output.numel() == 1,
                      "backward: the output has shape {}, not one element; give dL/doutput as the seed", output.shape());
    check<ShapeError>(!given.defined() || given.shape() == output.shape(), "backward: a seed of shape {} for an output of {}",
                      given.defined() ? given.shape() : Shape{}, output.shape());
    arrive(output, given.defined() ? given : ones_like(output), "backward");
  }

  // The sum that has reached `tensor`, taken out of its place; undefined unless nothing else holds it.
  Tensor take_sum(const Tensor& tensor) {
    const auto found = pending_.find(tensor.number());
    if (create_graph_ || anomaly_enabled()) return Tensor();  // anomaly mode looks at what each rule gives
    if (found == pending_.end() || !found->second.gradient.sole_owner()) return Tensor();
    return std::move(found->second.gradient);
  }

  // Takes tensors newest first until none is left, or all that are left are older than every wanted one. `visit`
  // sees each with its complete gradient.
  template <typename Visit> void run(const Visit& visit) {
    while (!pending_.empty() && pending_.begin()->first >= oldest_) {
      Arrival arrival = std::move(pending_.begin()->second);
      pending_.erase(pending_.begin());
      run_hooks(arrival);
      visit(arrival);
      // The oldest wanted tensor ends the walk: what made it is neither needed nor freed.
      if (!arrival.tensor.is_leaf() && arrival.tensor.number() > oldest_) step_back(arrival);
    }
  }

 private:
  void run_hooks(Arrival& arrival) {
    if (arrival.tensor.hooks().empty()) return;
    const std::vector<GradientHook> hooks = arrival.tensor.hooks();  // a hook may add another, for the next time
    for (const GradientHook& hook : hooks) {
      const Tensor changed = hook(arrival.gradient);
      if (!changed.defined()) continue;
      check<ShapeError>(changed.shape() == arrival.tensor.shape(), "hook: returned shape {} for a tensor of {}",
                        changed.shape(), arrival.tensor.shape());
      check<DTypeError>(changed.dtype() == arrival.tensor.dtype(), "hook: returned {} for a tensor of {}",
                        changed.dtype(), arrival.tensor.dtype());
      arrival.gradient = changed;
    }
  }

  // From y to the inputs of the op that made it.
  void step_back(const Arrival& arrival) {
    check<GraphError>(!arrival.tensor.graph_freed(),
                      "backward: this part of the graph was freed by an earlier backward, or one that failed; pass "
                      "retain_graph = true there");
    const Node& node = *arrival.tensor.node();
    const Backward step{arrival.gradient, node, arrival.tensor, oldest_, *this};
    gradients_.assign(node.input_count(), Tensor());
    node.backward(step, gradients_);
    for (std::size_t i = 0; i < gradients_.size(); ++i) {
      if (!gradients_[i].defined() || !step.needs(i)) continue;
      if (anomaly_enabled()) check_backward(step, i, gradients_[i]);
      arrive(node.input(i), std::move(gradients_[i]), node.name());
    }
    if (!keep_graph_) arrival.tensor.take_node();
  }

  // Adds a gradient to what has reached `tensor`, summed back over the axes that were broadcast.
  void arrive(const Tensor& tensor, Tensor gradient, const char* op) {
    check<DTypeError>(gradient.dtype() == tensor.dtype(), "{}: the backward rule gave {} for an input of {}", op,
                      gradient.dtype(), tensor.dtype());
    if (gradient.shape() != tensor.shape()) {
      check<ShapeError>(broadcasts_to(tensor.shape(), gradient.shape()),
                        "{}: the backward rule gave shape {} for an input of shape {}", op, gradient.shape(), tensor.shape());
      gradient = sum_to(gradient, tensor.shape());
    }
    Arrival& arrival = pending_[tensor.number()];
    if (!arrival.gradient.defined()) {
      arrival = {tensor, std::move(gradient)};
    } else if (!create_graph_ && arrival.gradient.sole_owner()) {
      kernels::add_into(arrival.gradient, gradient);  // nobody else sees it: no new tensor needed
    } else {
      arrival.gradient = add(arrival.gradient, gradient);
    }
  }

  GradMode mode_;  // the rules' own ops are recorded only under create_graph
  bool create_graph_, keep_graph_;
  std::uint64_t oldest_;
  Pending pending_;
  Tensors gradients_;  // of one step's inputs; kept to be reused
};

Tensor Backward::take_sum(std::size_t i) const { return walk.take_sum(node.input(i)); }

namespace {

// A gradient that something else holds too is copied, so that changing it changes nothing else.
Tensor owned(const Tensor& gradient) { return gradient.sole_owner() ? gradient : gradient.clone(); }

void seed_all(Walk& walk, const Tensors& outputs, const Tensors& seeds) {
  check<ValueError>(seeds.empty() || seeds.size() == outputs.size(), "backward: {} seeds for {} outputs", seeds.size(),
                    outputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i) walk.seed(outputs[i], seeds.empty() ? Tensor() : seeds[i]);
}

}  // namespace

Tensors grad(const Tensors& outputs, const Tensors& inputs, const GradOptions& options) {
  auto oldest = std::numeric_limits<std::uint64_t>::max();
  for (const Tensor& input : inputs) {
    check<GraphError>(input.requires_grad(), "grad: an input (shape {}) does not require a gradient", input.shape());
    oldest = std::min(oldest, input.number());
  }
  Walk walk(options.create_graph, options.create_graph || options.retain_graph, oldest);
  seed_all(walk, outputs, options.seeds);
  Tensors found(inputs.size());
  walk.run([&](const Arrival& arrival) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i].same_as(arrival.tensor)) found[i] = arrival.gradient;
    }
  });
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    check<GraphError>(found[i].defined() || options.allow_unused,
                      "grad: no output depends on input {} (shape {}); pass allow_unused = true if that is meant", i,
                      inputs[i].shape());
    if (found[i].defined() && !options.create_graph) found[i] = owned(found[i]);
  }
  return found;
}

void backward(const Tensors& outputs, const Tensors& seeds, bool retain_graph) {
  Walk walk(false, retain_graph, 0);
  seed_all(walk, outputs, seeds);
  std::vector<Arrival> results;
  walk.run([&](const Arrival& arrival) {
    if (arrival.tensor.is_leaf() || arrival.tensor.retains_grad()) results.push_back(arrival);
  });
  for (const auto& [tensor, gradient] : results) {
    const Tensor before = tensor.grad();
    tensor.set_grad(before.defined() ? add(before, gradient) : owned(gradient));
  }
}

void Tensor::backward() const { gradus::backward({*this}); }
void Tensor::backward(const Tensor& seed) const { gradus::backward({*this}, {seed}); }

}  // namespace gradus
