// Embedding: a trained row of numbers for each id.
#pragma once

#include <optional>

#include "nn/layer.h"

namespace gradus::nn {

// Row ids[…] of the weight, for each id:
//   y[…] = weight[ids[…]]      dL/dweight[i] = Σ over the positions of id i of dL/dy[…]
// ids [...] (i64), weight [count, width] to [..., width]. No gradient reaches the row of `padding_id` from here.
// DTypeError unless ids are i64, ShapeError for a weight without two axes, ValueError for an id out of range.
Tensor embedding(const Tensor& ids, const Tensor& weight, std::optional<int64_t> padding_id = {});

struct EmbeddingOptions {
  double std = 0.02;                       // of the start
  std::optional<int64_t> padding_id = {};  // fills sequences up: its row starts at 0 and gets no gradient
};

// embedding() with a trained weight.
class Embedding : public Layer {
 public:
  // The weight starts N(0, std²). ValueError unless both sizes are positive, std finite and not negative, and a padding_id
  // is below count and not negative.
  Embedding(int64_t count, int64_t width, const EmbeddingOptions& options);
  Embedding(int64_t count, int64_t width, double std = 0.02) : Embedding(count, width, EmbeddingOptions{.std = std}) {}

  void members(Members& m) override;
  std::string describe() const override;

  Parameter weight;

 private:
  Tensor forward(const Tensor& ids) override;

  std::optional<int64_t> padding_id_;
};

}  // namespace gradus::nn
