// Muon: momentum, orthogonalised, for matrices (Jordan et al., 2024); AdamW for the rest.
//
//   u ← μ u + g,   d = g + μ u                   Nesterov's momentum
//   O = newton_schulz(d)                         d's singular values all become about 1
//   θ ← θ - lr λ θ - lr 0.2 √max(n, m) O         for θ [n, m]: the root mean square of an AdamW step, about 0.2, so
//                                                that both parts share one rate and one decay (Liu et al., 2025)
//
// Muon updates the matrices of the model's inner linear maps: Role::weight, scores and writes_stream. The head and
// the tables of embeddings and positions have a row for each id or position; like gains and biases they are AdamW's.
#pragma once

#include "optim/adam.h"

namespace gradus::optim {

struct MuonOptions {
  double lr = 1e-3;        // of both parts, as AdamW's
  double momentum = 0.95;  // μ
  int64_t iterations = 5;  // of Newton and Schulz
  double beta1 = 0.9;      // β₁, β₂ and ε are those of AdamW, for the rest
  double beta2 = 0.95;     // as in Jordan's code
  double eps = 1e-8;
  double weight_decay = 0.1;  // λ of both parts, as in Liu et al.
};

// About U Vᵀ for x = U S Vᵀ; 0 stays 0. S is divided by max(‖x‖, 1e-7), ‖x‖ = √Σ x², then each iteration maps the singular
// values by s ← a s + b s³ + c s⁵. Five of them take [0.005, 1] to [0.68, 1.16]; smaller s grow by a⁵ = 485 at most.
// GraphError for an undefined x, ShapeError unless a matrix, DTypeError unless f32 or f64, ValueError unless
// 1 <= iterations <= 100.
Tensor newton_schulz(const Tensor& x, int64_t iterations = 5);

class Muon : public Optimizer {
 public:
  // ValueError unless 0 <= μ < 1, 1 <= iterations <= 100, 0 <= β < 1 and ε > 0 (for f32, ε >= 2⁻¹²⁶).
  explicit Muon(ParameterGroups parameters, MuonOptions options = {});

 private:
  void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) override;

  MuonOptions options_;
  Tensors velocity_;  // u of the matrices
  Tensors m_, v_;     // of the rest
};

}  // namespace gradus::optim
