#include "core/autograd/engine.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

#include "core/autograd/accumulate.h"
#include "core/autograd/check_walk.h"
#include "core/ops/ops.h"
#include "core/tape/grad_mode.h"
#include "core/tape/node.h"
#include "core/tensor/observer.h"

namespace gradus {
namespace {

// #region inside-pending
using Arrival = std::pair<Tensor, Tensor>;  // a tensor that gradients have reached, and their sum so far

// Every tensor is newer than those it was made from, so the order of creation, newest first, is a topological
// order: when a tensor's turn comes, all gradients that will ever reach it have. One map is the order, the place
// where gradients meet, and the proof that no tensor is visited twice.
using Pending = std::map<std::uint64_t, Arrival, std::greater<>, pool::Allocator<std::pair<const std::uint64_t, Arrival>>>;
// #endregion inside-pending

thread_local constinit int walks_under_way = 0;  // a rule or a hook may begin another

Tensor after_hooks(const Tensor& x, Tensor gradient);

}  // namespace

class BackwardPass {
 public:
  struct Options {
    OpName caller;
    bool create_graph, keep_graph;
    std::uint64_t oldest;  // tensors created before this number are not visited
  };
  BackwardPass(const Options& options, const Tensors& outputs, const Tensors& seeds);

  // #region inside-walk
  // All of reverse mode: take the newest tensor; its gradient is complete, and `visit` sees it; the op that made it hands
  // gradients on to its inputs. The walk ends at the oldest wanted tensor, whose own op is neither run nor freed.
  template <typename Visit> void run(const Visit& visit) {
    while (!pending_.empty() && pending_.begin()->first >= options_.oldest) {
      auto [x, gradient] = std::move(pending_.begin()->second);
      pending_.erase(pending_.begin());
      if (!x.hooks().empty()) gradient = after_hooks(x, std::move(gradient));
      tell(observing_, &Observer::visit, x, gradient);
      visit(x, gradient);
      if (!x.is_leaf() && x.number() > options_.oldest) hand_on(x, gradient);
    }
    tell(observing_, &Observer::finish);
  }

 private:
  // From y to the inputs of the op that made it.
  void hand_on(const Tensor& y, const Tensor& gradient) {
    const Node& node = node_of(y, options_.caller);
    node.run({gradient, y, options_.oldest, options_.create_graph}, gradients_);
    for (std::size_t i = 0; i < gradients_.size(); ++i) {
      if (gradients_[i].values.defined()) arrive(static_cast<int>(i), node.input(i), std::move(gradients_[i]));
    }
    if (!options_.keep_graph) y.take_node();
  }

  // Adds a contribution to what has reached x, which is input i of the op (-1: an output of the walk).
  void arrive(int i, const Tensor& x, Gradient contribution) {
    auto& [tensor, sum] = pending_.try_emplace(x.number(), x, Tensor()).first->second;
    tell(observing_, &Observer::arriving, i, x, contribution, sum);
    sum = accumulate(std::move(sum), std::move(contribution), x, options_.create_graph);
    tell(observing_, &Observer::arrived, sum);
  }
  // #endregion inside-walk

  const Options options_;
  const Scoped<int> nested_{walks_under_way, walks_under_way + 1};
  const GradMode mode_{options_.create_graph};  // the rules' own ops are recorded only under create_graph,
  const Observing* const observing_ = Observing::innermost();
  const Observing unseen_{nullptr};  // and no observer sees them
  Pending pending_;
  std::vector<Gradient> gradients_;  // of one op's inputs; kept to be reused
};

namespace {

// The gradient off the tape, for one owner: as it is if nobody else holds it, else a copy.
Tensor owned(const Tensor& gradient) { return gradient.is_leaf() && gradient.sole_owner() ? gradient : gradient.detached_copy(); }

}  // namespace

// #region inside-grad
Tensors grad(const Tensors& outputs, const Tensors& inputs, const GradOptions& options) {
  check_defined("inputs", inputs);
  auto oldest = std::numeric_limits<std::uint64_t>::max();
  std::map<std::uint64_t, Tensor> wanted;  // the gradients, by the numbers of the inputs
  for (const Tensor& input : inputs) {
    check<GraphError>(input.requires_grad(),
                      "grad: an input (shape {}) does not require a gradient; call set_requires_grad() before it is used", input.shape());
    oldest = std::min(oldest, input.number());
    wanted.emplace(input.number(), Tensor());
  }
  BackwardPass pass({"grad", options.create_graph, options.create_graph || options.retain_graph, oldest}, outputs, options.seeds);
  pass.run([&](const Tensor& x, const Tensor& gradient) {
    if (const auto found = wanted.find(x.number()); found != wanted.end()) found->second = gradient;
  });
  Tensors found;
  for (const Tensor& input : inputs) {
    const Tensor& gradient = wanted.at(input.number());
    check<GraphError>(gradient.defined() || options.allow_unused,
                      "grad: no output depends on input {} (shape {}); pass allow_unused = true if that is meant", found.size(),
                      input.shape());
    found.push_back(gradient);
  }
  wanted.clear();  // so that each gradient has one owner
  for (Tensor& gradient : found) {
    if (gradient.defined() && !options.create_graph) gradient = owned(gradient);
  }
  return found;
}
// #endregion inside-grad

void backward(const Tensors& outputs, const Tensors& seeds, bool retain_graph) {
  BackwardPass pass({"backward", false, retain_graph, 0}, outputs, seeds);
  std::vector<Arrival> results;
  unclaimed_leaves.clear();
  pass.run([&](const Tensor& x, const Tensor& gradient) {
    if (x.is_leaf() || x.retains_grad()) results.push_back({x, gradient});
  });
  for (auto& [x, gradient] : results) {  // first all that may fail, then all grad()s
    gradient = x.grad().defined() ? add(x.grad(), gradient) : owned(gradient);
    x.make_room_for_grad();
    if (x.unclaimed()) unclaimed_leaves.emplace(x.number(), x.shape());
  }
  for (const auto& [x, gradient] : results) x.set_grad(gradient);
}

void Tensor::backward() const { gradus::backward({*this}); }
void Tensor::backward(const Tensor& seed) const { gradus::backward({*this}, {seed}); }

// --- how a walk begins, and what may go wrong ------------------------------------------------------------------

BackwardPass::BackwardPass(const Options& options, const Tensors& outputs, const Tensors& seeds) : options_(options) {
  check_begin(outputs, seeds, walks_under_way, options_.caller);
  tell(observing_, &Observer::start, outputs, options_.oldest);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const bool given = !seeds.empty() && seeds[i].defined();
    arrive(-1, outputs[i], given ? seeds[i] : ones_like(outputs[i]));
  }
}

namespace {

// What the hooks of x make of its complete gradient. Each may change what it is given, unless that is on the tape.
Tensor after_hooks(const Tensor& x, Tensor gradient) {
  const std::vector<GradientHook> hooks = x.hooks();  // a hook may add another, for the next time
  for (const GradientHook& hook : hooks) {
    if (!gradient.requires_grad()) gradient = owned(gradient);
    const Tensor other = hook(gradient);
    if (!other.defined()) continue;
    check_gradient(other, x, "hook");
    gradient = other;
  }
  return gradient;
}

}  // namespace
}  // namespace gradus
