// The family of optimizers: a row for each, and all their headers.
#pragma once

#include <optional>
#include <type_traits>

#include "core/table.h"
#include "optim/adadelta.h"
#include "optim/adafactor.h"
#include "optim/adagrad.h"
#include "optim/adam.h"
#include "optim/adamax.h"
#include "optim/adamw.h"
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

// Constants that several optimizers have. One that is not given stays at the optimizer's own default.
struct OptimizerConstants {
  std::optional<double> beta1 = {}, beta2 = {}, eps = {}, momentum = {};
  std::optional<bool> amsgrad = {};
};

// Makes an optimizer over some parameters. ValueError for a constant that it does not have. `its_make` is a function, not
// null (ValueError).
struct MakeOptimizer {
  using Make = std::unique_ptr<Optimizer> (*)(ParameterGroups parameters, const OptimizerConstants& constants);
  MakeOptimizer(Make its_make) : make(its_make) {
    check<ValueError>(make != nullptr, "MakeOptimizer: the function is nullptr");
  }
  std::unique_ptr<Optimizer> operator()(ParameterGroups parameters, const OptimizerConstants& constants = {}) const {
    return make(std::move(parameters), constants);
  }
  Make make;
};

// What the rows need.
namespace optimizer_rows {

// `field` is what the options call the constant, if they have it: field(options) is a T&, or does not compile.
template <typename T, typename Options, typename Field>
void put(const char* name, const std::optional<T>& given, Options& options, const Field& field) {
  if constexpr (std::is_invocable_v<Field, Options&>) {
    if (given) field(options) = *given;
  } else {
    check<ValueError>(!given, "the optimizer has no {}", name);
  }
}

// A T whose options are the defaults, but for the constants that are given.
template <typename T, typename Options>
std::unique_ptr<Optimizer> make(ParameterGroups parameters, const OptimizerConstants& given) {
  Options options;
  put("beta1", given.beta1, options, [](auto& o) -> decltype((o.beta1)) { return o.beta1; });
  put("beta2", given.beta2, options, [](auto& o) -> decltype((o.beta2)) { return o.beta2; });
  put("eps", given.eps, options, [](auto& o) -> decltype((o.eps)) { return o.eps; });
  put("momentum", given.momentum, options, [](auto& o) -> decltype((o.momentum)) { return o.momentum; });
  put("amsgrad", given.amsgrad, options, [](auto& o) -> decltype((o.amsgrad)) { return o.amsgrad; });
  return std::make_unique<T>(std::move(parameters), options);
}

}  // namespace optimizer_rows

// All optimizers by name.
inline const Table<MakeOptimizer>& optimizers() {
  using namespace optimizer_rows;
  static const Table<MakeOptimizer> family{
      "optimizer",
      {
          {"sgd", "optim-sgd", make<SGD, SGDOptions>},
          {"momentum", "optim-momentum", make<Momentum, MomentumOptions>},
          {"nesterov", "optim-nesterov", make<Nesterov, NesterovOptions>},
          {"rmsprop", "optim-rmsprop", make<RMSprop, RMSpropOptions>},
          {"adagrad", "optim-adagrad", make<Adagrad, AdagradOptions>},
          {"adadelta", "optim-adadelta", make<Adadelta, AdadeltaOptions>},
          {"adam", "optim-adam", make<Adam, AdamOptions>},
          {"adamw", "optim-adamw", make<AdamW, AdamWOptions>},
          {"adamax", "optim-adamax", make<Adamax, AdamaxOptions>},
          {"nadam", "optim-nadam", make<NAdam, NAdamOptions>},
          {"radam", "optim-radam", make<RAdam, RAdamOptions>},
          {"lamb", "optim-lamb", make<LAMB, LAMBOptions>},
          {"lion", "optim-lion", make<Lion, LionOptions>},
          {"adafactor", "optim-adafactor", make<Adafactor, AdafactorOptions>},
          {"muon", "optim-muon", make<Muon, MuonOptions>},
      }};
  return family;
}

}  // namespace gradus::optim
