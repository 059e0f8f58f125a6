#include "optim/optimizer_table.h"

namespace gradus::optim {
namespace {

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

}  // namespace

const Table<MakeOptimizer>& optimizers() {
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
      },
  };
  return family;
}

}  // namespace gradus::optim
