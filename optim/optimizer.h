// Optimizer: changes parameters by their gradients.
//
//   optim::AdamW optimizer(model.named_parameters(), {.lr = 3e-4, .weight_decay = 0.1});
//   for (…) {
//     nn::cross_entropy(model(x), y).backward();
//     optimizer.step();  // or step(lr), with a rate from optim/schedule.h
//     optimizer.clear_grad();
//   }
//
// The options of every optimizer have `lr`, the learning rate of step(), and `weight_decay`, the λ of groups that
// name none: see parameter_groups.h.
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

  // One update, with the options' learning rate or with `lr`. A parameter without a gradient is left as it is. Throws, changing
  // nothing: ValueError for a negative rate, and for a gradient that shares a storage with a parameter or state; GraphError if a
  // parameter requires no gradient any more, and if none has one.
  void step() { step(lr_); }
  void step(double lr);
  void clear_grad();  // of all parameters
  static constexpr int64_t kMostSteps = int64_t{1} << 53;  // up to which a double counts, as the formulas do
  int64_t steps() const { return steps_; }  // t, the number of step()s so far

  // All that must be saved to go on exactly as before: tensors by name ("first/blocks.0…"), and the step count.
  const NamedTensors& state() const { return state_; }
  // Copies a state back; see io::load_tensors. One that does not fit changes nothing. ValueError for steps that are negative
  // or more than kMostSteps.
  std::vector<std::string> load_state(const NamedTensors& state, int64_t steps, io::LoadOptions options = {});
  void set_steps(int64_t steps);

 protected:
  // `name` is what errors call the optimizer: a string literal, or it lives as long.
  // ValueError for no parameters, one given twice, two of one name or of one storage, or a negative decay or rate; GraphError
  // for one that is no leaf; DTypeError for one that is not f32 or f64.
  Optimizer(const char* name, ParameterGroups groups, double lr, double weight_decay);

  const char* name() const { return name_; }
  // ValueError unless ε, which is called `what`, is finite, positive, and large enough for the dtype of each parameter: in f32
  // one below 2⁻¹²⁶ may be 0.
  void check_eps(const char* what, double eps) const;

  // θ ← its next value, in place. `index` counts parameters through all groups; the tape is off. θ has a gradient and
  // at least one value.
  virtual void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) = 0;

  // One tensor per parameter for the optimizer to remember, saved as "what/name": zeros like the parameter, or what
  // `make` gives; undefined for a parameter that needs none.
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
