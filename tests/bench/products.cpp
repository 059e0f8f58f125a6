#include "tests/bench/products.h"

#include <algorithm>

#include "core/kernels/scratch.h"
#include "core/machine/parallel.h"

namespace gradus::bench {

using kernels::gemm, kernels::small_product, kernels::added_to, kernels::padded;

Projection::Projection(int64_t in_width, int64_t out_width)
    : in(in_width), out(out_width), weight(randn({out, in})), weight_gradient(Shape{out, in}, DType::f32) {}

void Projection::forward(const Tensor& x, Tensor& y) const {
  gemm(x.size(0), out, in, 1.0F, {x.data<float>(), in}, {weight.data<float>(), in, true}, {y.mutable_data<float>(), out});
}

void Projection::backward(const Tensor& x, const Tensor& g, Tensor& dx) {
  const int64_t rows = x.size(0);
  const float* from_g = g.data<float>();
  gemm(rows, in, out, 1.0F, {from_g, out}, {weight.data<float>(), in}, {dx.mutable_data<float>(), in});
  gemm(out, in, rows, 1.0F, {from_g, out, true}, {x.data<float>(), in}, {weight_gradient.mutable_data<float>(), in});
}

// Calls body(start of this head, room for `matrices` of its scores and as many transposed matrices) for every head.
template <typename Body> void AttentionProducts::for_each_head(int64_t matrices, const Body& body) const {
  const StepShape& s = shape_;
  kernels::parallel_for(s.batch * s.heads, 1, [&](int64_t begin, int64_t end) {
    kernels::Scratch<float> scratch(matrices * (height() + s.head_dim()) * padded(s.context));
    for (int64_t i = begin; i < end; ++i) body(i / s.heads * s.context * s.d_model + i % s.heads * s.head_dim(), scratch.data());
  });
}

// Calls tile(first query, queries, keys, from one row of their scores to the next) for every tile of a head.
template <typename Tile> void AttentionProducts::for_each_tile(const Tile& tile) const {
  for (int64_t first = 0; first < shape_.context; first += height()) {
    const int64_t queries = std::min(height(), shape_.context - first), keys = first + queries;
    tile(first, queries, keys, padded(keys));
  }
}

// S = q kᵀ, y = S v
void AttentionProducts::forward(const Tensor& all_q, const Tensor& all_k, const Tensor& all_v, Tensor& all_y) const {
  const int64_t d = shape_.d_model, width = shape_.head_dim(), t = shape_.context;
  for_each_head(1, [&, this](int64_t head, float* s) {
    const float *q = all_q.data<float>() + head, *k = all_k.data<float>() + head, *v = all_v.data<float>() + head;
    float* y = all_y.mutable_data<float>() + head;
    const auto k_transposed = kernels::transposed(t, t, width, k, d, s + height() * padded(t));
    for_each_tile([&](int64_t first, int64_t queries, int64_t keys, int64_t stride) {
      small_product(queries, keys, width, 1.0F, {q + first * d, d}, k_transposed, {s, stride});
      small_product(queries, width, keys, 1.0F, {s, stride}, {v, d}, {y + first * d, d});
    });
  });
}

// S again, dS = g vᵀ, dv += Sᵀ g, dk += dSᵀ q, dq = dS k
void AttentionProducts::backward(const Tensor& all_q, const Tensor& all_k, const Tensor& all_v, const Tensor& all_g, Tensor& all_dq,
                                 Tensor& all_dk, Tensor& all_dv) const {
  const int64_t d = shape_.d_model, width = shape_.head_dim(), t = shape_.context;
  for_each_head(2, [&, this](int64_t head, float* s) {
    const float *q = all_q.data<float>() + head, *k = all_k.data<float>() + head, *v = all_v.data<float>() + head;
    const float* g = all_g.data<float>() + head;
    float *dq = all_dq.mutable_data<float>() + head, *dk = all_dk.mutable_data<float>() + head, *dv = all_dv.mutable_data<float>() + head;
    float *ds = s + height() * padded(t), *rest = ds + height() * padded(t);
    const auto k_transposed = kernels::transposed(t, t, width, k, d, rest);
    const auto v_transposed = kernels::transposed(t, t, width, v, d, rest + width * padded(t));
    for_each_tile([&](int64_t first, int64_t queries, int64_t keys, int64_t stride) {
      const int64_t at = first * d;
      small_product(queries, keys, width, 1.0F, {q + at, d}, k_transposed, {s, stride});
      small_product(queries, keys, width, 1.0F, {g + at, d}, v_transposed, {ds, stride});
      small_product(keys, width, queries, 1.0F, {s, stride, true}, {g + at, d}, added_to(dv, d));
      small_product(keys, width, queries, 1.0F, {ds, stride, true}, {q + at, d}, added_to(dk, d));
      small_product(queries, width, keys, 1.0F, {ds, stride}, {k, d}, {dq + at, d});
    });
  });
}

SharedGradients::SharedGradients(const StepShape& s) : wide(randn({s.rows(), s.d_ff})) {
  for (Tensor* gradient : {&stream, &x, &q, &k, &v}) *gradient = randn({s.rows(), s.d_model});
}

BlockProducts::BlockProducts(const StepShape& s)
    : q_proj_(s.d_model, s.d_model),
      k_proj_(s.d_model, s.d_model),
      v_proj_(s.d_model, s.d_model),
      out_proj_(s.d_model, s.d_model),
      w1_(s.d_model, s.d_ff),
      w2_(s.d_ff, s.d_model),
      w3_(s.d_model, s.d_ff),
      attention_(s) {
  for (Tensor* x : {&normed_, &q_, &k_, &v_, &attended_, &normed_again_}) *x = randn({s.rows(), s.d_model});
  for (Tensor* x : {&gate_, &value_, &gated_}) *x = randn({s.rows(), s.d_ff});
}

void BlockProducts::forward(Tensor& stream) {
  q_proj_.forward(normed_, q_);
  k_proj_.forward(normed_, k_);
  v_proj_.forward(normed_, v_);
  attention_.forward(q_, k_, v_, attended_);
  out_proj_.forward(attended_, stream);
  w1_.forward(normed_again_, gate_);
  w3_.forward(normed_again_, value_);
  w2_.forward(gated_, stream);
}

void BlockProducts::backward(SharedGradients& d) {
  w2_.backward(gated_, d.stream, d.wide);
  w3_.backward(normed_again_, d.wide, d.x);
  w1_.backward(normed_again_, d.wide, d.x);
  out_proj_.backward(attended_, d.stream, d.x);
  attention_.backward(q_, k_, v_, d.x, d.q, d.k, d.v);
  q_proj_.backward(normed_, d.q, d.x);
  k_proj_.backward(normed_, d.k, d.x);
  v_proj_.backward(normed_, d.v, d.x);
}

StepProducts::StepProducts(const StepShape& s)
    : shape_(s),
      head_(s.d_model, s.vocabulary),
      gradients_(s),
      stream_(randn({s.rows(), s.d_model})),
      logits_(Shape{s.rows(), s.vocabulary}, DType::f32) {
  for (int64_t layer = 0; layer < s.layers; ++layer) blocks_.emplace_back(s);
}

void StepProducts::step() {
  for (BlockProducts& block : blocks_) block.forward(stream_);
  head_.forward(stream_, logits_);
  head_.backward(stream_, logits_, gradients_.stream);
  for (auto block = blocks_.rbegin(); block != blocks_.rend(); ++block) block->backward(gradients_);
}

double StepProducts::gflop() const {
  const StepShape& s = shape_;
  const int64_t weights = s.layers * (4 * s.d_model + 3 * s.d_ff) * s.d_model + s.vocabulary * s.d_model;
  const int64_t keys_seen = s.layers * (s.context + 1) * s.d_model;  // of a row by all its heads: half of the scores, twice: S and S v
  return 6e-9 * static_cast<double>(s.rows() * (weights + keys_seen));
}

}  // namespace gradus::bench
