// Norms as they have been published with a mistake, each beside what it was meant to be.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"

namespace gradus::examples {

using RowsNorm = std::function<Tensor(const Tensor& x, double eps)>;  // x [B, T, C], over each token's features

struct WrongNorm {
  std::string id, line, source;  // "norm/sequence-axis", what is wrong in it, where that was published
  RowsNorm apply, right;
  bool biased_running_variance = false;  // of batch norm
};
std::vector<WrongNorm> wrong_norms();
WrongNorm right_norm();                          // both are nn::layer_norm
WrongNorm wrong_norm(const std::string& id);     // ValueError, with the nearest name, for an id that is none

// What a norm must do, asked of its outputs.
struct NormProbes {
  double other_tokens;  // greatest |dy_t/dx_s| of two tokens: 0
  double values;        // greatest difference from what was meant, rows of 8, ε = 1e-5
  double large_eps;     // the same with ε = 0.25
  double nan_rows;      // of 1000 rows with mean 1000 and deviation 0.1, in f32: 0
  double running;       // batch norm's collected variance after one batch of 4, in parts of the unbiased one: 1
};
NormProbes probes_of(const WrongNorm& norm, std::uint64_t seed);

}  // namespace gradus::examples
