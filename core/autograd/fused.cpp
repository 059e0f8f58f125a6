#include "core/autograd/fused.h"

#include <algorithm>

#include "core/autograd/engine.h"
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

// The same values under a new number, one step further on the tape.
Tensor alias(const Tensor& x) {
  return record("alias", x.detach(), {x}, [](const Backward& s) { return s.grad; });
}

class FusedNode final : public Node {
 public:
  FusedNode(const char* name, const Tensor& output, const Tensors& inputs, Formula formula, std::unique_ptr<FastPath> fast)
      : Node(name, output, inputs), formula_(std::move(formula)), fast_(std::move(fast)) {}

  void backward(const Backward& s, std::span<Gradient> gradients) const override {
    Tensors found = s.create_graph() ? by_formula(s) : by_fast_path(s);
    check<GraphError>(found.size() == gradients.size(), "{}: the fast path gave {} gradients for {} inputs", name(),
                      found.size(), gradients.size());
    std::move(found.begin(), found.end(), gradients.begin());
  }

 private:
  Tensors inputs_of(const Backward& s) const {
    Tensors inputs;
    inputs.reserve(input_count());
    for (std::size_t i = 0; i < input_count(); ++i) inputs.push_back(s.input(i));
    return inputs;
  }

  Tensors by_fast_path(const Backward& s) const {
    const Tensors inputs = inputs_of(s);
    if (s.grad.dtype() != DType::f16) return fast_->backward(s.grad, inputs, s.output());
    Tensors found = fast_->backward(widened(s.grad), widened(inputs), widened(s.output()));
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (found[i].defined()) found[i] = kernels::cast(found[i], inputs[i].dtype());
    }
    return found;
  }

  Tensors by_formula(const Backward& s) const {
    Tensors aliases = inputs_of(s), wanted;
    for (std::size_t i = 0; i < aliases.size(); ++i) {
      if (!s.needs(i)) continue;
      aliases[i] = alias(aliases[i]);
      wanted.push_back(aliases[i]);
    }
    const Tensors found =
        grad({in_f32(aliases, formula_)}, wanted, {.seeds = {s.grad}, .create_graph = true, .allow_unused = true});
    Tensors gradients(aliases.size());
    for (std::size_t i = 0, next = 0; i < aliases.size(); ++i) {
      if (s.needs(i)) gradients[i] = found[next++];
    }
    return gradients;
  }

  Formula formula_;
  std::unique_ptr<FastPath> fast_;
};

}  // namespace

Tensor record_fused(const char* name, const Tensors& inputs, Formula formula, std::unique_ptr<FastPath> fast) {
  const DType dtype = common_dtype(name, inputs);
  if (formula_only()) return in_f32(inputs, formula);
  Tensor y = dtype == DType::f16 ? kernels::cast(fast->forward(widened(inputs)), DType::f16) : fast->forward(inputs);
  if (wants_node(name, y, inputs, inputs.size())) {
    y.set_node(std::make_unique<FusedNode>(name, y, inputs, std::move(formula), std::move(fast)));
  }
  return y;
}

}  // namespace gradus
