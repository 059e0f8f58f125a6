// Optimizer: changes parameters by their gradients.
//
//   optim::AdamW optimizer(model.named_parameters(), {.lr = 3e-4, .weight_decay = 0.1});
//   for (…) {
//     nn::cross_entropy(model(x), y).backward();
//     optimizer.step();  // or step(lr), with a rate from optim/schedule.h
//     optimizer.zero_grad();
//   }
//
// Every optimizer's options have `lr`, the learning rate of step(), and `weight_decay`, the λ of groups that name none.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "optim/checks.h"
#include "optim/parameter_groups.h"

namespace gradus::optim {

// The base of all optimizers.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  // One update, with the options' learning rate or with `lr`. A parameter without a gradient stays as it is. Throws, changing
  // nothing: ValueError for a negative rate, or if a gradient shares storage with a parameter or state; GraphError if a parameter
  // no longer requires a gradient, or if no parameter has one.
  void step() { step(lr_); }
  void step(double lr);
  void zero_grad();                                        // of all parameters
  static constexpr int64_t kMostSteps = int64_t{1} << 53;  // the formulas count in doubles
  int64_t steps() const { return steps_; }                 // t, the number of step()s so far

  // What a checkpoint needs besides steps(): tensors by name ("first/blocks.0…").
  const NamedTensors& state() const { return state_; }
  // Copies a state back, as io::load_tensors. Throws, changing nothing: ValueError for a state that does not fit, and unless
  // 0 <= steps <= kMostSteps.
  std::vector<std::string> load_state(const NamedTensors& state, int64_t steps, io::LoadOptions options = {});
  void set_steps(int64_t steps);

 protected:
  // `name` is what errors call the optimizer, a string literal. ValueError for a negative decay or rate, and for no parameters;
  // further errors as of check_parameters() and check_trained().
  Optimizer(const char* name, ParameterGroups groups, double lr, double weight_decay);

  const char* name() const { return name_; }
  // ValueError unless the ε called `what` is finite, positive, and, for f32 parameters, at least 2⁻¹²⁶.
  void check_eps(const char* what, double eps) const;

  // Moves θ, which has a gradient, in place. `index` counts parameters through all groups; the tape is off.
  virtual void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) = 0;

  // One tensor to remember per parameter, saved as "what/name": zeros like it, or what `make` gives; undefined for none.
  using MakeState = std::function<Tensor(const NamedTensor& parameter)>;
  Tensors add_state(const std::string& what, const MakeState& make = nullptr);

 private:
  struct Entry {
    NamedTensor parameter;
    double weight_decay, lr_scale;
  };
  void check_rate(double lr) const;
  void check_decay(double weight_decay) const;
  void check_steps(int64_t steps) const;
  void check_entries() const;

  const char* name_;
  std::vector<Entry> entries_;
  NamedTensors state_;
  double lr_;
  int64_t steps_ = 0;
};

}  // namespace gradus::optim
