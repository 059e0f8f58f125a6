#include "optim/optimizer_table.h"

#include "optim/adafactor.h"
#include "optim/adagrad.h"
#include "optim/adamw.h"
#include "optim/lion.h"
#include "optim/momentum.h"
#include "optim/muon.h"
#include "optim/nesterov.h"
#include "optim/rmsprop.h"
#include "optim/sgd.h"

namespace gradus::optim {
namespace {

template <typename T> std::unique_ptr<Optimizer> make(std::vector<ParameterGroup> groups) {
  return std::make_unique<T>(std::move(groups));
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
