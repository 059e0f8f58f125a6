// The family of optimizers: a row for each, and all their headers.
#pragma once

#include "core/table.h"
#include "optim/adafactor.h"
#include "optim/adagrad.h"
#include "optim/adam.h"
#include "optim/adamw.h"
#include "optim/lion.h"
#include "optim/momentum.h"
#include "optim/muon.h"
#include "optim/nesterov.h"
#include "optim/rmsprop.h"
#include "optim/sgd.h"

namespace gradus::optim {

// An optimizer with its default options over some parameters.
using MakeOptimizer = std::function<std::unique_ptr<Optimizer>(ParameterGroups parameters)>;

template <typename T> std::unique_ptr<Optimizer> make_optimizer(ParameterGroups parameters) {
  return std::make_unique<T>(std::move(parameters));
}

inline const Table<MakeOptimizer>& optimizers() {
  static const Table<MakeOptimizer> family{
      "optimizer",
      {
          {"sgd", "optim-sgd", make_optimizer<SGD>},
          {"momentum", "optim-momentum", make_optimizer<Momentum>},
          {"nesterov", "optim-nesterov", make_optimizer<Nesterov>},
          {"rmsprop", "optim-rmsprop", make_optimizer<RMSprop>},
          {"adagrad", "optim-adagrad", make_optimizer<Adagrad>},
          {"adam", "optim-adam", make_optimizer<Adam>},
          {"adamw", "optim-adamw", make_optimizer<AdamW>},
          {"lion", "optim-lion", make_optimizer<Lion>},
          {"adafactor", "optim-adafactor", make_optimizer<Adafactor>},
          {"muon", "optim-muon", make_optimizer<Muon>},
      }};
  return family;
}

}  // namespace gradus::optim
