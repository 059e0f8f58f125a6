// The tape playground: the walk back over an expression or a small model, step by step; beside it the recursion without an
// order, and central differences.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "core/inspect/trace.h"
#include "examples/shared/expression/differences.h"
#include "examples/widgets/lab.h"
#include "examples/widgets/tape_problem.h"

namespace gradus::widgets {
namespace {

using inspect::Delivery;
using inspect::Trace;
using inspect::TracedTensor;
using inspect::Values;
using inspect::Visit;
using Number = std::uint64_t;
using Gradients = std::map<Number, Values, std::greater<>>;

constexpr std::size_t kMostDrawn = 20;

// One number as such, whatever its shape.
std::string json_of(const Values& values) {
  return values.all.size() == 1 ? json(values.all[0]) : json(from_vector(values.all, values.shape));
}

std::string word(double x) {
  if (std::isnan(x)) return "NaN";
  if (std::isinf(x)) return x > 0 ? "∞" : "−∞";
  std::string text = fmt::format("{:.4g}", x == 0 ? 0 : x);
  return text[0] == '-' ? "−" + text.substr(1) : text;
}

std::string word(const Values& values) {
  return values.all.size() == 1 ? word(values.all[0]) : fmt::format("{} numbers", values.all.size());
}

std::string listed(const std::vector<std::string>& words) {
  if (words.size() < 2) return words.empty() ? "" : words[0];
  return fmt::format("{} and {}", fmt::join(words.begin(), words.end() - 1, ", "), words.back());
}

std::string name_of(const Trace& trace, Number number) {
  const TracedTensor& tensor = trace.tensor(number);
  return tensor.name.empty() ? tensor.op : tensor.name;
}

// Its place in the order of creation, from 1.
int rank_of(const Trace& trace, Number number) {
  const auto older = [&](const TracedTensor& one) { return one.number < number; };
  return static_cast<int>(std::count_if(trace.tensors.begin(), trace.tensors.end(), older)) + 1;
}

// The step of the walk that visits it, from 1; 0 if none does.
std::size_t turn_of(const Trace& trace, Number number) {
  const auto at = [&](const Visit& visit) { return visit.tensor == number; };
  const auto visit = std::find_if(trace.walk.begin(), trace.walk.end(), at);
  return visit == trace.walk.end() ? 0 : static_cast<std::size_t>(visit - trace.walk.begin()) + 1;
}

// --- the walk after a number of steps -------------------------------------------------------------------------

// What is pending, newest first, as the engine has it once `steps` tensors have been visited.
Gradients pending_after(const Trace& trace, std::size_t steps) {
  Gradients pending;
  for (const Delivery& seed : trace.seeds) pending[seed.to] = seed.after;
  for (std::size_t i = 0; i < steps; ++i) {
    pending.erase(trace.walk[i].tensor);
    for (const Delivery& delivery : trace.walk[i].deliveries) pending[delivery.to] = delivery.after;
  }
  return pending;
}

// How many wait at once, at most.
std::int64_t most_pending(const Trace& trace) {
  std::size_t most = 0;
  for (std::size_t steps = 0; steps <= trace.walk.size(); ++steps) most = std::max(most, pending_after(trace, steps).size());
  return static_cast<std::int64_t>(most);
}

Seen seen_delivery(const Trace& trace, const Delivery& delivery) {
  Seen seen;
  seen.add("to", rank_of(trace, delivery.to)).add("name", name_of(trace, delivery.to));
  seen.add_json("before", delivery.before ? json_of(*delivery.before) : "null");
  return seen.add_json("contribution", json_of(delivery.contribution)).add_json("after", json_of(delivery.after));
}

std::vector<Seen> seen_deliveries(const Trace& trace, const Visit& visit) {
  std::vector<Seen> all;
  for (const Delivery& delivery : visit.deliveries) all.push_back(seen_delivery(trace, delivery));
  return all;
}

// A tensor, with its gradient if that has come: complete when the walk has been there.
Seen seen_tensor(const Trace& trace, const TracedTensor& tensor, std::size_t steps, const Gradients& pending) {
  std::vector<double> inputs;
  for (const Number input : tensor.inputs) {
    if (input != 0) inputs.push_back(rank_of(trace, input));
  }
  const std::size_t turn = turn_of(trace, tensor.number);
  const bool visited = turn > 0 && turn <= steps;
  const auto waits = pending.find(tensor.number);
  const std::string gradient = visited ? json_of(trace.walk[turn - 1].gradient) : waits != pending.end() ? json_of(waits->second) : "null";
  Seen seen;
  seen.add("number", rank_of(trace, tensor.number)).add("name", name_of(trace, tensor.number)).add("op", tensor.op);
  seen.add("kind", TracedTensor::kKinds[static_cast<std::size_t>(tensor.kind)]).add("inputs", inputs);
  seen.add_json("value", json_of(tensor.values)).add_json("gradient", gradient);
  return seen.add("turn", static_cast<int>(turn)).add("visited", visited);
}

std::string step_in_words(const Trace& trace, std::size_t steps) {
  const std::string count = fmt::format("Step {} of {}: ", steps, trace.walk.size());
  if (steps == 0) return count + fmt::format("{} waits with 1, and nothing else.", name_of(trace, trace.walk[0].tensor));
  const Visit& visit = trace.walk[steps - 1];
  const std::string complete = fmt::format("{} is complete with {}", name_of(trace, visit.tensor), word(visit.gradient));
  std::vector<std::string> handed;
  for (const Delivery& each : visit.deliveries) handed.push_back(fmt::format("{} to {}", word(each.contribution), name_of(trace, each.to)));
  if (!handed.empty()) return count + fmt::format("{}, and hands on {}.", complete, listed(handed));
  const bool leaf = trace.tensor(visit.tensor).kind == TracedTensor::Kind::leaf;
  return count + complete + (leaf ? "; it is a leaf." : "; none of it goes on.");
}

// --- the leaves: the walk, differences, and the twin -----------------------------------------------------------

struct Leaf {
  std::string name;
  std::optional<Values> walk, twin;  // none: no gradient came; of the twin: there were too many arrivals
  Values differences;
};

// Beside y, what is left of rounding is no slope.
Values without_rounding(Values slopes, double y) {
  for (double& slope : slopes.all) slope = std::abs(slope) < 1e-9 * std::max(1.0, std::abs(y)) ? 0 : slope;
  return slopes;
}

Values differences(const TapeProblem& problem, std::size_t leaf, double y) {
  Tensors leaves;
  for (const auto& [name, x] : problem.leaves) leaves.push_back(x);
  const Tensor at = leaves[leaf];
  const auto y_with = [&](const Tensor& moved) {
    leaves[leaf] = moved;
    return problem.compute(leaves).y.item();
  };
  return without_rounding({.shape = at.shape(), .all = examples::central_differences(y_with, at)}, y);
}

std::optional<Values> twin_of(const Trace& trace, Number leaf) {
  const inspect::NaiveWalk& naive = *trace.naive;
  if (naive.visits > static_cast<std::int64_t>(naive.arrivals.size())) return std::nullopt;
  std::optional<Values> last;
  for (const auto& arrival : naive.arrivals) {
    if (arrival.to == leaf) last = arrival.after;
  }
  return last;
}

std::vector<Leaf> leaves_of(const TapeProblem& problem, const Trace& trace, double y) {
  std::vector<Leaf> all;
  for (std::size_t i = 0; i < problem.leaves.size(); ++i) {
    const auto& [name, x] = problem.leaves[i];
    const auto at = [number = x.number()](const Visit& visit) { return visit.tensor == number; };
    const auto visit = std::find_if(trace.walk.begin(), trace.walk.end(), at);
    Leaf leaf{name, {}, twin_of(trace, x.number()), differences(problem, i, y)};
    if (visit != trace.walk.end()) leaf.walk = visit->gradient;
    all.push_back(std::move(leaf));
  }
  return all;
}

// No gradient is right where the slope is 0. What is no number is never right.
bool agrees(const std::optional<Values>& gradient, const Values& slopes) {
  for (std::size_t i = 0; i < slopes.all.size(); ++i) {
    const double found = gradient ? gradient->all[i] : 0;
    if (!(std::abs(found - slopes.all[i]) <= 1e-6 * std::max(1.0, std::abs(slopes.all[i])))) return false;
  }
  return true;
}

std::string law(const std::vector<Leaf>& leaves) {
  std::vector<std::string> parted, twin_wrong;
  for (const Leaf& leaf : leaves) {
    const bool right = agrees(leaf.walk, leaf.differences);
    if (!right) parted.push_back(leaf.name);
    else if (leaf.twin && !agrees(leaf.twin, leaf.differences)) twin_wrong.push_back(leaf.name);
  }
  if (!parted.empty()) {
    return fmt::format(" For {}, walk and differences part: here is a kink, a jump or a cut, or the slope is no finite number.",
                       listed(parted));
  }
  const std::string right = " At the end the walk has given every leaf what differences give";
  if (!twin_wrong.empty()) return right + fmt::format("; the recursion is wrong about {}.", listed(twin_wrong));
  const bool counted = std::all_of(leaves.begin(), leaves.end(), [](const Leaf& leaf) { return leaf.twin || !leaf.walk; });
  return right + (counted ? ", and so has the recursion." : "; the recursion needs too many arrivals to tell.");
}

Seen seen_leaf(const Leaf& leaf) {
  Seen seen;
  seen.add("name", leaf.name).add_json("walk", leaf.walk ? json_of(*leaf.walk) : "null");
  seen.add_json("differences", json_of(leaf.differences)).add_json("twin", leaf.twin ? json_of(*leaf.twin) : "null");
  return seen.add("right", agrees(leaf.walk, leaf.differences)).add("twin_right", agrees(leaf.twin, leaf.differences));
}

// --- all that is seen --------------------------------------------------------------------------------------------

Trace trace_of(const TapeProblem& problem, Tensor& y) {
  Tensors leaves;
  for (const auto& [name, x] : problem.leaves) leaves.push_back(x);
  const Computed computed = problem.compute(leaves);
  y = computed.y;
  inspect::TraceOptions options{.naive = true};
  options.names = computed.names;
  options.names.insert(options.names.end(), problem.leaves.begin(), problem.leaves.end());
  Trace trace = inspect::trace(y, options);
  check<ValueError>(trace.tensors.size() <= kMostDrawn, "this makes a tape of {} tensors; {} can be drawn, so take something shorter",
                    trace.tensors.size(), kMostDrawn);
  return trace;
}

Seen look(const TapeProblem& problem, std::int64_t step, Knobs& knobs) {
  Tensor y;
  const Trace trace = trace_of(problem, y);
  knobs.set_end("step", static_cast<double>(trace.walk.size()));
  const std::size_t steps = std::min(static_cast<std::size_t>(step), trace.walk.size());
  const Gradients pending = pending_after(trace, steps);
  std::vector<Seen> tensors, waiting, leaves;
  for (const TracedTensor& tensor : trace.tensors) tensors.push_back(seen_tensor(trace, tensor, steps, pending));
  for (const auto& [number, gradient] : pending) {
    waiting.push_back(Seen()
                          .add("turn", static_cast<int>(turn_of(trace, number)))
                          .add("name", name_of(trace, number))
                          .add_json("gradient", json_of(gradient)));
  }
  const std::vector<Leaf> found = leaves_of(problem, trace, y.item());
  for (const Leaf& leaf : found) leaves.push_back(seen_leaf(leaf));
  Seen seen;
  seen.add("step", static_cast<std::int64_t>(steps)).add("visits", static_cast<std::int64_t>(trace.walk.size()));
  seen.add("now", steps > 0 ? rank_of(trace, trace.walk[steps - 1].tensor) : 0).add("tensors", tensors);
  seen.add("deliveries", steps > 0 ? seen_deliveries(trace, trace.walk[steps - 1]) : std::vector<Seen>());
  seen.add("pending", waiting).add("most_pending", most_pending(trace)).add("leaves", leaves).add("arrivals", trace.naive->visits);
  seen.add("all_arrived", trace.naive->complete);
  return seen.say(step_in_words(trace, steps) + law(found));
}

// A model reads as many of the numbers as its first layer takes.
void set_idle_leaves(const TapeProblem& problem, Knobs& knobs) {
  const std::vector<std::string> names{"a", "b", "c"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_read = std::any_of(problem.leaves.begin(), problem.leaves.end(), [&](const auto& leaf) {
      return leaf.first == names[i] || (leaf.first == "x" && static_cast<std::int64_t>(i) < leaf.second.numel());
    });
    if (!is_read) knobs.set_idle({names[i]}, "nothing reads it");
  }
}

}  // namespace

Seen tape(Knobs& knobs) {
  const std::int64_t step = knobs.whole("step", "step of the walk", 4, {0, kMostDrawn, 1});
  const Range range{-5, 5, 0.1};
  const double a = knobs.number("a", "a", 2, range), b = knobs.number("b", "b", 3, range), c = knobs.number("c", "c", 1, range);
  const std::string what = knobs.choice("what", "the tape of", "an expression", {"an expression", "a model"});
  const std::string text = knobs.text("text", "expression of a, b, c", "s = a+b; p = a*b; s + p + s*p", 120);
  const std::string model = knobs.text("model", "model", "linear 2 3; tanh; linear 3 1; mse", 80);
  const bool is_model = what == "a model";
  knobs.set_idle({is_model ? "text" : "model"}, is_model ? "choose an expression" : "choose a model");
  const TapeProblem problem = is_model ? model_problem(model, {a, b, c}) : expression_problem(text, {{"a", a}, {"b", b}, {"c", c}});
  set_idle_leaves(problem, knobs);
  return look(problem, step, knobs);
}

}  // namespace gradus::widgets
