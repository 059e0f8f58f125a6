#include "optim/sgd.h"

#include "core/composites/composites.h"

namespace gradus::optim {

SGD::SGD(ParameterGroups parameters, SGDOptions options) : Optimizer("SGD", std::move(parameters), options.lr, options.weight_decay) {}

// #region optim-sgd
void SGD::update(std::size_t, Tensor& parameter, double lr, double weight_decay) {
  const Tensor g = parameter.grad() + weight_decay * parameter;
  parameter.assign(parameter - lr * g);
}
// #endregion optim-sgd

}  // namespace gradus::optim
