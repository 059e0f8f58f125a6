#include "core/inspect/tracer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "core/inspect/op_sources.h"

namespace gradus::inspect {
namespace {

constexpr std::size_t kMostNumbers = 100'000;  // tensors; of more only summaries are kept

TracedTensor::Kind kind_of(const Tensor& x) {
  if (x.node() != nullptr) return TracedTensor::Kind::op;
  if (x.graph_freed()) return TracedTensor::Kind::freed;
  return x.requires_grad() ? TracedTensor::Kind::leaf : TracedTensor::Kind::constant;
}

// The axes along which a tensor of shape `to` was broadcast to `from`.
std::vector<int> summed_axes(const Shape& from, const Shape& to) {
  std::vector<int> axes;
  const int added = from.rank() - to.rank();
  for (int axis = 0; axis < from.rank(); ++axis) {
    if (axis < added || (to[axis - added] == 1 && from[axis] != 1)) axes.push_back(axis);
  }
  return axes;
}

}  // namespace

void Tracer::start(const Tensors& outputs, std::uint64_t oldest) {
  oldest_ = oldest;
  trace_ = {.title = options_.title};
  tensors_.clear();
  contributions_.clear();
  for (const Tensor& output : outputs) trace_.outputs.push_back(output.number());
  if (const CallLog* log = CallLog::active()) {
    names_ = log->names();
    trace_.dimensions = log->dimensions();
  }
  for (const auto& [letter, size] : options_.dimensions) trace_.dimensions[letter] = size;
  for (const auto& [name, x] : options_.names) {
    if (x.defined()) names_[x.number()] = name;
  }
  const Tensors tape = tape_of(outputs);
  std::int64_t elements = 0;
  for (const Tensor& x : tape) elements += x.numel();
  if (elements <= options_.whole_tape) measure_.keep_whole(elements);
  for (const Tensor& x : tape) note(x, false);
  if (const CallLog* log = CallLog::active()) note_calls(*log);
}

// The calls that made something of this tape. One that is still open, as y was computed inside of it, lasts.
void Tracer::note_calls(const CallLog& log) {
  for (ModuleCall call : log.calls()) {
    if (call.last == 0) call.last = std::numeric_limits<std::int64_t>::max();
    const auto made = tensors_.lower_bound(call.first);
    if (made != tensors_.end() && made->first < call.last) trace_.modules.push_back(std::move(call));
  }
}

// All that leads to these tensors and is not noted yet, constants included, without recursion.
Tensors Tracer::tape_of(const Tensors& outputs) const {
  Tensors pending = outputs, tape;
  std::set<std::uint64_t> seen;
  while (!pending.empty()) {
    const Tensor x = std::move(pending.back());
    pending.pop_back();
    if (tensors_.count(x.number()) != 0 || !seen.insert(x.number()).second) continue;
    tape.push_back(x);
    if (x.node() == nullptr) continue;
    for (std::size_t i = 0; i < x.node()->input_count(); ++i) {
      if (x.node()->input(i).defined()) pending.push_back(x.node()->input(i));
    }
  }
  return tape;
}

void Tracer::note(const Tensor& x, bool of_walk) {
  if (tensors_.size() == kMostNumbers) measure_.keep_summaries();
  TracedTensor noted{.number = x.number(), .kind = kind_of(x), .dtype = x.dtype(), .values = measure_(x)};
  noted.requires_grad = x.requires_grad();
  noted.of_walk = of_walk;
  if (const auto name = names_.find(x.number()); name != names_.end()) noted.name = name->second;
  if (const Node* node = x.node()) {
    noted.op = node->name();
    for (std::size_t i = 0; i < node->input_count(); ++i) {
      noted.inputs.push_back(node->input(i).defined() ? node->input(i).number() : 0);
    }
  }
  tensors_.emplace(x.number(), std::move(noted));
}

void Tracer::visit(const Tensor& y, const Tensor& gradient) { trace_.walk.push_back({y.number(), measure_(gradient), {}}); }

void Tracer::arriving(int i, const Tensor& x, const Gradient& contribution, const Tensor& before) {
  Delivery delivery{.input = i, .to = x.number(), .contribution = measure_(contribution.values)};
  delivery.by_rows = contribution.by_rows();
  if (before.defined()) delivery.before = measure_(before);
  if (!delivery.by_rows) delivery.summed_over = summed_axes(contribution.values.shape(), x.shape());
  if (options_.create_graph && contribution.values.requires_grad()) {
    delivery.made_by = contribution.values.number();
    contributions_.push_back(contribution.values);
  }
  (i < 0 ? trace_.seeds : trace_.walk.back().deliveries).push_back(std::move(delivery));
}

void Tracer::arrived(const Tensor& after) {
  Delivery& delivery = trace_.walk.empty() ? trace_.seeds.back() : trace_.walk.back().deliveries.back();
  delivery.after = measure_(after);
}

void Tracer::finish() {
  for (const Tensor& x : tape_of(contributions_)) note(x, true);
  contributions_.clear();
  find_severed();
  name_modules();
  for (auto& [number, tensor] : tensors_) {
    if (const OpSource* source = source_of(tensor.op)) trace_.ops.emplace(tensor.op, *source);
    trace_.tensors.push_back(std::move(tensor));
  }
  for (const auto& [name, x] : options_.names) {
    if (x.defined() && tensors_.count(x.number()) == 0) trace_.unreached.push_back(name);
  }
  if (tensors_.size() > kMostNumbers) {
    trace_.notes.push_back(
        fmt::format("the tape has {} tensors; beyond {} only summaries of their values are kept", tensors_.size(), kMostNumbers));
  } else if (measure_.shortened() > 0) {
    trace_.notes.push_back(
        fmt::format("the values of {} tensors and gradients are summaries only: the memory for values, {} MB, "
                    "was used up; raise TraceOptions::memory, or lower TraceOptions::whole ({})",
                    measure_.shortened(), options_.memory >> 20, options_.whole));
  }
  tensors_.clear();
}

// The innermost call that made each tensor: both are in the order of numbers.
void Tracer::name_modules() {
  std::vector<int> open;
  std::size_t next = 0;
  for (auto& [number, tensor] : tensors_) {
    while (next < trace_.modules.size() && trace_.modules[next].first <= number) open.push_back(static_cast<int>(next++));
    while (!open.empty() && trace_.modules[static_cast<std::size_t>(open.back())].last <= number) open.pop_back();
    if (!open.empty() && tensor.kind == TracedTensor::Kind::op && !tensor.of_walk) tensor.module = open.back();
  }
}

// A tensor that requires a gradient and was not visited was cut off by the ops that read it. If one of these was not visited
// either, it says in its turn which ops cut it off.
void Tracer::find_severed() {
  std::set<std::uint64_t> visited;
  for (const Visit& visit : trace_.walk) visited.insert(visit.tensor);
  for (auto reader = tensors_.rbegin(); reader != tensors_.rend(); ++reader) {
    if (reader->second.of_walk) continue;
    for (const std::uint64_t input : reader->second.inputs) {
      const auto x = tensors_.find(input);
      if (x == tensors_.end() || !x->second.requires_grad || input < oldest_ || visited.count(input) != 0) continue;
      std::vector<std::uint64_t>& by = x->second.severed_by;
      const std::uint64_t op = reader->first;
      if (std::find(by.begin(), by.end(), op) == by.end()) by.push_back(op);
    }
  }
}

}  // namespace gradus::inspect
