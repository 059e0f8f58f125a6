#include "nn/activation/activation.h"

#include "nn/check_inputs.h"

namespace gradus::nn {

Tensor Activation::operator()(const Tensor& x) const {
  check_inputs({{"x", x}}, name_);
  if (kernels_.function == nullptr) return by_formula(x);
  return fused(name_, {x}, [f = *this](const Tensors& in) { return f.by_formula(in[0]); }, kernels_.function(parameter_));
}

Tensor Activation::by_formula(const Tensor& x) const {
  if (formula_ == nullptr && parametric_formula_ == nullptr) refuse_null();
  return formula_ != nullptr ? formula_(x) : parametric_formula_(x, parameter_);
}

void Activation::refuse_null() { throw ValueError("Activation: its name, title and formula must not be nullptr"); }

std::unique_ptr<FastPath> Activation::make_gate_kernel() const { return kernels_.gate != nullptr ? kernels_.gate(parameter_) : nullptr; }

std::string Activation::describe() const { return formula_ != nullptr ? title_ : fmt::format("{}({})", title_, parameter_); }

constinit const Activation act::identity{"identity", "Identity", [](const Tensor& x) { return x; }};

}  // namespace gradus::nn
