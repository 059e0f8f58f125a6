#include "core/autograd/fused.h"

#include <algorithm>

#include "core/autograd/vjp.h"
#include "core/kernels/kernels.h"
#include "core/ops/ops.h"
#include "core/tape/record.h"

namespace gradus {
namespace {

using kernels::wide;

Tensors wide(Tensors inputs) {
  for (Tensor& x : inputs) x = wide(x);
  return inputs;
}

Tensors inputs_of(const Step& step) {
  Tensors inputs;
  inputs.reserve(step.input_count());
  for (std::size_t i = 0; i < step.input_count(); ++i) inputs.push_back(step.input(i));
  return inputs;
}

Tensors gradients_by(const FastPath& fast, const Step& step) {
  const Tensors inputs = inputs_of(step);
  if (step.grad.dtype() != DType::f16) return fast.backward(step.grad, inputs, step.output());
  Tensors found = fast.backward(wide(step.grad), wide(inputs), wide(step.output()));
  for (std::size_t i = 0; i < std::min(found.size(), inputs.size()); ++i) {  // the engine refuses too many or too few
    if (step.needs(i) && found[i].defined()) found[i] = kernels::cast(found[i], inputs[i].dtype());
  }
  return found;
}

// #region inside-formula-gradient
Tensors gradients_by(const Formula& formula, const Step& step) {
  const Tensors inputs = inputs_of(step);
  std::vector<std::size_t> places;  // of the inputs whose gradients are wanted
  Tensors wanted;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (step.needs(i)) places.push_back(i), wanted.push_back(inputs[i]);
  }
  const auto put = [&places](Tensors all, const Tensors& some) {
    for (std::size_t i = 0; i < places.size(); ++i) all[places[i]] = some[i];
    return all;
  };
  const auto of_wanted = [&](const Tensors& some) { return Tensors{in_f32(put(inputs, some), formula)}; };
  return put(Tensors(inputs.size()), vjp(of_wanted, wanted, {step.grad}, true));
}
// #endregion inside-formula-gradient

}  // namespace

// #region inside-fused
Tensor fused(const char* name, const Tensors& inputs, Formula formula, std::unique_ptr<FastPath> fast) {
  check<ValueError>(formula != nullptr && fast != nullptr, "{}: the formula or the fast path is empty", name);
  const DType dtype = common_dtype(inputs, name);
  if (formula_only()) return in_f32(inputs, formula);
  Tensor y = dtype == DType::f16 ? kernels::cast(fast->forward(wide(inputs)), DType::f16) : fast->forward(inputs);
  return record_joint(name, y, inputs,
                      [formula = std::move(formula), path = std::shared_ptr<const FastPath>(std::move(fast))](const Step& step) {
                        return step.create_graph() ? gradients_by(formula, step) : gradients_by(*path, step);
                      });
}
// #endregion inside-fused

}  // namespace gradus
