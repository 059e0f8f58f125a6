// The family of optimizers, and all their headers. Its rows are in optimizer_table.cpp.
#pragma once

#include <optional>
#include <type_traits>

#include "core/options/table.h"
#include "optim/adadelta.h"
#include "optim/adafactor.h"
#include "optim/adagrad.h"
#include "optim/adam.h"
#include "optim/adamax.h"
#include "optim/lamb.h"
#include "optim/lion.h"
#include "optim/momentum.h"
#include "optim/muon.h"
#include "optim/nadam.h"
#include "optim/nesterov.h"
#include "optim/radam.h"
#include "optim/rmsprop.h"
#include "optim/sgd.h"

namespace gradus::optim {

// Constants that several optimizers have; one that is not given keeps the optimizer's default.
struct OptimizerConstants {
  std::optional<double> beta1 = {}, beta2 = {}, eps = {}, momentum = {};
  std::optional<bool> amsgrad = {};
};

// Makes an optimizer. ValueError for a constant that it does not have, and for a null function.
struct MakeOptimizer {
  using Make = std::unique_ptr<Optimizer> (*)(ParameterGroups parameters, const OptimizerConstants& constants);
  MakeOptimizer(Make its_make) : make(its_make) { check<ValueError>(make != nullptr, "MakeOptimizer: the function is nullptr"); }
  std::unique_ptr<Optimizer> operator()(ParameterGroups parameters, const OptimizerConstants& constants = {}) const {
    return make(std::move(parameters), constants);
  }
  Make make;
};

// All optimizers by name.
const Table<MakeOptimizer>& optimizers();

}  // namespace gradus::optim
