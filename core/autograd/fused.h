// fused: an op with two texts that the tests hold equal, a readable formula made of ops and a fast path made of kernels.
//
//   return fused("name", {x, gain, bias},  // an absent input is undefined
//                [=](const Tensors& in) { return formula::name(in[0], in[1], in[2], eps); },
//                fast::name(eps));
#pragma once

#include <functional>
#include <memory>
#include <type_traits>

#include "core/tensor/tensor.h"

namespace gradus {

// #region inside-fast-path
// The same function as its formula, by kernels, for f32 and f64. It lives on the tape from forward to backward, so what
// backward needs besides inputs and output (a mean, a log-sum) is its field.
class FastPath {
 public:
  virtual ~FastPath() = default;
  virtual Tensor forward(const Tensors& in) = 0;
  // dL/dx of every input, given g = dL/dy and y = forward(in); undefined for an input that has no gradient.
  virtual Tensors backward(const Tensor& g, const Tensors& in, const Tensor& y) const = 0;
};
// #endregion inside-fast-path

// Does F hold plain numbers only? With a tensor it is not trivially copyable, with a reference it has no standard layout.
template <typename F>
inline constexpr bool captures_plain_numbers = std::is_trivially_copyable_v<F> && std::is_standard_layout_v<F>;

// y of the inputs, made of ops. What it reads is an input, or plain numbers that it captures by value. (A pointer, and so
// `this`, cannot be told from a number here: capture neither, for a tensor behind it would get no gradient.)
class Formula : public std::function<Tensor(const Tensors& inputs)> {
 public:
  Formula() = default;
  template <typename F>
  requires(!std::is_same_v<F, Formula>)
  Formula(F f) : function(std::move(f)) {
    static_assert(captures_plain_numbers<F>,
                  "the formula captures more than plain numbers by value: a tensor that it reads must be one of the inputs, "
                  "or it would get no gradient, and a change of it would go unnoticed; a reference would outlive its object");
  }
};

// y = formula(inputs), computed by `fast`:
//   under FormulaOnly, the formula itself runs, op by op;
//   f16 inputs are widened to f32, for the fast path and for the formula, and results rounded once;
//   under create_graph, the formula is differentiated with respect to aliases of the inputs. In f(x, x²) the gradient of x
//   itself would include the path through x², along which the engine walks anyway: it would count twice.
// DTypeError when floating dtypes differ, ValueError if the formula or the fast path is empty.
Tensor fused(const char* name, const Tensors& inputs, Formula formula, std::unique_ptr<FastPath> fast);

}  // namespace gradus
