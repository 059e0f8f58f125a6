#include "examples/exercises/in_place/training.h"

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "optim/optim.h"

namespace gradus::exercises {
namespace {

void adamw_step(Optimized& p, int t, double lr) {
  const Tensor g = p.value.grad();
  p.m = 0.9 * p.m + 0.1 * g;
  p.v = 0.95 * p.v + 0.05 * square(g);
  if (p.value.size(0) > 1) p.value -= lr * 0.1 * p.value;  // a gain has one row
  p.value -= lr * (p.m / (1 - std::pow(0.9, t))) / (sqrt(p.v / (1 - std::pow(0.95, t))) + kEps);
}

double cosine_rate(int t, int warmup, int total, double high, double low) {
  return optim::cosine_schedule({.max_lr = high, .min_lr = low, .warmup = warmup, .total = total}, t);
}

double greatest_difference(const Tensor& a, const Tensor& b) { return a.shape() == b.shape() ? max(abs(a - b)).item() : 1; }

// The gradients of the batch's loss.
double walk_back(Learner& learner, Seen* seen) {
  learner.show_to(seen);
  const Tensor loss = learner.loss();
  loss.backward();
  learner.show_to(nullptr);
  const Tensors values = learner.values();
  for (std::size_t i = values.size(); seen != nullptr && i-- > 0;) {  // as the walk goes: what the loss is made of at last comes first
    seen->emplace_back("the gradient of " + learner.name(i), values[i].grad().clone());
  }
  return loss.item();
}

void descend(Learner& learner, const Descent& descent, int t, int steps, Seen* seen) {
  const NoGrad off;
  const Tensors values = learner.values();
  descent.clip(values, 1);
  for (std::size_t i = 0; seen != nullptr && i < values.size(); ++i) {
    seen->emplace_back("the clipped gradient of " + learner.name(i), values[i].grad().clone());
  }
  const double lr = descent.rate(t, steps / 10, steps, 1e-2, 1e-3);
  for (std::size_t i = 0; i < values.size(); ++i) {
    descent.optimize(learner.parameters()[i], t, lr);
    if (seen != nullptr) seen->emplace_back("after a step, " + learner.name(i), values[i].clone());
    values[i].zero_grad();
  }
}

}  // namespace

Descent library_descent() {
  const auto clip = [](const Tensors& parameters, double most) { optim::clip_grad_norm(parameters, most); };
  return {.clip = clip, .rate = cosine_rate, .optimize = adamw_step};
}

Tensors Learner::values() const {
  Tensors values;
  for (const Optimized& p : parameters_) values.push_back(p.value);
  return values;
}

std::size_t Learner::make(const std::string& name, const Tensor& start) {
  parameters_.push_back({start.clone().set_requires_grad(), zeros_like(start), zeros_like(start)});
  names_.push_back(name);
  return parameters_.size() - 1;
}

std::size_t Learner::make(const std::string& name, const Shape& shape, double size) {
  return make(name, size * randn(shape, DType::f64, random_));
}

Tensor Learner::see(const std::string& name, const Tensor& x) const {
  if (seen_ != nullptr) seen_->emplace_back(name, x.detach());
  return x;
}

Training train(Learner& learner, const Descent& descent, int steps, const Tell& tell) {
  Training training;
  for (int t = 1; t <= steps; ++t) {
    Seen* seen = t == 1 ? &training.begun : nullptr;
    training.losses.push_back(walk_back(learner, seen));
    descend(learner, descent, t, steps, seen);
    if (tell) tell(t, training.losses.back());
  }
  return training;
}

std::string first_difference(const Seen& mine, const Seen& reference) {
  for (std::size_t i = 0; i < std::min(mine.size(), reference.size()); ++i) {
    if (mine[i].first != reference[i].first || !(greatest_difference(mine[i].second, reference[i].second) < 1e-6))
      return reference[i].first;
  }
  return "";
}

}  // namespace gradus::exercises
