#include "core/inspect/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/inspect/tracer.h"
#include "core/io/file.h"
#include "core/tape/grad_mode.h"

namespace gradus::inspect {
namespace {

// All leaves that y depends on. GraphError if an earlier walk freed a part of the tape between them, as backward() throws.
Tensors leaves_of(const Tensor& y) {
  std::set<std::uint64_t> seen;
  Tensors pending{y}, leaves;
  while (!pending.empty()) {
    const Tensor x = std::move(pending.back());
    pending.pop_back();
    if (!x.requires_grad() || !seen.insert(x.number()).second) continue;
    check<GraphError>(!x.graph_freed(),
                      "trace: this part of the graph was freed by an earlier backward; trace before it, or "
                      "call backward({{loss}}, {{}}, true) to keep the tape");
    if (x.is_leaf()) leaves.push_back(x);
    if (x.node() == nullptr) continue;
    for (std::size_t i = 0; i < x.node()->input_count(); ++i) {
      if (x.node()->input(i).defined()) pending.push_back(x.node()->input(i));
    }
  }
  return leaves;
}

// --- naive recursion ----------------------------------------------------------------------------------------

constexpr std::size_t kManyTensors = 1'000;
constexpr std::int64_t kManyVisits = 10'000;
constexpr std::int64_t kShownArrivals = 1'000;

// What the op that made y hands to its inputs, in its order: the deliveries of the first step of a walk from y.
class FirstStep final : public Observer {
 public:
  struct Part { Tensor to, contribution; };
  static std::vector<Part> of(const Tensor& y, const Tensor& gradient) {
    FirstStep step;
    const Observing unseen(nullptr), watching(&step);
    Tensors inputs;
    for (std::size_t i = 0; i < y.node()->input_count(); ++i) {
      const Tensor& x = y.node()->input(i);
      if (x.defined() && x.requires_grad()) inputs.push_back(x);
    }
    gradus::grad({y}, inputs, {.seeds = {gradient}, .retain_graph = true, .allow_unused = true});
    return std::move(step.parts_);
  }

 private:
  void visit(const Tensor&, const Tensor&) override { ++visits_; }
  void arriving(int, const Tensor& x, const Gradient& given, const Tensor&) override {
    if (visits_ != 1) return;
    const auto& [values, indices, axis] = given;
    parts_.push_back({x, given.by_rows() ? index_add(zeros_like(x), axis, indices, values) : sum_to(values, x.shape()).clone()});
  }

  int visits_ = 0;
  std::vector<Part> parts_;
};

class Recursion {
 public:
  static NaiveWalk from(const Tensor& y) {
    const NoGrad off;
    Recursion recursion;
    recursion.arrive(0, y, ones_like(y));
    recursion.result_.complete = recursion.result_.visits < kManyVisits;
    return std::move(recursion.result_);
  }

 private:
  // The mistake: what has gathered so far goes on at once, and goes on again with the next arrival.
  void arrive(std::uint64_t from, const Tensor& x, const Tensor& contribution) {  // NOLINT(misc-no-recursion)
    if (result_.visits >= kManyVisits) return;
    ++result_.visits;
    Tensor& gradient = gradients_[x.number()];
    gradient = gradient.defined() ? gradient + contribution : contribution;
    if (result_.visits <= kShownArrivals) result_.arrivals.push_back({from, x.number(), measure_(gradient)});
    if (x.is_leaf()) return;
    for (const auto& [to, part] : FirstStep::of(x, gradient)) arrive(x.number(), to, part);
  }

  Measure measure_{64, 1 << 20};
  std::map<std::uint64_t, Tensor> gradients_;
  NaiveWalk result_;
};

}  // namespace

const TracedTensor& Trace::tensor(std::uint64_t number) const {
  const auto found =
      std::lower_bound(tensors.begin(), tensors.end(), number, [](const TracedTensor& t, std::uint64_t n) { return t.number < n; });
  check<ValueError>(found != tensors.end() && found->number == number, "trace: there is no tensor #{}", number);
  return *found;
}

Trace trace(const Tensor& y, const TraceOptions& options) {
  check<GraphError>(y.defined(), "trace: the tensor is undefined");
  check<GraphError>(y.requires_grad(), "trace: the tensor is not on the tape");
  const Tensors leaves = leaves_of(y);
  Tracer tracer(options);
  {
    const Observing unseen(nullptr), watching(&tracer);
    gradus::grad({y}, leaves, {.seeds = {ones_like(y)}, .create_graph = options.create_graph, .retain_graph = true, .allow_unused = true});
  }
  Trace result = tracer.take();
  if (options.naive && result.tensors.size() <= kManyTensors) {
    result.naive = Recursion::from(y);
  } else if (options.naive) {
    result.notes.push_back(
        fmt::format("naive recursion was left out: the tape has {} tensors, more than {}", result.tensors.size(), kManyTensors));
  }
  return result;
}

void write_json(const std::string& path, const Trace& trace) { io::write_file(path, json(trace)); }

Trace load_trace(const std::string& path) {
  io::InputFile file(path);
  const std::string text = file.read_string(file.remaining());
  return read_trace(text);
}

}  // namespace gradus::inspect
