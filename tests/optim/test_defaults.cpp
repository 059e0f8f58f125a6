// What the options of every optimizer are where nothing is said.
#include "core/inspect/compare.h"
#include "optim/optim.h"
#include "tests/optim/make.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("optim: the defaults, each of them; step() has the options' rate") {
  const std::map<std::string_view, std::pair<double, Make>> spelled_out{
      {"sgd", {1e-2, with<optim::SGD>(optim::SGDOptions{.lr = 1, .weight_decay = 0})}},
      {"momentum", {1e-2, with<optim::Momentum>(optim::MomentumOptions{.lr = 1, .momentum = 0.9, .dampening = 0, .weight_decay = 0})}},
      {"nesterov", {1e-2, with<optim::Nesterov>(optim::NesterovOptions{.lr = 1, .momentum = 0.9, .weight_decay = 0})}},
      {"rmsprop",
       {1e-2, with<optim::RMSprop>(optim::RMSpropOptions{.lr = 1, .alpha = 0.99, .eps = 1e-8, .momentum = 0, .weight_decay = 0})}},
      {"adagrad", {1e-2, with<optim::Adagrad>(optim::AdagradOptions{.lr = 1, .eps = 1e-10, .weight_decay = 0})}},
      {"adadelta", {1, with<optim::Adadelta>(optim::AdadeltaOptions{.lr = 2, .rho = 0.9, .eps = 1e-6, .weight_decay = 0})}},
      {"adam",
       {1e-3,
        with<optim::Adam>(optim::AdamOptions{.lr = 1, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-8, .weight_decay = 0, .amsgrad = false})}},
      {"adamw",
       {1e-3, with<optim::AdamW>(
                  optim::AdamWOptions{.lr = 1, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-8, .weight_decay = 0.01, .amsgrad = false})}},
      {"adamax", {2e-3, with<optim::Adamax>(optim::AdamaxOptions{.lr = 1, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-8, .weight_decay = 0})}},
      {"nadam",
       {2e-3, with<optim::NAdam>(
                  optim::NAdamOptions{.lr = 1, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-8, .momentum_decay = 4e-3, .weight_decay = 0})}},
      {"radam",
       {1e-3,
        with<optim::RAdam>(optim::RAdamOptions{.lr = 1, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-8, .threshold = 5, .weight_decay = 0})}},
      {"lamb", {1e-3, with<optim::LAMB>(optim::LAMBOptions{.lr = 1, .beta1 = 0.9, .beta2 = 0.999, .eps = 1e-6, .weight_decay = 0.01})}},
      {"lion", {1e-4, with<optim::Lion>(optim::LionOptions{.lr = 1, .beta1 = 0.9, .beta2 = 0.99, .weight_decay = 0})}},
      {"adafactor",
       {1e-2, with<optim::Adafactor>(
                  optim::AdafactorOptions{.lr = 1, .memory_exponent = 0.8, .eps1 = 1e-30, .eps2 = 1e-3, .clip = 1, .weight_decay = 0})}},
      {"muon",
       {1e-3, with<optim::Muon>(optim::MuonOptions{
                  .lr = 1, .momentum = 0.95, .iterations = 5, .beta1 = 0.9, .beta2 = 0.95, .eps = 1e-8, .weight_decay = 0.1})}},
  };
  for (const auto& variant : optim::optimizers().variants) {
    CAPTURE(variant.name);
    const auto found = spelled_out.find(variant.name);
    CHECK_MESSAGE(found != spelled_out.end(), variant.name, " is new here: spell its defaults out above, in `spelled_out`");
    if (found == spelled_out.end()) continue;
    const auto& [lr, make] = found->second;
    const Tensor w = tensor({{1, -2}}, DType::f64), b = tensor({1}, DType::f64);
    const NamedTensors here{{"w", parameter(w)}, {"b", parameter(b)}};
    const NamedTensors there{{"w", parameter(w)}, {"b", parameter(b)}};
    const OptimizerPtr defaults = variant.value(here), other = make(there);
    for (const double size : {1.0, 1e-6, 0.5, 1e-6, 0.25, 2.0, 1.0}) {
      for (std::size_t i = 0; i < here.size(); ++i) {
        for (const Tensor& p : {here[i].tensor, there[i].tensor}) p.set_grad(full_like(p, size));
      }
      defaults->step();
      other->step(lr);
    }
    for (std::size_t i = 0; i < here.size(); ++i) {
      CHECK(equal(here[i].tensor, there[i].tensor));
      CHECK_FALSE(equal(here[i].tensor, i == 0 ? w : b));
    }
  }
}
