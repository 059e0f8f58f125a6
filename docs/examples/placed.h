// What the derivations of placements share: the library's placement around sublayers of a few numbers, and layer norm by hand.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include "docs/examples/derivation.h"
#include "docs/examples/sublayers.h"
#include "nn/nn.h"

namespace gradus::docs {

inline nn::LayerPtr make_norm() {
  return std::make_unique<nn::LayerNorm>(Shape{4}, nn::LayerNormOptions{.eps = 0, .gain = false, .bias = false});
}

// What the library's placement of this name makes of x around these functions.
inline Tensor placed(const char* name, const Tensor& x, const std::vector<Function>& f, int64_t layers = 1,
                     const std::function<nn::LayerPtr()>& norm = make_norm) {
  const nn::PlacementPtr placement =
      nn::placements().find(name).value({.make_norm = norm,
                                         .d_model = x.size(-1),
                                         .sublayers = nn::SublayerOrder(f.size(), nn::SublayerKind::feed_forward),
                                         .stack = {.layers = layers}});
  placement->to(DType::f64);
  return around(f, *placement, {x}).x;
}

// c times each number's right neighbour, the last from the first; and its way back.
inline Tensor shifted(const Tensor& x, double c = 1) { return c * cat({slice(x, -1, 1), slice(x, -1, 0, 1)}, -1); }
inline Function shift(double c = 1) {
  return [c](const Tensor& x) { return shifted(x, c); };
}
inline double right(const Numbers& x, int64_t i) { return x((i + 1) % 4); }
inline double left(const Numbers& x, int64_t i) { return x((i + 3) % 4); }

inline double mean(const Numbers& x) {
  return sum(4, [&](int64_t i) { return x(i); }) / 4;
}
inline double mean_of_product(const Numbers& a, const Numbers& b) {
  return sum(4, [&](int64_t i) { return a(i) * b(i); }) / 4;
}
inline double deviation(const Numbers& x) {
  const double mu = mean(x);
  return std::sqrt(sum(4, [&](int64_t i) { return (x(i) - mu) * (x(i) - mu); }) / 4);
}
inline double length(const Numbers& x) {
  return std::sqrt(sum(x.shape()[0], [&](int64_t i) { return x(i) * x(i); }));
}
// (g - mean g - x̂ mean(g ⊙ x̂)) / r: layer norm backward.
inline Numbers norm_back(const Numbers& g, const Numbers& hat, double r) {
  const double m = mean(g), along = mean_of_product(g, hat);
  return each(4, [&](int64_t j) { return (g(j) - m - hat(j) * along) / r; });
}
inline Numbers for_each_of(const Numbers& a, const std::function<double(double)>& f) {
  return each(a.shape()[0], [&](int64_t i) { return f(a(i)); });
}

}  // namespace gradus::docs
