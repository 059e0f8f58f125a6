// Hyper-connections: several residual streams side by side, and learned numbers for how each sublayer reads, mixes and
// writes them (Zhu et al., 2025).
#pragma once

#include "nn/block/placement.h"

namespace gradus::nn {

struct HyperConnectionOptions {
  int64_t streams = 4;  // n
  bool dynamic = true;  // do the numbers depend on what is in the streams?
};

// The numbers of one sublayer: α [n, n+1], which makes of n streams the sublayer's input and n mixed streams, and β [n],
// how much of the sublayer's result each of these is given. The dynamic ones are computed for each token from its streams,
//   α + s_α tanh(norm(h) W_α)      β + s_β tanh(norm(h) w_β)
// with W_α and w_β starting at 0, so that in the first step the scales and this norm have gradients of 0, and s_α and s_β at
// 0.01.
class HyperConnection : public Module {
 public:
  HyperConnection(const PlacementOptions& options, const HyperConnectionOptions& hyper, int64_t sublayer);

  struct Numbers {
    Tensor alpha, beta;  // [n, n+1] and [n], or of each token [..., n, n+1] and [..., n]
  };
  Numbers of(const Tensor& h) const;  // h [..., n, C]
  void members(Members& m) override;
  std::string describe() const override { return fmt::format("HyperConnection(alpha {}, beta {})", alpha.shape(), beta.shape()); }

  Parameter alpha, beta;              // the first column of α starts as e_k, k = sublayer mod n, the others as I; β as 1
  Parameter alpha_map, beta_map;      // W_α [C, n+1] and w_β [C]; undefined in the static form, as the scales are
  Parameter alpha_scale, beta_scale;  // s_α and s_β, of shape []

 private:
  LayerPtr norm_;  // null in the static form
};

// With h [n, C] the streams of a token, all copies of its embedding at first:
//   [x; h'] = αᵀ h      h_i ← h'_i + β_i f(norm(x))
// so that as it starts each sublayer reads one stream and adds to all, which is pre-norm n times over. The stack hands on
// their sum, through one final norm.
class HyperConnections : public Placement {
 public:
  // ValueError unless streams is positive.
  explicit HyperConnections(const PlacementOptions& options, const HyperConnectionOptions& hyper = {});

  void members(Members& m) override;  // "norm1", "connection1", "norm2", …
  std::string describe() const override;

 protected:
  Stream forward(const Stream& stream, const std::vector<Sublayer>& sublayers) override;

 private:
  HyperConnectionOptions options_;
  std::vector<LayerPtr> norms_;
  std::vector<HyperConnection> connections_;
};

}  // namespace gradus::nn
