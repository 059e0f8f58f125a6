#include "optim/checks.h"

#include <map>

namespace gradus::optim {

void check_parameters(const char* who, const NamedTensors& parameters) {
  std::map<std::uint64_t, std::string> names;  // by the tensor's number, to find one that is given twice
  std::map<const void*, std::string> stored;   // by its storage, as detach() shares it
  for (const auto& [name, tensor, role] : parameters) {
    check<GraphError>(tensor.defined(), "{}: {} is undefined", who, name);
    check<GraphError>(tensor.is_leaf(), "{}: {} was made by an op and cannot be changed in place", who, name);
    check<DTypeError>(tensor.dtype() == DType::f32 || tensor.dtype() == DType::f64,
                      "{}: {} is {}, too coarse to be changed by small steps; use f32 or f64", who, name, tensor.dtype());
    const auto [first, added] = names.emplace(tensor.number(), name);
    check<ValueError>(added, "{}: {} is given twice, first as {}", who, name, first->second);
    const auto [other, alone] = stored.emplace(tensor.bytes(), name);
    check<ValueError>(alone || tensor.numel() == 0, "{}: {} and {} share one storage, so that each would change both; give one of "
                      "them, or a detached_copy()", who, other->second, name);
  }
  io::check_names(who, parameters);
}

void check_gradient(const char* who, const std::string& name, const Tensor& parameter) {
  const Tensor g = parameter.grad();
  if (!g.defined()) return;
  check<ShapeError>(g.shape() == parameter.shape(), "{}: the gradient of {} has shape {}, and {} has {}; was its data changed?",
                    who, name, g.shape(), name, parameter.shape());
  check<DTypeError>(g.dtype() == parameter.dtype(), "{}: the gradient of {} is {}, and {} is {}; was its data changed?", who,
                    name, g.dtype(), name, parameter.dtype());
}

void BuiltFor::check_still(const char* who, const char* what, const std::string& name, const Tensor& now) const {
  check<DTypeError>(now.dtype() == dtype_, "{}: {} changed from {} to {} after the {} was built; call model.to() before "
                    "building it", who, name, dtype_, now.dtype(), what);
  check<ShapeError>(now.shape() == shape_, "{}: {} changed from shape {} to {} after the {} was built; build it again", who,
                    name, shape_, now.shape(), what);
}

}  // namespace gradus::optim
