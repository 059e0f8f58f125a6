#include "core/inspect/forward_log.h"

#include <algorithm>

#include "core/tape/grad_mode.h"

namespace gradus::inspect {
namespace {

// What made y off the tape. A call ends with ")", as in "detach()"; all else is an op, with the reason why it is not on
// the tape.
std::string past_the_tape(const std::string& by, const Tensor& y) {
  if (by.back() == ')') return by;
  return by + (is_floating(y.dtype()) && !grad_enabled() ? " under NoGrad" : " (no derivative)");
}

}  // namespace

// Does x require a gradient, or was it computed from a tensor that does?
bool ForwardLog::follows(const Tensor& x) const { return x.defined() && (x.requires_grad() || made_.count(x.number()) != 0); }

void ForwardLog::made(const char* by, const Tensor& y, std::span<const Tensor> inputs, bool on_tape) {
  if (std::none_of(inputs.begin(), inputs.end(), [this](const Tensor& x) { return follows(x); })) return;
  Made& entry = made_[y.number()] = {on_tape ? by : past_the_tape(by, y), y.shape(), on_tape};
  for (const Tensor& x : inputs) {
    entry.inputs.push_back(x.defined() ? x.number() : 0);
    if (on_tape && x.defined() && x.is_leaf() && x.requires_grad()) leaves_.emplace(x.number(), x.shape());
  }
}

void ForwardLog::changed(const char* call, const Tensor& x, const Tensor& source) {
  if (!follows(source)) return;
  Made& entry = made_[x.number()];  // with what it came from before: a sum may grow in place
  entry.by = call;
  entry.shape = source.shape();
  entry.on_tape = false;
  entry.inputs.push_back(source.number());
}

void ForwardLog::read(const char* call, const Tensor& x) {
  if (!follows(x)) return;
  std::vector<std::string>& calls = reads_[x.number()];
  if (std::find(calls.begin(), calls.end(), call) == calls.end()) calls.emplace_back(call);
}

}  // namespace gradus::inspect
