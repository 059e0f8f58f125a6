// The task of chapter 03: the product of two numbers, and layers that try to learn it.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/core.h"
#include "nn/activation/activation.h"

namespace gradus::examples {

// x [n, 2] to x₁ x₂ [n, 1]; and what a feed-forward layer of width 2 says of it, the first of its two numbers.
Tensor product(const Tensor& x);
Tensor answer(nn::Layer& layer, const Tensor& x);

struct Learner {
  std::string id, name;
  std::function<nn::LayerPtr()> make;
};
// One gate; the same with its gate held at 1; a wide ReLU; a SwiGLU.
std::vector<Learner> learners();

// Adam on new points each step, x₁ and x₂ from −1 to 1.
void learn_product(nn::Layer& layer, int64_t steps, Generator& generator);
// Root mean square error on new points, x₁ and x₂ from −reach to reach.
double error_within(nn::Layer& layer, double reach, Generator& generator);

// The greatest error of two gated units that are set, not trained: f(x₁) x₂ − f(−x₁) x₂.
double set_by_hand(const nn::Activation& f);

}  // namespace gradus::examples
