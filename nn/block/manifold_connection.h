// mHC, manifold-constrained hyper-connections: streams that are mixed, and neither grow nor vanish by it (Xie et al., 2025).
#pragma once

#include "nn/block/hyper_connections.h"

namespace gradus::nn {

// The α = [read, mix] and β = write of a sublayer, for each token, of all its streams as one row x̃ = vec(h) / rms(vec(h)) [n C]:
//   read = σ(b₁ + s₁ x̃ W₁)      write = 2 σ(b₂ + s₂ x̃ W₂)      mix = sinkhorn(b₃ + s₃ x̃ W₃)
// The numbers of read lie between 0 and 1, those of write between 0 and 2. Every column of mix sums to 1 (it makes a new stream), and
// every row (it shares an old one out) nearly: mixing keeps the sum of the streams, and makes them no longer as a whole.
// convention-mhc-transpose: the paper's H_res is the transpose of mix, and its h' = H_res h the same h' = mixᵀ h.
// convention-mhc-eps: DeepSeek-V4 adds 1e-6 to read, to the rows' softmax and to each later sum; here nothing is added.
class ManifoldConnection : public StreamConnection {
 public:
  // ValueError unless streams and rounds are positive.
  ManifoldConnection(const PlacementOptions& options, const HyperConnectionOptions& hyper);

  void members(Members& m) override;
  std::string describe() const override { return fmt::format("ManifoldConnection({} streams, {} rounds)", streams(), rounds_); }

  Parameter read_map, write_map, mix_map;        // W₁, W₂ [n C, n] and W₃ [n C, n²], which start N(0, 1/(n C))
  Parameter read_bias, write_bias, mix_bias;     // b₁, b₂ [n] and b₃ [n, n], which start at 0
  Parameter read_scale, write_scale, mix_scale;  // s₁, s₂, s₃, of shape [], which start at 0.01

 private:
  Numbers numbers(const Tensor& h) override;

  int64_t rounds_;
};

}  // namespace gradus::nn
