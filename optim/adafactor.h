// Adafactor: Adam's second moment kept as one number per row and one per column (Shazeer and Stern, 2018): for a
// matrix [n, m] it remembers n + m values instead of 2 n m.
//
//   β = 1 - t^(-0.8)                                 the share of the past grows with the step t
//   R ← β R + (1 - β) mean over columns of (g² + ε₁)        C ← … over rows
//   V = R Cᵀ / mean(R)                               the best product of a row and a column (by I-divergence)
//   U = g / √V,   U ← U / max(1, RMS(U) / d)         no update is longer than d = 1 in the root mean square
//   θ ← θ - lr λ θ - lr max(ε₂, RMS(θ)) U            steps relative to the size of what they change
//
// A tensor of more than two axes counts as the matrix of its last axis against all others; one of a single axis keeps V in
// full. lr = 1e-2 is the paper's, which falls as 1/√t once that is smaller.
#pragma once

#include "optim/optimizer.h"

namespace gradus::optim {

struct AdafactorOptions {
  double lr = 1e-2;
  double memory_exponent = 0.8;  // β = 1 - t^-this
  double eps1 = 1e-30;
  double eps2 = 1e-3;       // a parameter counts as at least this large
  double clip = 1;          // d; infinity: updates of any length
  double weight_decay = 0;  // λ
};

class Adafactor : public Optimizer {
 public:
  // ValueError unless the exponent, ε₁ (for f32, at least 2⁻¹²⁶), ε₂ and d are positive, and all but d finite.
  explicit Adafactor(ParameterGroups parameters, AdafactorOptions options = {});

 private:
  void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) override;

  Tensor inverse_root(std::size_t index, const Tensor& squares, double beta);

  AdafactorOptions options_;
  Tensors row_, column_;  // R and C of matrices
  Tensors v_;             // of the others
};

}  // namespace gradus::optim
