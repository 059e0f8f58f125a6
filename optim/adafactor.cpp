#include "optim/adafactor.h"

#include <algorithm>
#include <cmath>

#include "core/tape/grad_mode.h"
#include "optim/adafactor_kernel.h"
#include "optim/optimize_kernel.h"
#include "core/ops/ops.h"

namespace gradus::optim {
namespace {

double root_mean_square(const Tensor& x) {
  return std::sqrt(kernels::sum_of_squares(x) / static_cast<double>(std::max<int64_t>(x.numel(), 1)));
}

}  // namespace

Adafactor::Adafactor(std::vector<ParameterGroup> groups, AdafactorOptions options)
    : Optimizer(std::move(groups)), options_(options) {
  check_positive("Adafactor", "memory_exponent", options.memory_exponent);
  check_positive("Adafactor", "eps1", options.eps1);
  check_positive("Adafactor", "eps2", options.eps2);
  check_positive("Adafactor", "clip", options.clip);
  row_ = add_state("row", [](const std::string&, const Tensor& p) {
    return p.rank() < 2 ? Tensor() : zeros(p.shape().slice(0, p.rank() - 1), p.dtype());
  });
  column_ = add_state("column", [](const std::string&, const Tensor& p) {
    return p.rank() < 2 ? Tensor() : zeros({p.size(-1)}, p.dtype());
  });
  second_ = add_state("second",
                      [](const std::string&, const Tensor& p) { return p.rank() < 2 ? zeros_like(p) : Tensor(); });
}

// #region optim-adafactor
// 1/√V
Tensor Adafactor::inverse_root(std::size_t index, const Tensor& squares, double beta) {
  if (second_[index].defined()) {
    second_[index].assign(beta * second_[index] + (1 - beta) * squares);
    return rsqrt(second_[index]);
  }
  Tensor &row = row_[index], &column = column_[index];
  const Tensor matrix = reshape(squares, {-1, squares.size(-1)});
  row.assign(beta * row + (1 - beta) * mean(squares, -1));
  column.assign(beta * column + (1 - beta) * mean(matrix, 0));
  return unsqueeze(rsqrt(row / mean(row)), -1) * rsqrt(column);
}

void Adafactor::update_by_formula(std::size_t index, Tensor& parameter, double length, double keep, double beta) {
  const Tensor g = parameter.grad();
  const Tensor step = g * inverse_root(index, square(g) + options_.eps1, beta);
  const double shortened = length / std::max(1.0, root_mean_square(step) / options_.clip);
  parameter.assign(keep * parameter - shortened * step);
}
// #endregion optim-adafactor

void Adafactor::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  const double beta = 1 - std::pow(static_cast<double>(steps()), -options_.memory_exponent);
  const double length = lr * std::max(options_.eps2, root_mean_square(parameter)), keep = 1 - lr * weight_decay;
  if (formula_only() || parameter.rank() < 2) return update_by_formula(index, parameter, length, keep, beta);
  kernels::adafactor(parameter, parameter.grad(), row_[index], column_[index],
                     {.length = length, .keep = keep, .beta = beta, .eps1 = options_.eps1, .clip = options_.clip});
}

}  // namespace gradus::optim
