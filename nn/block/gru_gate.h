// The gate of GTrXL: a GRU cell in place of the sum (Parisotto et al., 2020).
#pragma once

#include "nn/block/placement.h"
#include "nn/linear.h"

namespace gradus::nn {

// x ← (1 - z) ⊙ x + z ⊙ ĥ, with y = relu(f(norm(x))):
//   r = σ(W_r y + U_r x)      z = σ(W_z y + U_z x - b)      ĥ = tanh(W_h y + U_h (r ⊙ x))
// b starts at 2, so that at first little of a sublayer enters: 1 - z ≈ 0.88. One final norm after the stack.
class GruGate : public Placement {
 public:
  explicit GruGate(const PlacementOptions& options);

  void members(Members& m) override;  // "norm1", "branch1", "stream1", "candidate1", "bias1", …

 private:
  int64_t added_sublayers() const override { return 1; }  // what is added is bounded by tanh, and the stream makes room for it
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;

  struct Gate {
    Linear branch;     // [W_r; W_z; W_h]
    Linear stream;     // [U_r; U_z]
    Linear candidate;  // U_h
    Parameter bias;    // b
  };
  std::vector<Gate> gates_;
};

}  // namespace gradus::nn
