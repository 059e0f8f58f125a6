#include "core/autograd/engine.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

#include "core/autograd/run_rule.h"
#include "core/autograd/watcher.h"
#include "core/tape/anomaly.h"
#include "core/tape/grad_mode.h"
#include "core/tape/node.h"
#include "core/tensor/forward_watcher.h"
#include "core/kernels/kernels.h"
#include "core/ops/ops.h"

namespace gradus {
namespace {

// #region inside-pending
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
// #endregion inside-pending

// The gradient off the tape, as a tensor that nothing else holds: copied if something does, so that a change of it is no
// other's change.
Tensor owned(const Tensor& gradient) {
  return gradient.is_leaf() && gradient.sole_owner() ? gradient : gradient.detached_copy();
}

// What the hooks of `tensor` make of its complete gradient. Each may change what it is given, unless that is on the tape.
Tensor after_hooks(const Tensor& tensor, Tensor gradient) {
  if (tensor.hooks().empty()) return gradient;
  const std::vector<GradientHook> hooks = tensor.hooks();  // a hook may add another, for the next time
  for (const GradientHook& hook : hooks) {
    if (!gradient.requires_grad()) gradient = owned(gradient);
    const Tensor changed = hook(gradient);
    const char* made = changed.defined() ? "returned a gradient of" : "changed its gradient to";  // by set_data
    if (changed.defined()) gradient = changed;
    check<ShapeError>(gradient.shape() == tensor.shape(), "hook: {} shape {}, for a tensor of {}", made, gradient.shape(),
                      tensor.shape());
    check<DTypeError>(gradient.dtype() == tensor.dtype(), "hook: {} {}, for a tensor of {}", made, gradient.dtype(),
                      tensor.dtype());
  }
  return gradient;
}

// dL/doutput to begin with: as given, or 1 for a scalar.
Tensor seed_of(const Tensor& output, const Tensor& given, const char* caller) {
  check<GraphError>(output.requires_grad(),
                    "{}: the output (shape {}) does not depend on any tensor that requires a gradient. Was set_requires_grad() "
                    "forgotten? Was the output computed under NoGrad, in a hook, or from detach(), item(), argmax or a comparison? "
                    "Was a parameter replaced (p = …) instead of changed (p -= …)?", caller, output.shape());
  check<GraphError>(given.defined() || output.numel() == 1,
                    "{}: the output has shape {}, not one element; take its sum() or mean(), or give dL/doutput as the seed",
                    caller, output.shape());
  if (!given.defined()) return ones_like(output);
  check<ShapeError>(given.shape() == output.shape(), "{}: a seed of shape {} for an output of {}", caller, given.shape(),
                    output.shape());
  check<DTypeError>(given.dtype() == output.dtype(), "{}: a seed of {} for an output of {}; use cast", caller, given.dtype(),
                    output.dtype());
  return given;
}

// set_data may have changed either of them since the gradient came.
void check_still_fits(const Tensor& tensor, const Tensor& gradient) {
  check<GraphError>(gradient.shape() == tensor.shape() && gradient.dtype() == tensor.dtype(),
                    "backward: the gradient of a tensor of {} and {} has become one of {} and {}; clear_grad() first, and change "
                    "no shape in a hook", tensor.shape(), tensor.dtype(), gradient.shape(), gradient.dtype());
}

// A walk that is under way. A rule or a hook may start another inside of it, as checkpoints do. A rule or hook that walked the
// graph which it is part of would never end, or free the node whose rule is running.
class RunningWalk {
 public:
  explicit RunningWalk(const char* caller)
      : caller_(caller), outer_(innermost_), depth_(outer_ != nullptr ? outer_->depth_ + 1 : 1) {
    check<GraphError>(depth_ <= kDeepest, "{}: {} walks inside one another; a rule or a hook walks the graph that it is part of",
                      caller, kDeepest);
    innermost_ = this;
  }
  ~RunningWalk() { innermost_ = outer_; }
  RunningWalk(const RunningWalk&) = delete;
  RunningWalk& operator=(const RunningWalk&) = delete;

  void enter_rule(const Node& node, const Tensor& gradient) {
    running_ = &node;
    version_ = gradient.version();
  }
  // GraphError if the rule changed dL/dy, and if the node is to be freed while an outer walk is inside of its rule.
  void leave_rule(const Node& node, const Tensor& gradient, bool keep) {
    check<GraphError>(gradient.version() == version_, "{}: the backward rule changed dL/dy in place, which others may hold; let it "
                      "change a detached_copy()", node.name());
    running_ = nullptr;
    for (const RunningWalk* walk = keep ? nullptr : outer_; walk != nullptr; walk = walk->outer_) {
      check<GraphError>(walk->running_ != &node, "{}: this walk would free the op {} while its rule is running; use retain_graph = true",
                        caller_, node.name());
    }
  }

 private:
  static constexpr int kDeepest = 100;  // far more than checkpoints need, far less than the stack holds
  const char* const caller_;
  const Node* running_ = nullptr;  // whose rule this walk has called
  std::uint32_t version_ = 0;      // of dL/dy before
  RunningWalk* const outer_;
  const int depth_;
  inline static thread_local constinit RunningWalk* innermost_ = nullptr;
};

}  // namespace

// On a first reading: run, hand_on, arrive. Hooks, seeds, rows, watchers and anomaly mode are refinements.
class BackwardPass {
 public:
  struct Options {
    const char* caller;
    bool create_graph, keep_graph;
    std::uint64_t oldest;  // tensors created before this number are not visited
  };
  explicit BackwardPass(const Options& options) : options_(options), mode_(options.create_graph) {}

  void start(const Tensors& outputs, const Tensors& seeds) {
    check<ValueError>(!outputs.empty(), "{}: there is no output to begin with", options_.caller);
    check_defined(options_.caller, "outputs", outputs);
    check<ValueError>(seeds.empty() || seeds.size() == outputs.size(), "{}: {} seeds for {} outputs", options_.caller,
                      seeds.size(), outputs.size());
    if (watcher_ != nullptr) watcher_->start(outputs, options_.oldest);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const Tensor seed = seed_of(outputs[i], seeds.empty() ? Tensor() : seeds[i], options_.caller);
      finite_ = finite_ && all_finite(seed);
      deliver(-1, outputs[i], seed, options_.caller);
    }
  }

  // #region inside-walk
  // All of reverse mode: take the newest tensor; its gradient is complete, and `visit` sees it; the op that made it hands
  // gradients on to its inputs. The walk ends at the oldest wanted tensor, whose own op is neither run nor freed.
  template <typename Visit> void run(const Visit& visit) {
    while (!pending_.empty() && pending_.begin()->first >= options_.oldest) {
      auto [tensor, gradient] = std::move(pending_.begin()->second);
      pending_.erase(pending_.begin());
      gradient = after_hooks(tensor, std::move(gradient));
      if (finite_) check_gradient(tensor, gradient);
      if (watcher_ != nullptr) watcher_->visit(tensor, gradient);
      visit(tensor, gradient);
      if (!tensor.is_leaf() && tensor.number() > options_.oldest) hand_on(tensor, gradient);
    }
    if (watcher_ != nullptr) watcher_->finish();
  }
  // #endregion inside-walk

 private:
  // #region inside-hand-on
  // From y to the inputs of the op that made it.
  void hand_on(const Tensor& y, const Tensor& gradient) {
    check<GraphError>(!y.graph_freed(),
                      "{}: this part of the graph was freed by an earlier backward, or one that failed. If it comes from an "
                      "earlier step (a hidden state, a generator's output), detach() it there; if two losses share it, add them "
                      "and call backward once; to walk it twice on purpose, call backward({{loss}}, {{}}, true) the first time, "
                      "or grad() with retain_graph = true", options_.caller);
    const Node& node = *y.node();
    walk_.enter_rule(node, gradient);
    const Backward s(gradient, y, options_.oldest, options_.create_graph);
    gradients_.assign(node.input_count(), Gradient());
    run_rule(node, s, gradients_);
    if (careful_) finite_ = check_backward(y, s, gradients_) && finite_;
    for (std::size_t i = 0; i < gradients_.size(); ++i) {
      if (s.needs(i) && gradients_[i].values.defined()) {
        deliver(static_cast<int>(i), node.input(i), std::move(gradients_[i]), node.name());
      }
    }
    walk_.leave_rule(node, gradient, options_.keep_graph);
    if (!options_.keep_graph) y.take_node();
  }
  // #endregion inside-hand-on

  // To x, which is input i of `op`.
  void deliver(int i, const Tensor& x, Gradient gradient, const char* op) {
    if (watcher_ != nullptr) watcher_->arriving(i, x, gradient, pending_[x.number()].gradient);
    arrive(x, std::move(gradient), op);
    if (watcher_ != nullptr) watcher_->arrived(pending_[x.number()].gradient);
  }

  // #region inside-arrive
  // Adds a gradient to what has reached `tensor`.
  void arrive(const Tensor& tensor, Gradient gradient, const char* op) {
    check<DTypeError>(gradient.values.dtype() == tensor.dtype(), "{}: the backward rule gave {} for an input of {}", op,
                      gradient.values.dtype(), tensor.dtype());
    Arrival& arrival = pending_[tensor.number()];
    const bool in_place = !options_.create_graph && arrival.gradient.defined() && arrival.gradient.sole_owner();
    if (in_place && gradient.by_rows()) {  // no second tensor full of zeros
      return kernels::index_add_into(arrival.gradient, gradient.axis, gradient.indices, gradient.values);
    }
    const Tensor whole = in_full(tensor, std::move(gradient), op);
    if (!arrival.gradient.defined()) {
      arrival = {tensor, whole};
    } else if (in_place) {
      kernels::add_into(arrival.gradient, whole);  // nobody else sees it: no new tensor needed
    } else {
      arrival.gradient = add(arrival.gradient, whole);
    }
  }
  // #endregion inside-arrive

  // #region inside-in-full
  // In the shape of the tensor: rows among zeros, and a broadcast summed back over the axes it was stretched along.
  Tensor in_full(const Tensor& tensor, Gradient gradient, const char* op) {
    const auto& [values, indices, axis] = gradient;
    if (gradient.by_rows()) {
      if (options_.create_graph) return index_add(zeros_like(tensor), axis, indices, values);
      Tensor sum = kernels::zeros(tensor.shape(), tensor.dtype());
      kernels::index_add_into(sum, axis, indices, values);
      return sum;
    }
    if (values.shape() == tensor.shape()) return std::move(gradient.values);
    check<ShapeError>(broadcasts_to(tensor.shape(), values.shape()),
                      "{}: the backward rule gave shape {} for an input of shape {}", op, values.shape(), tensor.shape());
    return sum_to(values, tensor.shape());
  }
  // #endregion inside-in-full

  Options options_;
  RunningWalk walk_{options_.caller};
  GradMode mode_;  // the rules' own ops are recorded only under create_graph
  // Each pair keeps what was on, and then turns it off, in this order.
  Watcher* const watcher_ = Watch::current();
  const Watch inner_{nullptr};           // a walk inside of this one is not watched
  const ForwardWatch forward_{nullptr};  // nor are the rules' own ops
  const bool careful_ = anomaly_enabled();
  const AnomalyMode rules_{false};       // of the rules' own ops, anomaly mode judges only the result
  bool finite_ = careful_;               // in anomaly mode: were all seeds and contributions finite so far?
  Pending pending_;
  std::vector<Gradient> gradients_;  // of one op's inputs; kept to be reused
};

// #region inside-grad
Tensors grad(const Tensors& outputs, const Tensors& inputs, const GradOptions& options) {
  check_defined("grad", "inputs", inputs);
  auto oldest = std::numeric_limits<std::uint64_t>::max();
  std::map<std::uint64_t, Tensor> wanted;  // the gradients, by the numbers of the inputs
  for (const Tensor& input : inputs) {
    check<GraphError>(input.requires_grad(), "grad: an input (shape {}) does not require a gradient; call set_requires_grad() "
                      "before it is used", input.shape());
    oldest = std::min(oldest, input.number());
    wanted.emplace(input.number(), Tensor());
  }
  BackwardPass pass({"grad", options.create_graph, options.create_graph || options.retain_graph, oldest});
  pass.start(outputs, options.seeds);
  pass.run([&](const Tensor& tensor, const Tensor& gradient) {
    if (const auto found = wanted.find(tensor.number()); found != wanted.end()) found->second = gradient;
  });
  Tensors found;
  for (const Tensor& input : inputs) {
    const Tensor& gradient = wanted.at(input.number());
    check<GraphError>(gradient.defined() || options.allow_unused,
                      "grad: no output depends on input {} (shape {}); pass allow_unused = true if that is meant",
                      found.size(), input.shape());
    found.push_back(gradient);
  }
  wanted.clear();
  for (Tensor& gradient : found) {
    if (gradient.defined() && !options.create_graph) gradient = owned(gradient);
  }
  return found;
}
// #endregion inside-grad

void backward(const Tensors& outputs, const Tensors& seeds, bool retain_graph) {
  BackwardPass pass({"backward", false, retain_graph, 0});
  pass.start(outputs, seeds);
  std::vector<Arrival> results;
  pass.run([&](const Tensor& tensor, const Tensor& gradient) {
    if (tensor.is_leaf() || tensor.retains_grad()) results.push_back({tensor, gradient});
  });
  for (auto& [tensor, gradient] : results) {  // all sums before one is kept: what fails has added nothing
    const Tensor before = tensor.grad();
    check_still_fits(tensor, gradient);
    if (before.defined()) check_still_fits(tensor, before);
    gradient = before.defined() ? add(before, gradient) : owned(gradient);
  }
  for (const auto& [tensor, gradient] : results) tensor.set_grad(gradient);
}

void Tensor::backward() const { gradus::backward({*this}); }
void Tensor::backward(const Tensor& seed) const { gradus::backward({*this}, {seed}); }

}  // namespace gradus
