// Optimizer: changes parameters by their gradients.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/io/named_tensors.h"

namespace gradus::optim {

// Parameters that share a learning rate and a weight decay.
struct ParameterGroup {
  NamedTensors parameters;  // by name, for messages and checkpoints
  double weight_decay = 0;  // λ
  double lr_scale = 1;      // the group's learning rate, as a multiple of the one step() is given
};

struct DecayOptions {
  bool embeddings = true;  // do matrices with "embedding" or "position" in their name decay too?
};

// Sorts parameters into those that decay, matrices, and those that do not: gains and biases, which have one axis, and
// what has a name that ends with "bias", such as one vector a head.
std::vector<ParameterGroup> decay_matrices(const NamedTensors& parameters, double weight_decay,
                                           DecayOptions options = {});

// Which parameter went where: a line a group, and below it a line a parameter.
std::string describe(const std::vector<ParameterGroup>& groups);

class Optimizer {
 public:
  // ValueError for no parameters, one given twice, or a negative decay or rate; GraphError for one that is no leaf;
  // DTypeError for one that is not f32 or f64.
  explicit Optimizer(std::vector<ParameterGroup> groups);
  virtual ~Optimizer() = default;
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  // One update with learning rate `lr`. A parameter without a gradient is left as it is. DTypeError or ShapeError if
  // one is not as it was when the optimizer was made, for what is remembered of it would not fit.
  void step(double lr);
  void clear_grad();
  int64_t steps() const { return steps_; }  // t, the number of step()s so far

  // All that must be saved to go on exactly as before: tensors by name ("first/blocks.0…"), and the step count.
  const NamedTensors& state() const { return state_; }
  // Copies a state back; see io::load_tensors. One that does not fit changes nothing. ValueError for negative steps.
  std::vector<std::string> load_state(const NamedTensors& state, int64_t steps, io::LoadOptions options = {});
  void set_steps(int64_t steps);

 protected:
  // θ ← its next value, in place. `index` counts parameters through all groups; the tape is off.
  virtual void update(std::size_t index, Tensor& parameter, double lr, double weight_decay) = 0;

  // One tensor a parameter for the optimizer to remember, saved as "what/name": zeros like the parameter, or what
  // `make` gives; undefined for a parameter that needs none.
  using MakeState = std::function<Tensor(const std::string& name, const Tensor& parameter)>;
  Tensors add_state(const std::string& what, const MakeState& make = nullptr);

 private:
  struct Form {
    DType dtype;
    Shape shape;
  };
  void check_forms() const;

  std::vector<ParameterGroup> groups_;
  std::vector<Form> forms_;  // of each parameter when the optimizer was made
  NamedTensors state_;
  int64_t steps_ = 0;
};

// Is one of these a part of the name?
bool name_has(const std::string& name, const std::vector<std::string>& parts);

// ValueError unless 0 <= value < 1, as for the share β of the past in a running mean; unless value > 0.
void check_share(const char* optimizer, const char* name, double value);
void check_positive(const char* optimizer, const char* name, double value);

}  // namespace gradus::optim
