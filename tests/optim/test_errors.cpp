// What optimizers refuse, and how they say it.
#include <cmath>

#include "core/composites/composites.h"
#include "core/inspect/compare.h"
#include "optim/optim.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

using Named = std::vector<NamedTensor>;

Tensor parameter_of_ones(DType dtype = DType::f32) { return ones({2, 3}, dtype).set_requires_grad(); }

void build(const Named& named, double weight_decay = 0, const optim::AdamWOptions& options = {}) {
  optim::AdamW optimizer({{named, weight_decay}}, options);
}

}  // namespace

TEST_CASE("AdamW: options out of range") {
  const Named named{{"w", parameter_of_ones()}};
  CHECK_THROWS_WITH_AS(build(named, 0, {.beta1 = 1}), "AdamW: beta1 must be in [0, 1), got 1", ValueError);
  CHECK_THROWS_WITH_AS(build(named, 0, {.beta2 = -0.1}), "AdamW: beta2 must be in [0, 1), got -0.1", ValueError);
  CHECK_THROWS_WITH_AS(build(named, 0, {.beta2 = std::nan("")}), "AdamW: beta2 must be in [0, 1), got nan", ValueError);
  CHECK_THROWS_WITH_AS(build(named, 0, {.eps = 0}), "AdamW: eps must be finite and positive, got 0", ValueError);
  CHECK_THROWS_WITH_AS(build(named, -0.1), "AdamW: the weight decay must be finite and not negative, got -0.1", ValueError);
}

TEST_CASE("Optimizer: parameters that are none, missing, or given twice") {
  CHECK_THROWS_WITH_AS(optim::AdamW({}), "AdamW: no parameters to optimize", ValueError);
  CHECK_THROWS_WITH_AS(build({}), "AdamW: no parameters to optimize", ValueError);
  const Tensor w = parameter_of_ones();
  CHECK_THROWS_WITH_AS(build({{"w", w}, {"tied", w}}), "AdamW: tied is given twice, first as w", ValueError);
  CHECK_THROWS_WITH_AS(optim::AdamW({{{{"w", w}}, 0.1}, {{{"again", w}}, 0}}), "AdamW: again is given twice, first as w", ValueError);
  const char* message = "AdamW: x is not a parameter: it must be a leaf that requires a gradient";
  CHECK_THROWS_WITH_AS(build({{"x", ones({2})}}), message, GraphError);
  CHECK_THROWS_WITH_AS(build({{"x", w * 2}}), message, GraphError);
  CHECK_THROWS_WITH_AS(build({{"x", Tensor()}}), message, GraphError);
}

TEST_CASE("AdamW: f16 parameters are refused when it is built, not in the middle of a step") {
  CHECK_THROWS_WITH_AS(build({{"w", parameter_of_ones()}, {"half", parameter_of_ones(DType::f16)}}),
                       "AdamW: half is f16, too coarse to be changed by small steps; use f32 or f64", DTypeError);
}

TEST_CASE("Optimizer: a learning rate that is negative or no number changes nothing") {
  Tensor w = parameter_of_ones();
  optim::AdamW optimizer({{{{"w", w}}, 0.1}});
  w.set_grad(ones_like(w));
  CHECK_THROWS_WITH_AS(optimizer.step(-1e-3), "AdamW: the learning rate must be finite and not negative, got -0.001", ValueError);
  CHECK_THROWS_WITH_AS(optimizer.step(std::nan("")), "AdamW: the learning rate must be finite and not negative, got nan", ValueError);
  CHECK(optimizer.steps() == 0);
  CHECK(equal(w, ones({2, 3})));
}

TEST_CASE("Optimizer: a parameter that its model has replaced since then changes nothing") {
  for (const auto& variant : optim::optimizers().variants) {
    CAPTURE(variant.name);
    Tensor kept = parameter_of_ones(), w = parameter_of_ones();
    const auto optimizer = variant.value({{{{"kept", kept}, {"w", w}}, 0.1}});
    w.set_requires_grad(false);
    kept.set_grad(ones_like(kept));
    CHECK_THROWS_WITH_AS(optimizer->step(0.1),
                         doctest::Contains(": w requires no gradient any more: it was frozen, or model.to() or extend() put another "
                                           "tensor in its place; build the optimizer again"),
                         GraphError);
    CHECK(optimizer->steps() == 0);
    CHECK(equal(kept, ones({2, 3})));
  }
}

TEST_CASE("optim: a gradient that is NaN shows in its parameter") {
  for (const auto& variant : optim::optimizers().variants) {
    CAPTURE(variant.name);
    const Tensor w = parameter_of_ones();
    const auto optimizer = variant.value({{{{"w", w}}, 0.1}});
    w.set_grad(tensor({{1, 1, 1}, {1, std::nan(""), 1}}));
    optimizer->step(0.1);
    CHECK(std::isnan(w.at({1, 1})));
  }
}

TEST_CASE("Optimizers: options out of range") {
  const auto groups = [] { return optim::ParameterGroups{{{{"w", parameter_of_ones()}}, 0}}; };
  const auto refused = [](const auto& make, const char* message) { CHECK_THROWS_WITH_AS(make(), message, ValueError); };
  refused([&] { optim::Momentum(groups(), {.momentum = 1}); }, "Momentum: momentum must be in [0, 1), got 1");
  refused([&] { optim::Momentum(groups(), {.dampening = -0.1}); }, "Momentum: dampening must be in [0, 1), got -0.1");
  refused([&] { optim::Nesterov(groups(), {.momentum = -1}); }, "Nesterov: momentum must be in [0, 1), got -1");
  refused([&] { optim::RMSprop(groups(), {.alpha = 1}); }, "RMSprop: alpha must be in [0, 1), got 1");
  refused([&] { optim::RMSprop(groups(), {.eps = 0}); }, "RMSprop: eps must be finite and positive, got 0");
  refused([&] { optim::Adagrad(groups(), {.eps = -1}); }, "Adagrad: eps must be finite and positive, got -1");
  refused([&] { optim::Adam(groups(), {.beta1 = 1}); }, "Adam: beta1 must be in [0, 1), got 1");
  refused([&] { optim::Lion(groups(), {.beta2 = 1}); }, "Lion: beta2 must be in [0, 1), got 1");
  refused([&] { optim::Adafactor(groups(), {.clip = 0}); }, "Adafactor: clip must be positive, got 0");
  refused([&] { optim::Adafactor(groups(), {.eps2 = std::nan("")}); }, "Adafactor: eps2 must be finite and positive, got nan");
  refused([&] { optim::Muon(groups(), {.momentum = 1}); }, "Muon: momentum must be in [0, 1), got 1");
  refused([&] { optim::Muon(groups(), {.iterations = 0}); }, "Muon: iterations must be positive, got 0");
  refused([&] { optim::Muon(groups(), {.eps = 0}); }, "Muon: eps must be finite and positive, got 0");
  refused([&] { optim::NAdam(groups(), {.beta1 = 1}); }, "NAdam: beta1 must be in [0, 1), got 1");
  refused([&] { optim::NAdam(groups(), {.momentum_decay = 0}); }, "NAdam: momentum_decay must be finite and positive, got 0");
  refused([&] { optim::RAdam(groups(), {.eps = 0}); }, "RAdam: eps must be finite and positive, got 0");
  refused([&] { optim::RAdam(groups(), {.threshold = 3.9}); }, "RAdam: threshold must be at least 4, got 3.9");
  refused([&] { optim::Adamax(groups(), {.beta2 = 1}); }, "Adamax: beta2 must be in [0, 1), got 1");
  refused([&] { optim::Adadelta(groups(), {.rho = 1}); }, "Adadelta: rho must be in [0, 1), got 1");
  refused([&] { optim::Adadelta(groups(), {.eps = 0}); }, "Adadelta: eps must be finite and positive, got 0");
  refused([&] { optim::LAMB(groups(), {.beta1 = -1}); }, "LAMB: beta1 must be in [0, 1), got -1");
  refused([&] { optim::SGD({{.parameters = {{"w", parameter_of_ones()}}, .lr_scale = -1}}); },
          "SGD: a group's lr_scale must be finite and not negative, got -1");
  refused([&] { optim::SGD(groups(), {.lr = -0.1}); }, "SGD: the learning rate must be finite and not negative, got -0.1");
  refused([&] { optim::SGD(groups(), {.lr = std::nan("")}); }, "SGD: the learning rate must be finite and not negative, got nan");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  refused([&] { optim::SGD({{.parameters = {{"w", parameter_of_ones()}}, .lr_scale = infinity}}); },
          "SGD: a group's lr_scale must be finite and not negative, got inf");
  refused([&] { optim::SGD(groups(), {.weight_decay = infinity}); }, "SGD: the weight decay must be finite and not negative, got inf");
  refused([&] { optim::SGD(groups(), {.weight_decay = -1}); }, "SGD: the weight decay must be finite and not negative, got -1");
}
