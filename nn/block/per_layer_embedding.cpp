#include "nn/block/per_layer_embedding.h"

#include <cmath>

#include "core/options/range.h"
#include "nn/activation/gelu.h"
#include "nn/block/placement.h"
#include "nn/call_scope.h"
#include "nn/feed_forward/gate.h"

namespace gradus::nn {
namespace {

int64_t checked_layers(int64_t layers) {
  check_stack({.layers = layers}, "PerLayerTable");
  return layers;
}

}  // namespace

PerLayerTable::PerLayerTable(int64_t vocabulary, int64_t layers, int64_t width, int64_t d_model, const NormChoice& norm)
    : layers_(checked_layers(layers)),
      width_(check_size("width", width, "PerLayerTable")),
      table_(vocabulary, layers * width, 1 / std::sqrt(static_cast<double>(width))),
      projection_(d_model, layers * width, {.bias = false}),
      norm_(norm.make({.width = width})) {}

PerLayerInput::PerLayerInput(int64_t width, int64_t d_model, const NormChoice& norm)
    : gate_(d_model, width, {.bias = false}),
      projection_(width, d_model, {.bias = false, .role = Role::writes_stream}),
      norm_(norm.make({.width = d_model})) {}

// #region block-per-layer-embedding
// p_l = (√w E_l[id] + norm(W_l x₀ / √d)) / √2
Tensor PerLayerTable::operator()(const Tensor& ids, const Tensor& x) {
  const CallScope call(*this);
  const auto of_layers = [&](const Tensor& y) { return reshape(y, ids.shape().concat({layers_, width_})); };
  const Tensor of_id = of_layers(table_(ids)) * std::sqrt(static_cast<double>(width_));
  const Tensor of_stream = (*norm_)(of_layers(projection_(x) / std::sqrt(static_cast<double>(x.size(-1)))));
  return (of_id + of_stream) / std::sqrt(2.0);
}

// y = x + norm(W_p (gelu(W_g x) ⊙ p))
Tensor PerLayerInput::operator()(const Tensor& x, const Tensor& p) {
  const CallScope call(*this);
  check<GraphError>(p.defined(), "the layer reads a vector for each token, and none were given; a LanguageModel hands them on");
  return x + (*norm_)(projection_(gate(act::gelu_tanh, gate_(x), p)));
}
// #endregion block-per-layer-embedding

void PerLayerTable::members(Members& m) {
  m.child("table", table_);
  m.child("projection", projection_);
  m.child("norm", *norm_);
}

void PerLayerInput::members(Members& m) {
  m.child("gate", gate_);
  m.child("projection", projection_);
  m.child("norm", *norm_);
}

}  // namespace gradus::nn
