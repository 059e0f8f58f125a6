// Muon: momentum, orthogonalised, for matrices (Jordan et al., 2024); AdamW for the rest.
//
//   u ← μ u + g,   d = g + μ u                   Nesterov's momentum
//   O = newton_schulz(d)                         d's singular values all become about 1
//   θ ← θ - lr λ θ - lr 0.2 √max(n, m) O         for θ [n, m]: the root mean square of an AdamW step, about 0.2, so that
//                                                both parts share one rate and one decay (Liu et al., 2025)
//
// Tables of embeddings and positions, and the output projection, are rows that are looked up and no linear maps of the
// stream: they count as the rest.
#pragma once

#include "optim/adam.h"

namespace gradus::optim {

struct MuonOptions {
  double momentum = 0.95;  // μ
  int64_t iterations = 5;  // of Newton and Schulz
  // Matrices with one of these in their name are not Muon's.
  std::vector<std::string> by_adamw = {"embedding", "position", "head"};
  AdamOptions adamw = {};  // for the rest
};

// About U Vᵀ for x = U S Vᵀ, a matrix with at least one value that is not 0: each iteration puts the singular values
// through the odd polynomial a s + b s³ + c s⁵, which takes (0, 1] to about [0.7, 1.2] (Jordan et al., 2024).
// ShapeError unless a matrix.
Tensor newton_schulz(const Tensor& x, int64_t iterations = 5);

class Muon : public Optimizer {
 public:
  // ValueError unless 0 <= μ < 1, iterations > 0, and AdamW's options hold.
  explicit Muon(std::vector<ParameterGroup> groups, MuonOptions options = {});

 protected:
  void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) override;

 private:
  bool is_muons(const std::string& name, const Tensor& parameter) const;

  MuonOptions options_;
  Tensors velocity_;        // u of the matrices
  Tensors first_, second_;  // m and v of the rest
};

}  // namespace gradus::optim
