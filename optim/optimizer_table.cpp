#include "optim/optimizer_table.h"

#include "optim/optim.h"

namespace gradus::optim {
namespace {

template <typename T> std::unique_ptr<Optimizer> make(ParameterGroups parameters) {
  return std::make_unique<T>(std::move(parameters));
}

}  // namespace

const Table<MakeOptimizer>& optimizers() {
  static const Table<MakeOptimizer> family{"optimizer",
                                           {
                                               {"sgd", "optim-sgd", make<SGD>},
                                               {"momentum", "optim-momentum", make<Momentum>},
                                               {"nesterov", "optim-nesterov", make<Nesterov>},
                                               {"rmsprop", "optim-rmsprop", make<RMSprop>},
                                               {"adagrad", "optim-adagrad", make<Adagrad>},
                                               {"adam", "optim-adam", make<Adam>},
                                               {"adamw", "optim-adamw", make<AdamW>},
                                               {"lion", "optim-lion", make<Lion>},
                                               {"adafactor", "optim-adafactor", make<Adafactor>},
                                               {"muon", "optim-muon", make<Muon>},
                                           }};
  return family;
}

}  // namespace gradus::optim
