#include "nn/activation/activation.h"

namespace gradus::nn {

Tensor Activation::operator()(const Tensor& x) const {
  if (kernels_.function == nullptr) return by_formula(x);
  check<DTypeError>(is_floating(x.dtype()), "{}: needs a floating dtype, got {}; use cast(x, DType::f32) first",
                    name_, x.dtype());
  return fused(name_, {x}, [f = *this](const Tensors& in) { return f.by_formula(in[0]); },
               kernels_.function(parameter_));
}

Tensor Activation::by_formula(const Tensor& x) const {
  return formula_ != nullptr ? formula_(x) : parametric_formula_(x, parameter_);
}

std::unique_ptr<FastPath> Activation::make_gate_kernel() const {
  return kernels_.gate != nullptr ? kernels_.gate(parameter_) : nullptr;
}

std::string Activation::describe() const {
  return formula_ != nullptr ? title_ : fmt::format("{}({})", title_, parameter_);
}

constinit const Activation act::identity{"identity", "Identity", [](const Tensor& x) { return x; }};

}  // namespace gradus::nn
