// Hyper-connections: several residual streams, which each sublayer reads, mixes and writes by learned numbers (Zhu et al., 2025).
#pragma once

#include "nn/block/placement.h"

namespace gradus::nn {

// How the α and β of a sublayer come about.
enum class StreamMap {
  fixed,     // they are parameters
  dynamic,   // HyperConnection: parameters, and what each token adds to them
  manifold,  // ManifoldConnection: of each token, within bounds that keep the streams' size
};

struct HyperConnectionOptions {
  int64_t streams = 4;  // n, at least 1
  StreamMap map = StreamMap::dynamic;
  int64_t rounds = 20;  // of sinkhorn(), in a ManifoldConnection
};

// One sublayer's α [n, n+1], which makes its input and n mixed streams out of n streams, and β [n], how much of its result is
// added to each.
class StreamConnection : public Module {
 public:
  struct Numbers {
    Tensor alpha, beta;  // [n, n+1] and [n], or of each token, [..., n, n+1] and [..., n]
  };
  Numbers operator()(const Tensor& h);  // of the streams h [..., n, C]

 protected:
  explicit StreamConnection(int64_t streams);  // ValueError unless positive
  int64_t streams() const { return streams_; }

 private:
  virtual Numbers numbers(const Tensor& h) = 0;

  int64_t streams_;
};

// α and β that are parameters. In the dynamic form each token adds to them, by its streams h:
//   α + s_α tanh(norm(h) W_α)      β + s_β tanh(norm(h) w_β)
// W_α and w_β start at 0, so that in the first step s_α, s_β, which start at 0.01, and this norm have gradients of 0.
class HyperConnection : public StreamConnection {
 public:
  // For sublayer 0, 1, … of the stack. ValueError unless streams is positive, and for a negative sublayer.
  HyperConnection(const PlacementOptions& options, const HyperConnectionOptions& hyper, int64_t sublayer);

  void members(Members& m) override;
  std::string describe() const override { return fmt::format("HyperConnection(alpha {}, beta {})", alpha.shape(), beta.shape()); }

  Parameter alpha, beta;              // α starts as [e_k, I] with k = sublayer mod n; β starts at 1
  Parameter alpha_map, beta_map;      // W_α [C, n+1] and w_β [C]; undefined in the static form, as the scales are
  Parameter alpha_scale, beta_scale;  // s_α and s_β, of shape []

 private:
  Numbers numbers(const Tensor& h) override;

  LayerPtr norm_;  // null in the static form
};

// With h [n, C] the streams of a token, which all start as its embedding, and α and β of the sublayer's HyperConnection:
//   [x; h'] = αᵀ h      h_i ← h'_i + β_i f(norm(x))
// At first each sublayer reads one stream and adds to all, so that each stream is that of pre-norm. The stack hands on their
// sum, through one final norm.
class HyperConnections : public Placement {
 public:
  // ValueError unless streams is positive.
  explicit HyperConnections(const PlacementOptions& options, const HyperConnectionOptions& hyper = {});

  bool keeps_more() const override { return true; }
  void members(Members& m) override;  // "norm1", "connection1", "norm2", …
  std::string describe() const override;

 private:
  Stream step(std::size_t i, const Stream& s, const Sublayer& f) override;

  HyperConnectionOptions options_;
  std::vector<PartPtr<StreamConnection>> connections_;
};

}  // namespace gradus::nn
