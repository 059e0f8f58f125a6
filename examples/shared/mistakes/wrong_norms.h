// Norms as they have been published with a mistake, each beside what it was meant to be.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/tensor/tensor.h"
#include "examples/shared/report/published.h"

namespace gradus::examples {

using RowsNorm = std::function<Tensor(const Tensor& x, double eps)>;  // x [B, T, C], over each token's features

struct WrongNorm : Published {
  RowsNorm apply, right;
  bool biased_running_variance = false;   // of batch norm
  double (*kept_by)(double p) = nullptr;  // of dropout: the factor of what is kept; nothing: nn::dropout's
};
std::vector<WrongNorm> wrong_norms();
WrongNorm right_norm();  // both are nn::layer_norm

// What a norm must do, asked of its outputs:
//   other_tokens  greatest |dy_t/dx_s| of two tokens: 0
//   values        greatest difference from what was meant, rows of 8, ε = 1e-5
//   large_eps     the same with ε = 0.25
//   nan_rows      of 1000 rows with mean 1000 and deviation 0.1, in f32: 0
//   running       batch norm's collected variance after one batch of 4, relative to the unbiased one: 1
//   dropout       of the dropout beside it, p = 0.1: mean of what was 1 everywhere: 1
std::vector<Probe> probes_of(const WrongNorm& norm, std::uint64_t seed);

}  // namespace gradus::examples
