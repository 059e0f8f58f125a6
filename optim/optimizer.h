// Optimizer: changes parameters by their gradients.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/tensor/tensor.h"

namespace gradus::optim {

// Parameters that share a learning rate and a weight decay.
struct ParameterGroup {
  std::vector<std::pair<std::string, Tensor>> parameters;  // by name, for messages and checkpoints
  double weight_decay = 0;
};

// Matrices decay; gains and biases, which have one axis, do not.
std::vector<ParameterGroup> decay_matrices(const std::vector<std::pair<std::string, Tensor>>& parameters,
                                           double weight_decay);

class Optimizer {
 public:
  // ValueError for no parameters, one given twice, or a negative decay.
  explicit Optimizer(std::vector<ParameterGroup> groups);
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  // One update with learning rate `lr`. A parameter without a gradient is left as it is.
  void step(double lr);
  void clear_grad();
  int64_t steps() const { return steps_; }

  // All that must be saved to go on exactly as before: tensors by name ("first/blocks.0…"), and the step count.
  virtual std::vector<std::pair<std::string, Tensor>> state() = 0;
  void load_state(const std::vector<std::pair<std::string, Tensor>>& state, int64_t steps);

 protected:
  virtual void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) = 0;
  const std::vector<ParameterGroup>& groups() const { return groups_; }

 private:
  std::vector<ParameterGroup> groups_;
  int64_t steps_ = 0;
};

}  // namespace gradus::optim
