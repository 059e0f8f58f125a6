// The family of optimizers.
#pragma once

#include <functional>
#include <memory>

#include "core/family.h"
#include "optim/optimizer.h"

namespace gradus::optim {

using MakeOptimizer = std::function<std::unique_ptr<Optimizer>(std::vector<ParameterGroup>)>;
const Family<MakeOptimizer>& optimizers();

}  // namespace gradus::optim
