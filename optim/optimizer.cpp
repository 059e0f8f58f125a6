#include "optim/optimizer.h"

#include <cmath>
#include <map>

#include "core/tape/grad_mode.h"
#include "core/tensor/create.h"

namespace gradus::optim {
namespace {

void check_rate(double lr) {
  check<ValueError>(lr >= 0 && std::isfinite(lr), "optimizer: the learning rate must be finite and not negative, got {}", lr);
}

void check_decay(double weight_decay) {
  check<ValueError>(weight_decay >= 0 && std::isfinite(weight_decay),
                    "optimizer: the weight decay must be finite and not negative, got {}", weight_decay);
}

void check_steps(int64_t steps) {
  check<ValueError>(steps >= 0, "optimizer: the number of steps must not be negative, got {}", steps);
}

void check_parameter(const std::string& name, const Tensor& tensor) {
  check<GraphError>(tensor.defined() && tensor.requires_grad() && tensor.is_leaf(),
                    "optimizer: {} is not a parameter: it must be a leaf that requires a gradient", name);
  check<DTypeError>(tensor.dtype() == DType::f32 || tensor.dtype() == DType::f64,
                    "optimizer: {} is {}, too coarse to be changed by small steps; use f32 or f64", name,
                    tensor.dtype());
}

}  // namespace

Optimizer::Optimizer(ParameterGroups groups, double lr, double weight_decay) : lr_(lr) {
  check_rate(lr);
  check_decay(weight_decay);
  std::map<std::uint64_t, std::string> names;  // by the tensor's number, to find one that is given twice
  for (const ParameterGroup& group : groups) {
    const double decay = group.weight_decay.value_or(weight_decay);
    check_decay(decay);
    check<ValueError>(group.lr_scale >= 0 && std::isfinite(group.lr_scale),
                      "optimizer: a group's lr_scale must be finite and not negative, got {}", group.lr_scale);
    for (const NamedTensor& parameter : group.parameters) {
      const Tensor& tensor = parameter.tensor;
      check_parameter(parameter.name, tensor);
      const auto [first, added] = names.emplace(tensor.number(), parameter.name);
      check<ValueError>(added, "optimizer: {} is given twice, first as {}", parameter.name, first->second);
      entries_.push_back({parameter, decay, group.lr_scale, {tensor.dtype(), tensor.shape()}});
    }
  }
  check<ValueError>(!entries_.empty(), "optimizer: no parameters to optimize");
}

void Optimizer::check_signatures() const {
  for (const auto& [parameter, weight_decay, lr_scale, before] : entries_) {
    const Tensor& now = parameter.tensor;
    check<DTypeError>(now.dtype() == before.dtype,
                      "optimizer: {} changed from {} to {} after the optimizer was built; call model.to() before "
                      "building it",
                      parameter.name, before.dtype, now.dtype());
    check<ShapeError>(now.shape() == before.shape,
                      "optimizer: {} changed from shape {} to {} after the optimizer was built; build it again",
                      parameter.name, before.shape, now.shape());
  }
}

void Optimizer::step(double lr) {
  check_rate(lr);
  check_signatures();
  const NoGrad off;
  ++steps_;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    auto& [parameter, weight_decay, lr_scale, before] = entries_[i];
    Tensor& tensor = parameter.tensor;
    if (tensor.grad().defined() && tensor.numel() > 0) update(i, tensor, lr * lr_scale, weight_decay);
  }
}

void Optimizer::clear_grad() {
  for (const Entry& entry : entries_) entry.parameter.tensor.clear_grad();
}

std::vector<std::string> Optimizer::load_state(const NamedTensors& state, int64_t steps, io::LoadOptions options) {
  check_steps(steps);
  auto problems = io::load_tensors("optimizer", state_, state, options);
  steps_ = steps;
  return problems;
}

void Optimizer::set_steps(int64_t steps) {
  check_steps(steps);
  steps_ = steps;
}

Tensors Optimizer::add_state(const std::string& what, const MakeState& make) {
  Tensors added;
  for (const Entry& entry : entries_) {
    const NamedTensor& parameter = entry.parameter;
    added.push_back(make ? make(parameter) : zeros_like(parameter.tensor));
    if (added.back().defined()) state_.emplace_back(what + "/" + parameter.name, added.back());
  }
  return added;
}

void check_fraction(const char* optimizer, const char* name, double value) {
  check<ValueError>(value >= 0 && value < 1, "{}: {} must be in [0, 1), got {}", optimizer, name, value);
}

void check_positive(const char* optimizer, const char* name, double value) {
  check<ValueError>(value > 0, "{}: {} must be positive, got {}", optimizer, name, value);
}

}  // namespace gradus::optim
