// Dynamic position bias: a small network gives each distance its bias, however large (Wang et al., 2022).
#pragma once

#include <vector>

#include "nn/linear.h"
#include "nn/norm/layer_norm.h"
#include "nn/position/position_encoding.h"

namespace gradus::nn {

struct DynamicBiasOptions {
  int64_t hidden = 32;        // at least 2, for the norm; d_model / 4 in the paper
  int64_t depth = 2;          // hidden layers: 2 in the paper's text, 3 in its authors' code
  bool log_distance = false;  // f reads sign(r) log(1 + |r|): see DynamicPositionBias
};

// Adds f(r)_h to the scaled score of query i and key j in head h, with r = i - j and a network f of linear maps, each but
// the last followed by a layer norm and a ReLU:
//   f: 1 → hidden → … → hidden → heads
// f is computed once for each distance. Each layer has its own f, as in the authors' code.
//
// convention-dynamic-bias-distance: f reads r in the paper; common implementations may read sign(r) log(1 + |r|), take SiLU
// for ReLU, and leave the norm out.
//
// The bias b of the first map w r + b starts uniform in ±1: with b = 0 the norm would take out the size of w r.
class DynamicPositionBias : public PositionEncoding {
 public:
  // ValueError unless hidden is at least 2 and depth from 1 to 1000.
  explicit DynamicPositionBias(const PositionOptions& options, const DynamicBiasOptions& bias = {});

  bool per_layer() const override { return true; }
  Tensor on_scores(const Tensor& q, const Tensor& k, const Positions& positions, double scale) override;
  void members(Members& m) override;
  std::string describe() const override;

  std::vector<Linear> maps;      // depth + 1
  std::vector<LayerNorm> norms;  // depth

 private:
  Tensor of_distances(const Tensor& distances);  // [n] to [n, heads]

  bool log_distance_;
};

}  // namespace gradus::nn
