// The family of optimizers.
#pragma once

#include <functional>
#include <memory>

#include "core/table.h"
#include "optim/optimizer.h"

namespace gradus::optim {

// An optimizer with its default options over some parameters.
using MakeOptimizer = std::function<std::unique_ptr<Optimizer>(ParameterGroups parameters)>;
const Table<MakeOptimizer>& optimizers();

}  // namespace gradus::optim
