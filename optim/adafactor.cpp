#include "optim/adafactor.h"

#include <algorithm>
#include <cmath>

#include "core/composites/composites.h"

namespace gradus::optim {
namespace {

// R [...] and C [m] of a tensor [..., m]; V of a tensor with at most one axis.
Tensor row_state(const NamedTensor& p) {
  const Tensor& x = p.tensor;
  return x.rank() < 2 ? Tensor() : zeros(x.shape().slice(0, x.rank() - 1), x.dtype());
}
Tensor column_state(const NamedTensor& p) {
  const Tensor& x = p.tensor;
  return x.rank() < 2 ? Tensor() : zeros({x.size(-1)}, x.dtype());
}
Tensor full_state(const NamedTensor& p) { return p.tensor.rank() < 2 ? zeros_like(p.tensor) : Tensor(); }

double root_mean_square(const Tensor& x) { return std::sqrt(mean(square(x)).item()); }

}  // namespace

Adafactor::Adafactor(ParameterGroups parameters, AdafactorOptions options)
    : Optimizer("Adafactor", std::move(parameters), options.lr, options.weight_decay),
      options_(options),
      row_(add_state("row", row_state)),
      column_(add_state("column", column_state)),
      v_(add_state("second", full_state)) {
  check_range("memory_exponent", options.memory_exponent, range::positive, name());
  check_eps("eps1", options.eps1);
  check_range("eps2", options.eps2, range::positive, name());
  check_range("clip", options.clip, {0, range::infinity, false, true}, name());
}

// #region optim-adafactor
// 1/√V, after its part in R and C, or V, of g² + ε₁.
Tensor Adafactor::inverse_root(std::size_t index, const Tensor& squares, double beta) {
  if (Tensor& v = v_[index]; v.defined()) {
    v.assign(beta * v + (1 - beta) * squares);
    return rsqrt(v);
  }
  Tensor &r = row_[index], &c = column_[index];
  const Tensor matrix = reshape(squares, {-1, squares.size(-1)});
  r.assign(beta * r + (1 - beta) * mean(squares, -1));
  c.assign(beta * c + (1 - beta) * mean(matrix, 0));
  return unsqueeze(rsqrt(r / mean(r)), -1) * rsqrt(c);
}

void Adafactor::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  const double beta = 1 - std::pow(static_cast<double>(steps()), -options_.memory_exponent);
  const Tensor g = parameter.grad();
  const Tensor u = g * inverse_root(index, square(g) + options_.eps1, beta);
  const double clipped = 1 / std::max(1.0, root_mean_square(u) / options_.clip);
  const double length = lr * std::max(options_.eps2, root_mean_square(parameter)) * clipped;
  parameter.assign((1 - lr * weight_decay) * parameter - length * u);
}
// #endregion optim-adafactor

}  // namespace gradus::optim
