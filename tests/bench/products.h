// The matrix products of one training step of the language model and nothing else.
#pragma once

#include <vector>

#include "core/core.h"
#include "nn/attention/small_products.h"
#include "nn/feed_forward/feed_forward_table.h"
#include "nn/model/language_model.h"

namespace gradus::bench {

// What decides the sizes of the products.
struct StepShape {
  StepShape(const nn::LanguageModelOptions& o, int64_t the_batch)
      : batch(the_batch),
        context(o.context),
        d_model(o.d_model),
        layers(o.layers),
        heads(o.heads),
        d_ff(o.d_ff != 0 ? o.d_ff : nn::feed_forward_width(o.feed_forward, o.d_model)),
        vocabulary(o.vocabulary) {}

  int64_t rows() const { return batch * context; }
  int64_t head_dim() const { return d_model / heads; }

  int64_t batch, context, d_model, layers, heads, d_ff, vocabulary;
};

// x [rows, in] to y [rows, out] = x Wᵀ.
struct Projection {
  Projection(int64_t in_width, int64_t out_width);

  void forward(const Tensor& x, Tensor& y) const;
  void backward(const Tensor& x, const Tensor& g, Tensor& dx);  // dL/dx = g W      dL/dW = gᵀ x

  int64_t in, out;
  Tensor weight, weight_gradient;
};

// Attention's products by tiles of queries against the keys they may see, each head one thread's: the plan of nn::attention's kernel,
// with no softmax in between.
class AttentionProducts {
 public:
  explicit AttentionProducts(const StepShape& shape) : shape_(shape) {}

  void forward(const Tensor& q, const Tensor& k, const Tensor& v, Tensor& y) const;
  void backward(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& g, Tensor& dq, Tensor& dk, Tensor& dv) const;

 private:
  template <typename Body> void for_each_head(int64_t matrices, const Body& body) const;
  template <typename Tile> void for_each_tile(const Tile& tile) const;
  int64_t height() const { return kernels::tile_height(shape_.context, shape_.context); }

  StepShape shape_;
};

// Gradients of values are short-lived, so all layers share their buffers.
struct SharedGradients {
  explicit SharedGradients(const StepShape& shape);
  Tensor stream, x, q, k, v, wide;
};

// One block's weights, and the values its products keep for backward.
class BlockProducts {
 public:
  explicit BlockProducts(const StepShape& shape);

  void forward(Tensor& stream);
  void backward(SharedGradients& d);

 private:
  Projection q_proj_, k_proj_, v_proj_, out_proj_, w1_, w2_, w3_;
  AttentionProducts attention_;
  Tensor normed_, q_, k_, v_, attended_, normed_again_, gate_, value_, gated_;
};

class StepProducts {
 public:
  explicit StepProducts(const StepShape& shape);

  void step();

  // What a step has to compute: a multiplication and an addition for each row and weight, and for each row and number of a key or
  // value that it sees; forward, and twice as many for the gradients. Scores that are computed again do not count.
  double gflop() const;

 private:
  StepShape shape_;
  std::vector<BlockProducts> blocks_;
  Projection head_;
  SharedGradients gradients_;
  Tensor stream_, logits_;
};

}  // namespace gradus::bench
