#include "core/autograd/fused.h"

#include <algorithm>

#include "core/autograd/vjp.h"
#include "core/kernels/kernels.h"
#include "core/ops/ops.h"
#include "core/tape/record.h"

namespace gradus {
namespace {

// f16 in the type that kernels compute in.
Tensor widened(const Tensor& x) {
  return x.defined() && x.dtype() == DType::f16 ? kernels::cast(x, DType::f32) : x;
}
Tensors widened(Tensors inputs) {
  for (Tensor& x : inputs) x = widened(x);
  return inputs;
}

Tensors inputs_of(const Backward& s) {
  Tensors inputs;
  inputs.reserve(s.input_count());
  for (std::size_t i = 0; i < s.input_count(); ++i) inputs.push_back(s.input(i));
  return inputs;
}

Tensors gradients_by(const FastPath& fast, const Backward& s) {
  const Tensors inputs = inputs_of(s);
  if (s.grad.dtype() != DType::f16) return fast.backward(s.grad, inputs, s.output());
  Tensors found = fast.backward(widened(s.grad), widened(inputs), widened(s.output()));
  for (std::size_t i = 0; i < std::min(found.size(), inputs.size()); ++i) {  // the engine refuses too many or too few
    if (s.needs(i) && found[i].defined()) found[i] = kernels::cast(found[i], inputs[i].dtype());
  }
  return found;
}

// #region inside-formula-gradient
Tensors gradients_by(const Formula& formula, const Backward& s) {
  const Tensors inputs = inputs_of(s);
  std::vector<std::size_t> places;  // of the inputs whose gradients are wanted
  Tensors wanted;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (s.needs(i)) places.push_back(i), wanted.push_back(inputs[i]);
  }
  const auto put = [&places](Tensors all, const Tensors& some) {
    for (std::size_t i = 0; i < places.size(); ++i) all[places[i]] = some[i];
    return all;
  };
  const auto of_wanted = [&](const Tensors& some) { return Tensors{in_f32(put(inputs, some), formula)}; };
  return put(Tensors(inputs.size()), vjp(of_wanted, wanted, {s.grad}, true));
}
// #endregion inside-formula-gradient

}  // namespace

// #region inside-fused
Tensor fused(const char* name, const Tensors& inputs, Formula formula, std::unique_ptr<FastPath> fast) {
  check<ValueError>(formula != nullptr && fast != nullptr, "{}: the formula or the fast path is empty", name);
  const DType dtype = common_dtype(name, inputs);
  if (formula_only()) return in_f32(inputs, formula);
  Tensor y = dtype == DType::f16 ? kernels::cast(fast->forward(widened(inputs)), DType::f16) : fast->forward(inputs);
  return record_joint(name, y, inputs, [formula = std::move(formula), path = std::shared_ptr<const FastPath>(std::move(fast))](
                                            const Backward& s) {
    return s.create_graph() ? gradients_by(formula, s) : gradients_by(*path, s);
  });
}
// #endregion inside-fused

}  // namespace gradus
