#include "optim/muon.h"

#include <algorithm>
#include <cmath>

#include "core/composites/composites.h"

namespace gradus::optim {
namespace {

bool is_muons(const NamedTensor& parameter) {
  const Role role = parameter.role;
  return parameter.tensor.rank() == 2 && (role == Role::weight || role == Role::scores || role == Role::writes_stream);
}

Tensor state_of_muons(const NamedTensor& p) { return is_muons(p) ? zeros_like(p.tensor) : Tensor(); }
Tensor state_of_rest(const NamedTensor& p) { return is_muons(p) ? Tensor() : zeros_like(p.tensor); }

void check_iterations(int64_t iterations, OpName op = {}) {
  constexpr int64_t most = 100;  // no singular value changes any more
  check<ValueError>(iterations > 0, "{}: iterations must be positive, got {}", op, iterations);
  check<ValueError>(iterations <= most, "{}: iterations must be at most {}, got {}", op, most, iterations);
}

}  // namespace

Muon::Muon(ParameterGroups parameters, MuonOptions options)
    : Optimizer("Muon", std::move(parameters), options.lr, options.weight_decay),
      options_(options),
      velocity_(add_state("velocity", state_of_muons)),
      m_(add_state("first", state_of_rest)),
      v_(add_state("second", state_of_rest)) {
  check_range("momentum", options.momentum, range::below_one, name());
  check_iterations(options.iterations, name());
  check_betas(options.beta1, options.beta2, name());
  check_eps("eps", options.eps);
}

// #region optim-muon
Tensor newton_schulz(const Tensor& x, int64_t iterations) {
  check<GraphError>(x.defined(), "newton_schulz: the matrix is undefined");
  check<ShapeError>(x.rank() == 2, "newton_schulz: needs a matrix, got shape {}", x.shape());
  check<DTypeError>(x.dtype() == DType::f32 || x.dtype() == DType::f64, "newton_schulz: needs f32 or f64, got {}", x.dtype());
  check_iterations(iterations);
  constexpr double a = 3.4445, b = -4.7750, c = 2.0315;
  const bool tall = x.size(0) > x.size(1);
  Tensor y = tall ? transpose(x) : x;  // the smaller side first: x xᵀ is then the smaller product
  const double largest = y.numel() > 0 ? max(abs(y)).item() : 0;
  const Tensor scaled = largest > 0 ? y / largest : y;          // the largest is 1: no square is ∞, and not all are 0
  const Tensor norm = sqrt(sum(square(scaled)));                // ‖x‖ / largest
  y = norm.item() * largest > 1e-7 ? scaled / norm : y / 1e-7;  // x / max(‖x‖, 1e-7): no singular value is above 1
  for (int64_t i = 0; i < iterations; ++i) {
    const Tensor squared = matmul(y, y, {.transpose_b = true});         // y yᵀ
    y = a * y + matmul(b * squared + c * matmul(squared, squared), y);  // a y + b y yᵀy + c y yᵀy yᵀy
  }
  return tall ? transpose(y) : y;
}

void Muon::update(std::size_t index, Tensor& parameter, double lr, double weight_decay) {
  Tensor& u = velocity_[index];
  if (!u.defined()) {
    return adam(parameter, m_[index], v_[index],
                {.lr = lr, .decay = weight_decay, .beta1 = options_.beta1, .beta2 = options_.beta2, .eps = options_.eps, .t = steps()});
  }
  const double mu = options_.momentum;
  const Tensor g = parameter.grad();
  u.assign(mu * u + g);
  const Tensor direction = newton_schulz(g + mu * u, options_.iterations);
  const double length = 0.2 * std::sqrt(static_cast<double>(std::max(parameter.size(0), parameter.size(1))));
  parameter.assign((1 - lr * weight_decay) * parameter - lr * length * direction);
}
// #endregion optim-muon

}  // namespace gradus::optim
