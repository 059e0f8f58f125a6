// Trainings that can be compared: from the same start on the same data, with all that they see kept by name.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/tensor/generator.h"
#include "core/tensor/tensor.h"

namespace gradus::exercises {

// AdamW's ε. It is large, as a small one makes steps of what is only rounding in a gradient, and two trainings drift apart.
inline constexpr double kEps = 1e-3;

struct Optimized { Tensor value, m, v; };

// What happens to the gradients of a step.
struct Descent {
  std::function<void(const Tensors& parameters, double most)> clip;
  std::function<double(int t, int warmup, int total, double high, double low)> rate;
  std::function<void(Optimized& p, int t, double lr)> optimize;
};
Descent library_descent();

using Seen = std::vector<std::pair<std::string, Tensor>>;

struct Training {
  std::vector<double> losses;  // of each step
  Seen begun;                  // each result and gradient of the first step
};

using Tell = std::function<void(int step, double loss)>;

// A model in f64 that begins with the same parameters each time, and knows the next batch.
class Learner {
 public:
  virtual ~Learner() = default;
  virtual Tensor loss() = 0;  // of the next batch

  std::vector<Optimized>& parameters() { return parameters_; }
  const std::string& name(std::size_t i) const { return names_[i]; }
  Tensors values() const;
  void show_to(Seen* seen) { seen_ = seen; }  // nullptr: to nobody

 protected:
  std::size_t make(const std::string& name, const Tensor& start);
  std::size_t make(const std::string& name, const Shape& shape, double size);  // of N(0, size²)
  const Tensor& value(std::size_t i) const { return parameters_[i].value; }
  Tensor see(const std::string& name, const Tensor& x) const;

 private:
  Generator random_{2};
  std::vector<Optimized> parameters_;
  std::vector<std::string> names_;
  Seen* seen_ = nullptr;
};

Training train(Learner& learner, const Descent& descent, int steps, const Tell& tell = {});

// The name of the first tensor that differs by more than a millionth; "" if none does.
std::string first_difference(const Seen& mine, const Seen& reference);

}  // namespace gradus::exercises
