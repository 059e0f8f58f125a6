// The kernels of a curve, and the functions that curves are written with. A curve is a struct that gives f and f', for a number
// and for a vector of them; a parameter is its one field, a double:
//
//   struct SquareCurve {
//     template <typename V> ValueAndDerivative<V> operator()(V x) const { return {x * x, V(2) * x}; }
//   };
//   constinit const Activation square{"square", "Square", formula::square, curve_kernels<SquareCurve>()};
//
// Curves hold over the whole range of the type; at ±∞ and NaN as Activation::operator() says.
#pragma once

#include <cmath>
#include <type_traits>

#include "core/kernels/elementwise.h"
#include "nn/activation/activation.h"

namespace gradus::nn {
namespace curve {

// f(x) and f'(x) of a curve, for a number x or a vector of them.
template <typename V> struct ValueAndDerivative { V value, derivative; };

using kernels::Lane, kernels::splat, kernels::select;

// x·factor, but 0 for a factor of 0, also at x = ±∞: the limit wherever the factor vanishes faster than x grows.
template <typename V> V strong_zero_product(V x, V factor) { return select(factor == V(0), V(0), x * factor); }

// σ(x) = 1 / (1 + e^-x): e^-x overflows to ∞ for large negative x, and 1/∞ = 0 is right.
template <typename V> V logistic(V x) {
  using std::exp;
  return V(1) / (V(1) + exp(-x));
}

// Calls step(load, store) for every vector of n values of T, in parallel: load(x) reads the vector's values from the array
// x, store(y, v) writes v to the array y.
template <typename T, typename Step> void for_each_vector(int64_t n, const Step& step) {
  kernels::parallel_for(n, kernels::kMathGrain, [=](int64_t begin, int64_t end) {
    kernels::for_vectors<T>(end - begin, [=](auto load, auto store) {
      step([=](const T* x) { return load(x + begin); }, [=](T* y, const auto& v) { store(y + begin, v); });
    });
  });
}

}  // namespace curve

// The fast path of a curve's function:
//   y = f(x)      dL/dx = g ⊙ f'(x)
template <typename Curve> class CurveKernel final : public FastPath {
 public:
  explicit CurveKernel(const Curve& f) : f_(f) {}

  Tensor forward(const Tensors& in) override {
    return kernels::map_math(in[0], [f = f_](auto x) { return f(x).value; }, "activation");
  }

  Tensors backward(const Tensor& g, const Tensors& in, const Tensor&) const override {
    Tensor dx(g.shape(), g.dtype());
    kernels::dispatch_real(g.dtype(), "activation", [&]<typename T>() {
      const T *from_g = g.data<T>(), *x = in[0].data<T>();
      T* to = dx.mutable_data<T>();
      curve::for_each_vector<T>(dx.numel(), [=, f = f_](auto load, auto store) { store(to, load(from_g) * f(load(x)).derivative); });
    });
    return {dx};
  }

 private:
  Curve f_;
};

// The fast path of a curve's gate:
//   y = f(a) ⊙ b      dL/da = g ⊙ b ⊙ f'(a)      dL/db = g ⊙ f(a)
template <typename Curve> class GateKernel final : public FastPath {
 public:
  explicit GateKernel(const Curve& f) : f_(f) {}

  Tensor forward(const Tensors& in) override {
    Tensor y(in[0].shape(), in[0].dtype());
    kernels::dispatch_real(y.dtype(), "gate", [&]<typename T>() {
      const T *a = in[0].data<T>(), *b = in[1].data<T>();
      T* to = y.mutable_data<T>();
      curve::for_each_vector<T>(y.numel(), [=, f = f_](auto load, auto store) { store(to, f(load(a)).value * load(b)); });
    });
    return y;
  }

  Tensors backward(const Tensor& g, const Tensors& in, const Tensor&) const override {
    Tensor da(g.shape(), g.dtype()), db(g.shape(), g.dtype());
    kernels::dispatch_real(g.dtype(), "gate", [&]<typename T>() {
      const T *from_g = g.data<T>(), *a = in[0].data<T>(), *b = in[1].data<T>();
      T *to_a = da.mutable_data<T>(), *to_b = db.mutable_data<T>();
      // #region ffn-glu-unit.kernel
      curve::for_each_vector<T>(g.numel(), [=, f = f_](auto load, auto store) {
        const auto at_a = f(load(a));
        const auto dy = load(from_g);
        store(to_a, dy * load(b) * at_a.derivative);
        store(to_b, dy * at_a.value);
      });
      // #endregion ffn-glu-unit.kernel
    });
    return {da, db};
  }

 private:
  Curve f_;
};

// A CurveKernel or GateKernel of the curve, which is given the parameter if it has one.
template <template <typename> typename Kernel, typename Curve>
std::unique_ptr<FastPath> make_kernel(double parameter) {
  if constexpr (std::is_empty_v<Curve>) {
    return std::make_unique<Kernel<Curve>>(Curve{});
  } else {
    return std::make_unique<Kernel<Curve>>(Curve{parameter});
  }
}

// Both fast paths of a curve, for Activation's constructor.
template <typename Curve> constexpr CurveKernels curve_kernels() {
  return {make_kernel<CurveKernel, Curve>, make_kernel<GateKernel, Curve>};
}

// The gate alone, for a function that is an op of core and so has a fast path already.
template <typename Curve> constexpr CurveKernels gate_kernel() { return {nullptr, make_kernel<GateKernel, Curve>}; }

}  // namespace gradus::nn
