// Sublayers that move numbers, layer norm and its gradient, index by index: for the derivations of blocks.
#pragma once

#include <cmath>

#include "docs/examples/derivation.h"
#include "docs/examples/sublayers.h"
#include "nn/nn.h"

namespace gradus::docs {

inline nn::LayerPtr make_norm() {
  return std::make_unique<nn::LayerNorm>(Shape{4}, nn::LayerNormOptions{.eps = 0, .gain = false, .bias = false});
}

inline nn::PlacementPtr make(const char* name, const nn::SublayerOrder& sublayers, const nn::StackShape& stack = {}) {
  nn::PlacementPtr placement =
      nn::placements().find(name).value({.make_norm = make_norm, .d_model = 4, .sublayers = sublayers, .stack = stack});
  placement->to(DType::f64);
  return placement;
}

inline const nn::SublayerOrder kAttention{nn::SublayerKind::attention}, kFeedForward{nn::SublayerKind::feed_forward},
    kBoth{nn::SublayerKind::attention, nn::SublayerKind::feed_forward};

// c times each number's right neighbour, the last from the first; `by` 2: the neighbour's neighbour.
inline Function shift(double c = 1, int64_t by = 1) {
  return [=](const Tensor& x) { return c * cat({slice(x, -1, by), slice(x, -1, 0, by)}, -1); };
}
inline double right(const Numbers& x, int64_t i, int64_t by = 1) { return x((i + by) % 4); }
inline double left(const Numbers& x, int64_t i, int64_t by = 1) { return x((i + 4 - by) % 4); }

inline double mean(const Numbers& x) {
  return sum(4, [&](int64_t i) { return x(i); }) / 4;
}
inline double deviation(const Numbers& x) {
  const double mu = mean(x);
  return std::sqrt(sum(4, [&](int64_t i) { return (x(i) - mu) * (x(i) - mu); }) / 4);
}
inline Numbers normed(const Numbers& x) {
  return each(4, [&](int64_t i) { return (x(i) - mean(x)) / deviation(x); });
}
// (g - mean g - x̂ mean(g ⊙ x̂)) / r: layer norm backward.
inline Numbers norm_back(const Numbers& g, const Numbers& x) {
  const Numbers hat = normed(x);
  const double r = deviation(x), m = mean(g), along = sum(4, [&](int64_t i) { return g(i) * hat(i); }) / 4;
  return each(4, [&](int64_t j) { return (g(j) - m - hat(j) * along) / r; });
}
inline Numbers plus(const Numbers& a, const Numbers& b) {
  return each(a.shape()[0], [&](int64_t i) { return a(i) + b(i); });
}

}  // namespace gradus::docs
