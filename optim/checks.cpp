#include "optim/checks.h"

#include <algorithm>
#include <map>

namespace gradus::optim {

void check_parameters(const NamedTensors& parameters, OpName op) {
  std::map<std::uint64_t, std::string> names;  // by the tensor's number, to find one that is given twice
  std::vector<Changed> all;
  for (const NamedTensor& parameter : parameters) {
    const auto& [name, tensor, role] = parameter;
    check<GraphError>(tensor.defined(), "{}: {} is undefined", op, name);
    check<GraphError>(tensor.is_leaf(), "{}: {} was made by an op and cannot be changed in place", op, name);
    check<DTypeError>(tensor.dtype() == DType::f32 || tensor.dtype() == DType::f64,
                      "{}: {} is {}, too coarse to be changed by small steps; use f32 or f64", op, name, tensor.dtype());
    const auto [first, added] = names.emplace(tensor.number(), name);
    check<ValueError>(added, "{}: {} is given twice, first as {}", op, name, first->second);
    all.push_back({"", parameter});
  }
  check_apart(all, op);
  io::check_names(parameters, op);
}

void check_apart(const std::vector<Changed>& tensors, OpName op) {
  using Stored = std::pair<const void*, std::size_t>;  // where, and the index of the tensor
  std::vector<Stored> stored;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& tensor = tensors[i].named.tensor;
    if (tensor.numel() > 0) stored.emplace_back(tensor.bytes(), i);
  }
  std::sort(stored.begin(), stored.end());
  for (std::size_t i = 1; i < stored.size(); ++i) {
    if (stored[i].first != stored[i - 1].first) continue;
    const Changed &one = tensors[stored[i - 1].second], &other = tensors[stored[i].second];
    throw ValueError(
        fmt::format("{}: {}{} and {}{} share one storage, so that each would change both; give one of them, or a "
                    "detached_copy()",
                    op, one.what, one.named.name, other.what, other.named.name));
  }
  for (const auto& [what, named] : tensors) {
    const Tensor gradient = named.tensor.grad();
    if (!gradient.defined() || gradient.numel() == 0) continue;
    const auto at = std::lower_bound(stored.begin(), stored.end(), Stored{gradient.bytes(), 0});
    if (at == stored.end() || at->first != gradient.bytes()) continue;
    const Changed& changed = tensors[at->second];
    throw ValueError(fmt::format("{}: the gradient of {} and {}{} share one storage, which a step would change; set a detached_copy()", op,
                                 named.name, changed.what, changed.named.name));
  }
}

void check_trained(const NamedTensor& parameter, OpName op) {
  const auto& [name, tensor, role] = parameter;
  check<GraphError>(tensor.defined() && tensor.requires_grad() && tensor.is_leaf(),
                    "{}: {} is not a parameter: it must be a leaf that requires a gradient", op, name);
}

void check_still_trained(const char* what, const NamedTensor& parameter, OpName op) {
  check<GraphError>(parameter.tensor.requires_grad(),
                    "{}: {} requires no gradient any more: it was frozen, or model.to() or extend() "
                    "put another tensor in its place; build the {} again",
                    op, parameter.name, what);
}

}  // namespace gradus::optim
