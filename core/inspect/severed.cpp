#include "core/inspect/severed.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/tape/grad_mode.h"
#include "core/tape/node.h"
#include "core/tensor/observer.h"

namespace gradus::inspect {
namespace {

using Numbers = std::set<std::uint64_t>;
using Edges = std::map<std::uint64_t, std::vector<std::uint64_t>>;  // from a tensor to others, by number

// All that `edges` lead to from `start`, itself included, through numbers for which `pass` is true. Without recursion.
template <typename Pass> Numbers reached(std::uint64_t start, const Edges& edges, const Pass& pass) {
  Numbers found{start};
  std::vector<std::uint64_t> pending{start};
  while (!pending.empty()) {
    const auto next = edges.find(pending.back());
    pending.pop_back();
    if (next == edges.end()) continue;
    for (const std::uint64_t number : next->second) {
      if (pass(number) && found.insert(number).second) pending.push_back(number);
    }
  }
  return found;
}

// The tensors that a walk reaches.
struct Visited final : Observer {
  void visit(const Tensor& y, const Tensor&) override { numbers.insert(y.number()); }

  Numbers numbers;
};

std::string joined(const std::vector<std::string>& texts) {
  constexpr std::size_t shown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(texts.size(), shown); ++i) text += (i == 0 ? "" : "; ") + texts[i];
  return texts.size() <= shown ? text : fmt::format("{}; and {} more", text, texts.size() - shown);
}

// A leaf that an op on the tape of the loss read.
struct ReadLeaf {
  Shape shape;
  std::string reader;  // the first such op: "mul at #41 [8, 16] in blocks.0"
};
using ReadLeaves = std::map<std::uint64_t, ReadLeaf>;  // by number

std::string place(const std::string& op, std::uint64_t number, const Shape& shape) {
  const CallLog* log = CallLog::active();
  const std::string module = log == nullptr ? "" : log->module_of(number);
  return fmt::format("{} at #{} {}{}", op, number, shape, module.empty() ? "" : " in " + module);
}

// From the newest op back to the oldest, which is the last to say who read a leaf.
ReadLeaves leaves_on_tape(const Tensor& loss) {
  ReadLeaves leaves;
  std::map<std::uint64_t, Tensor, std::greater<>> pending{{loss.number(), loss}};
  while (!pending.empty()) {
    const Tensor y = pending.begin()->second;
    pending.erase(pending.begin());
    for (std::size_t i = 0; y.node() != nullptr && i < y.node()->input_count(); ++i) {
      const Tensor& x = y.node()->input(i);
      if (!x.defined() || !x.requires_grad()) continue;
      check<GraphError>(!x.graph_freed(), "unnamed_leaves: a part of the tape was freed by an earlier backward");
      if (x.is_leaf()) leaves[x.number()] = {x.shape(), place(y.node()->name(), y.number(), y.shape())};
      else pending.emplace(x.number(), x);
    }
  }
  return leaves;
}

// Follows a log from a parameter to the loss.
class Search {
 public:
  // `visited` by the walk from the loss; nullptr if the tape was gone.
  Search(const ForwardLog& log, const Tensor& loss, const Numbers* visited) : log_(log) {
    Edges sources, recorded;
    for (const auto& [number, made] : log.made()) {
      for (const std::uint64_t input : made.inputs) {
        sources[number].push_back(input);
        readers_[input].push_back(number);
        if (made.on_tape) recorded[number].push_back(input);
      }
    }
    const auto all = [](std::uint64_t) { return true; };
    behind_loss_ = reached(loss.number(), sources, all);
    on_tape_ = reached(loss.number(), recorded, all);
    walked_ = visited != nullptr ? *visited : on_tape_;
  }

  // What leaves_on_tape gave before the tape was freed.
  ReadLeaves leaves() const {
    ReadLeaves found;
    for (const std::uint64_t y : on_tape_) {
      const auto made = log_.made().find(y);
      if (made == log_.made().end() || !made->second.on_tape) continue;
      for (const std::uint64_t x : made->second.inputs) {
        if (const auto leaf = log_.leaves().find(x); leaf != log_.leaves().end()) found.insert({x, {leaf->second, place_of(y)}});
      }
    }
    return found;
  }

  // The first that holds, from what says most to what says least.
  Severed explain(const std::string& name, const Tensor& parameter) const {
    using Kind = Severed::Kind;
    if (walked_.count(parameter.number()) != 0) {
      return {name, Kind::cut, "on the tape of the loss, but without a grad(): a rule on the way gives none, or zero_grad() was called"};
    }
    // The parameter, and the tensors made from it on the tape that would have handed it a gradient but got none themselves.
    const auto lost = [&](std::uint64_t y) { return log_.made().at(y).on_tape && walked_.count(y) == 0; };
    const Numbers severed = reached(parameter.number(), readers_, lost);
    const std::vector<std::string> cuts = cuts_of(severed);
    if (!cuts.empty()) return {name, Kind::cut, "cut by " + joined(cuts)};
    const Numbers derived = reached(parameter.number(), readers_, [](std::uint64_t) { return true; });
    const std::vector<std::string> reads = reads_of(derived);
    if (!reads.empty()) return {name, Kind::cut, "not reached: its values left the tape by " + joined(reads)};
    if (derived.size() > 1) {
      return {name, Kind::unused,
              "not reached: nothing that the loss depends on was computed from it, or its values were "
              "taken by data() or to_vector(); the last op was " +
                  place_of(*derived.rbegin())};
    }
    if (const std::string other = namesake(name, parameter); !other.empty()) {
      return {name, Kind::replaced, fmt::format("replaced: the forward read another tensor, {}, under its name", other)};
    }
    return {name, Kind::unused, "not reached: no op read it"};
  }

 private:
  // The ops and calls that took one of these tensors on the way to the loss and gave it no gradient.
  std::vector<std::string> cuts_of(const Numbers& severed) const {
    Numbers cuts;
    for (const std::uint64_t x : severed) {
      const auto readers = readers_.find(x);
      if (readers == readers_.end()) continue;
      for (const std::uint64_t y : readers->second) {
        if (severed.count(y) == 0 && behind_loss_.count(y) != 0) cuts.insert(y);
      }
    }
    std::vector<std::string> texts;
    for (const std::uint64_t y : cuts) {
      const bool no_rule = log_.made().at(y).on_tape;
      texts.push_back(place_of(y) + (no_rule ? ", whose rule gives that input no gradient" : ""));
    }
    return texts;
  }

  std::vector<std::string> reads_of(const Numbers& derived) const {
    std::vector<std::string> texts;
    for (const std::uint64_t x : derived) {
      const auto reads = log_.reads().find(x);
      if (reads == log_.reads().end()) continue;
      for (const std::string& call : reads->second) texts.push_back(fmt::format("{} of {}", call, place_of(x)));
    }
    return texts;
  }

  std::string place_of(std::uint64_t number) const {
    const auto made = log_.made().find(number);
    return made == log_.made().end() ? "the parameter itself" : place(made->second.by, number, made->second.shape);
  }

  // "#12", another tensor that a module gave this name, if no module named the parameter; else "".
  std::string namesake(const std::string& name, const Tensor& parameter) const {
    if (log_.names().count(parameter.number()) != 0) return "";
    for (const auto& [number, other] : log_.names()) {
      if (other == name) return fmt::format("#{}", number);
    }
    return "";
  }

  const ForwardLog& log_;
  Edges readers_;
  Numbers behind_loss_;  // what the loss was computed from, by ops recorded or not
  Numbers on_tape_;      // of these, what its tape leads to, or did
  Numbers walked_;       // what a walk reaches; the same if the tape is gone
};

// dL/dp of each parameter, undefined where none comes.
struct Gradients {
  Gradients(const Tensor& loss, const NamedTensors& parameters) : gradients(parameters.size()) {
    std::vector<std::size_t> places;
    Tensors wanted;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Tensor& parameter = parameters[i].tensor;
      if (!parameter.requires_grad()) continue;
      gradients[i] = loss.graph_freed() ? parameter.grad() : Tensor();
      places.push_back(i);
      wanted.push_back(parameter);
    }
    if (loss.graph_freed()) return;
    Visited walk;
    if (loss.requires_grad() && !wanted.empty()) {
      const Observing watching(&walk);
      const Tensors found = grad({loss}, wanted, {.seeds = {ones_like(loss)}, .retain_graph = true, .allow_unused = true});
      for (std::size_t i = 0; i < found.size(); ++i) gradients[places[i]] = found[i];
    }
    visited = std::move(walk.numbers);
  }

  Tensors gradients;
  std::optional<Numbers> visited;  // none if the tape was gone
};

void check_arguments(const Tensor& loss, const NamedTensors& parameters, OpName op = {}) {
  check<GraphError>(loss.defined(), "{}: the loss is undefined", op);
  for (const NamedTensor& parameter : parameters) {
    check<GraphError>(parameter.tensor.defined(), "{}: parameter '{}' is undefined", op, parameter.name);
  }
}

bool all_zero(const Tensor& gradient) { return sum(gradient != 0).item() == 0; }

}  // namespace

std::vector<Severed> severed(const Tensor& loss, const NamedTensors& parameters, const SeveredOptions& options) {
  using Kind = Severed::Kind;
  check_arguments(loss, parameters);
  const ForwardLog* log = ForwardLog::active();
  check<GraphError>(log == nullptr || log->begun() < loss.number(),
                    "severed: the ForwardLog was made after the loss; make it before the model is called");
  const Observing unseen{nullptr};
  const Gradients walk(loss, parameters);
  std::optional<Search> search;
  std::vector<Severed> result;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const auto& [name, parameter, role] = parameters[i];
    if (!parameter.requires_grad()) {
      result.push_back({name, Kind::frozen, "requires_grad is off"});
    } else if (walk.gradients[i].defined()) {
      if (options.zeros && all_zero(walk.gradients[i])) result.push_back({name, Kind::zero, "its gradient is 0 everywhere"});
    } else if (log == nullptr) {
      result.push_back(
          {name, Kind::unused, "not on the tape of the loss; an inspect::ForwardLog, made before the forward, knows what cut it"});
    } else {
      if (!search) search.emplace(*log, loss, walk.visited ? &*walk.visited : nullptr);
      result.push_back(search->explain(name, parameter));
    }
  }
  return result;
}

std::vector<Severed> unnamed_leaves(const Tensor& loss, const NamedTensors& parameters) {
  check_arguments(loss, parameters);
  ReadLeaves leaves = leaves_on_tape(loss);
  const ForwardLog* log = ForwardLog::active();
  if (loss.graph_freed() && log != nullptr) leaves = Search(*log, loss, nullptr).leaves();
  for (const NamedTensor& parameter : parameters) leaves.erase(parameter.tensor.number());
  std::vector<Severed> result;
  for (const auto& [number, leaf] : leaves) {
    if (CallLog::active() != nullptr && CallLog::active()->names().count(number) != 0) continue;
    result.push_back({fmt::format("#{} {}", number, leaf.shape), Severed::Kind::unnamed,
                      fmt::format("on the tape of the loss, where {} read it, but no parameter of the model: does members() leave "
                                  "it out?",
                                  leaf.reader)});
  }
  return result;
}

}  // namespace gradus::inspect
