// Activation: a function y = f(x) as one value, from which the function, its layer and its gate are made:
//
//   act::mish(x)                  the function
//   ActivationLayer(act::mish)    the layer
//   gate(act::mish, a, b)         the gate f(a) ⊙ b, see nn/feed_forward/gate.h
//
// A new one takes a declaration in a header; its formula, curve and value in a source; and a row in activation_table.cpp:
//
//   constinit const Activation act::mish{"mish", "Mish", formula::mish, curve_kernels<MishCurve>()};
#pragma once

#include <type_traits>

#include "core/autograd/fused.h"
#include "nn/layer.h"

namespace gradus::nn {

// Makes an activation's fast paths, given its parameter; null without: see nn/activation/curve_kernels.h.
struct CurveKernels {
  using Make = std::unique_ptr<FastPath> (*)(double parameter);
  Make function = nullptr;  // y = f(x)         input x
  Make gate = nullptr;      // y = f(a) ⊙ b     inputs a and b
};

// An activation function with its name, formula and fast paths. Trivially copyable.
class Activation {
 public:
  // `name` is for the tape and errors, "gelu_tanh"; `title` for the layer's print, "GELU(tanh)": string literals. `formula` is
  // f made of ops. ValueError if any of the three is nullptr; a constant's formula is checked when it is called, since under
  // a sanitizer its address is no constant for GCC.
  constexpr Activation(const char* name, const char* title, Tensor (*formula)(const Tensor& x), const CurveKernels& kernels = {})
      : name_(name), title_(title), formula_(formula), kernels_(kernels) {
    if (name == nullptr || title == nullptr || (!std::is_constant_evaluated() && formula == nullptr)) refuse_null();
  }
  constexpr Activation(const char* name, const char* title, Tensor (*formula)(const Tensor& x, double parameter),
                       const CurveKernels& kernels, double parameter)
      : name_(name), title_(title), parametric_formula_(formula), kernels_(kernels), parameter_(parameter) {
    if (name == nullptr || title == nullptr || (!std::is_constant_evaluated() && formula == nullptr)) refuse_null();
  }

  // y = f(x)      dL/dx = g ⊙ f'(x), with g = dL/dy
  // x has any shape and a floating dtype (DTypeError; GraphError for an undefined x). At ±∞ value and derivative are the
  // limits, but under create_graph, which differentiates the formula, a derivative there may be NaN. At a NaN y is NaN, and
  // the derivative NaN or, for a piecewise linear function, the slope of a piece that is not flat.
  Tensor operator()(const Tensor& x) const;

  Tensor by_formula(const Tensor& x) const;            // y by the formula, op by op, without a fast path
  std::unique_ptr<FastPath> make_gate_kernel() const;  // the fast path of gate(), null if there is none

  const char* name() const { return name_; }
  std::string describe() const;  // the title, and the parameter if there is one: "LeakyReLU(0.01)"

 private:
  [[noreturn]] static void refuse_null();

  const char *name_, *title_;
  Tensor (*formula_)(const Tensor& x) = nullptr;  // one of the two
  Tensor (*parametric_formula_)(const Tensor& x, double parameter) = nullptr;
  CurveKernels kernels_;
  double parameter_ = 0;
};

// An activation as a layer, without parameters. One that learns is a class of its own: PReLU, Swish.
class ActivationLayer : public Layer {
 public:
  explicit ActivationLayer(const Activation& f) : f_(f) {}

  void members(Members&) override {}
  std::string describe() const override { return f_.describe(); }
  const Activation& function() const { return f_; }

 private:
  Tensor forward(const Tensor& x) override { return f_(x); }

  Activation f_;
};

namespace act {

// For a layer without an activation, and the gate of the bilinear layer:
//   y = x      dy/dx = 1
extern const Activation identity;

}  // namespace act

}  // namespace gradus::nn
