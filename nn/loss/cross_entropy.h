// Cross-entropy of scores against class ids, with the z-loss.
#pragma once

#include "core/ops/ops.h"

namespace gradus::nn {

struct CrossEntropyOptions {
  int64_t ignore_index = -100;  // targets that are not counted
  double z_loss = 0;            // c: adds c (logZ)², which keeps the scores from drifting (Chowdhery et al., 2022)
};

namespace formula {
// One loss a row: logits [N, V], targets [N]; 0 where the target is negative.
Tensor token_losses(const Tensor& logits, const Tensor& targets, double z_loss);
}  // namespace formula

// L = mean over counted targets of logZ - z_target + c (logZ)², logZ = log Σ e^z
// dL/dz = ((1 + 2c logZ) softmax(z) - onehot(target)) / count
// logits [..., V], targets [...] i64 (ShapeError); ValueError for a target out of range, or if none is counted.
Tensor cross_entropy(const Tensor& logits, const Tensor& targets, const CrossEntropyOptions& options = {});

}  // namespace gradus::nn
