#include "examples/shared/study/deep_gradient.h"

#include <cmath>

#include "core/core.h"
#include "nn/init.h"
#include "nn/linear.h"

namespace gradus::examples {
namespace {

constexpr int64_t kWidth = 256, kRows = 64;

Tensor normal_matrix(double gain, Generator& generator) {
  Tensor weight = zeros({kWidth, kWidth});
  nn::init_kaiming_normal(weight, {.gain = gain}, generator);
  return weight;
}

double length(const Tensor& g) { return norm(cast(g, DType::f64)).item(); }

}  // namespace

std::vector<double> surviving(const nn::Activation& f, double gain, int layers, std::uint64_t seed) {
  Generator generator(seed);
  Tensors h{randn({kRows, kWidth}, DType::f32, generator).set_requires_grad()};
  for (int l = 0; l < layers; ++l) h.push_back(f(nn::linear(h.back(), normal_matrix(gain, generator))));
  const Tensor seed_gradient = randn({kRows, kWidth}, DType::f32, generator);
  const Tensors gradients = grad({h.back()}, h, {.seeds = {seed_gradient}});
  const double top = length(gradients.back());
  std::vector<double> left;
  for (int l = layers; l >= 0; --l) left.push_back(length(gradients[static_cast<std::size_t>(l)]) / top);
  return left;
}

double surviving_units(const UnitLayers& of, std::uint64_t seed) {
  Generator generator(seed);
  const Tensor x = randn({kRows, kWidth}, DType::f32, generator).set_requires_grad();
  Tensor h = x;
  for (int l = 0; l < of.layers; ++l) {
    const Tensor w = normal_matrix(1, generator), v = normal_matrix(of.gain, generator);
    h = of.u(nn::linear(h, w), nn::linear(h, v));
    if (of.scaled) h = h / std::sqrt(mean(square(h.detach())).item());
  }
  const Tensor at_top = randn({kRows, kWidth}, DType::f32, generator);
  return length(grad({h}, {x}, {.seeds = {at_top}})[0]) / length(at_top);
}

}  // namespace gradus::examples
