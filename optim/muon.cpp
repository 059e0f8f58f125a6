#include "optim/muon.h"

#include <algorithm>
#include <cmath>

#include "optim/optimize_kernel.h"
#include "core/ops/ops.h"

namespace gradus::optim {

// #region optim-muon
Tensor newton_schulz(const Tensor& x, int64_t iterations) {
  check<ShapeError>(x.rank() == 2, "newton_schulz: needs a matrix, got shape {}", x.shape());
  constexpr double a = 3.4445, b = -4.7750, c = 2.0315;
  const bool tall = x.size(0) > x.size(1);
  Tensor y = tall ? transpose(x) : x;  // the smaller side first: x xᵀ is then the smaller product
  const double norm = std::sqrt(kernels::sum_of_squares(y));
  y = y / std::max(norm, 1e-7);  // no singular value is above 1
  for (int64_t i = 0; i < iterations; ++i) {
    const Tensor squared = matmul(y, y, {.transpose_b = true});         // y yᵀ
    y = a * y + matmul(b * squared + c * matmul(squared, squared), y);  // a y + b y yᵀy + c y yᵀy yᵀy
  }
  return tall ? transpose(y) : y;
}

void Muon::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  Tensor& velocity = velocity_[index];
  if (!velocity.defined()) {
    return adam_update(parameter, first_[index], second_[index], options_.adamw,
                       {.lr = lr, .l2 = 0, .decay = weight_decay, .t = steps()});
  }
  const Tensor g = parameter.grad();
  velocity.assign(options_.momentum * velocity + g);
  const Tensor direction = newton_schulz(g + options_.momentum * velocity, options_.iterations);
  const double length = 0.2 * std::sqrt(static_cast<double>(std::max(parameter.size(0), parameter.size(1))));
  parameter.assign((1 - lr * weight_decay) * parameter - lr * length * direction);
}
// #endregion optim-muon

Muon::Muon(std::vector<ParameterGroup> groups, MuonOptions options)
    : Optimizer(std::move(groups)), options_(std::move(options)) {
  check_share("Muon", "momentum", options_.momentum);
  check<ValueError>(options_.iterations > 0, "Muon: iterations must be positive, got {}", options_.iterations);
  check_options("Muon", options_.adamw);
  const auto only = [this](bool muons) {
    return [this, muons](const std::string& name, const Tensor& p) {
      return is_muons(name, p) == muons ? zeros_like(p) : Tensor();
    };
  };
  velocity_ = add_state("velocity", only(true));
  first_ = add_state("first", only(false));
  second_ = add_state("second", only(false));
}

bool Muon::is_muons(const std::string& name, const Tensor& parameter) const {
  return parameter.rank() == 2 && !name_has(name, options_.by_adamw);
}

}  // namespace gradus::optim
