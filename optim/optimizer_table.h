// The family of optimizers.
#pragma once

#include <functional>
#include <memory>

#include "core/table.h"
#include "optim/optimizer.h"

namespace gradus::optim {

using MakeOptimizer = std::function<std::unique_ptr<Optimizer>(std::vector<ParameterGroup>)>;
const Table<MakeOptimizer>& optimizers();

}  // namespace gradus::optim
