#include "examples/support/attention_weights.h"

#include <algorithm>
#include <map>
#include <string_view>

#include "core/inspect/calls.h"
#include "core/tape/node.h"

namespace gradus::examples {
namespace {

// All tensors that `last` was made of, by number and so in the order in which they were made.
std::map<std::uint64_t, Tensor> tape_of(const Tensor& last) {
  std::map<std::uint64_t, Tensor> seen;
  std::vector<Tensor> waiting{last};
  while (!waiting.empty()) {
    const Tensor tensor = waiting.back();
    waiting.pop_back();
    if (!tensor.defined() || !seen.emplace(tensor.number(), tensor).second || tensor.node() == nullptr) continue;
    for (std::size_t i = 0; i < tensor.node()->input_count(); ++i) waiting.push_back(tensor.node()->input(i));
  }
  return seen;
}

}  // namespace

std::vector<AttentionWeights> attention_weights(const std::function<Tensor()>& forward) {
  const inspect::CallLog log;
  const Tensor last = forward();
  std::vector<AttentionWeights> found;
  for (const auto& [number, tensor] : tape_of(last)) {
    if (tensor.node() == nullptr || std::string_view(tensor.node()->name()) != "softmax" || tensor.rank() != 4) continue;
    std::string path;
    for (const inspect::ModuleCall& call : log.calls()) {  // the innermost comes last
      if (call.first <= number && number < call.last) path = call.path;
    }
    found.push_back({path, tensor.detach()});
  }
  return found;
}

}  // namespace gradus::examples
