// Options of each optimizer that are out of range, and constants that it does not have.
#include "optim/optim.h"
#include "tests/support/bad_input.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

optim::ParameterGroups groups() { return {{{{"w", ones({2, 3}).set_requires_grad()}}}}; }

// An optimizer whose `field` is each of these numbers, of which the error says what they must be.
template <typename T, typename O>
BadCalls numbers(const std::string& who, double O::*field, const std::string& must_be, const std::vector<double>& bad) {
  return bad_values(who, bad, who + ": " + must_be + ", got ", [field](double value) {
    T made(groups(), changed(O(), [=](O& options) { options.*field = value; }));
  });
}

template <typename T, typename O> BadCalls fraction(const std::string& who, double O::*field, const std::string& name) {
  return numbers<T>(who, field, name + " must be in [0, 1)", {1, -0.5, 2.5, kNaN, kInfinity});
}

template <typename T, typename O> BadCalls positive(const std::string& who, double O::*field, const std::string& name) {
  return numbers<T>(who, field, name + " must be finite and positive", {0, -1, kNaN, -kInfinity, kInfinity});
}

// The parameter, w, is f32.
template <typename T, typename O> BadCalls epsilon(const std::string& who, double O::*field, const std::string& name) {
  return joined({positive<T>(who, field, name),
                 numbers<T>(who, field, name + " must be at least 1.18e-38 for the f32 parameter w", {1e-46, 1e-38, 5e-324})});
}

// The rate and the decay, which all have.
template <typename T, typename O> BadCalls rates(const std::string& who, double O::*lr, double O::*decay) {
  return joined({numbers<T>(who, lr, "the learning rate must be finite and not negative", {-1, kNaN, kInfinity}),
                 numbers<T>(who, decay, "the weight decay must be finite and not negative", {-1, kNaN, kInfinity})});
}

template <typename T, typename O> BadCalls adams(const std::string& who) {
  return joined({rates<T>(who, &O::lr, &O::weight_decay), fraction<T>(who, &O::beta1, "beta1"),
                 fraction<T>(who, &O::beta2, "beta2"), epsilon<T>(who, &O::eps, "eps")});
}

using namespace optim;

BadCalls of_all() {
  return joined({
      rates<SGD>("SGD", &SGDOptions::lr, &SGDOptions::weight_decay),
      rates<Momentum>("Momentum", &MomentumOptions::lr, &MomentumOptions::weight_decay),
      fraction<Momentum>("Momentum", &MomentumOptions::momentum, "momentum"),
      fraction<Momentum>("Momentum", &MomentumOptions::dampening, "dampening"),
      rates<Nesterov>("Nesterov", &NesterovOptions::lr, &NesterovOptions::weight_decay),
      fraction<Nesterov>("Nesterov", &NesterovOptions::momentum, "momentum"),
      rates<RMSprop>("RMSprop", &RMSpropOptions::lr, &RMSpropOptions::weight_decay),
      fraction<RMSprop>("RMSprop", &RMSpropOptions::alpha, "alpha"),
      fraction<RMSprop>("RMSprop", &RMSpropOptions::momentum, "momentum"),
      epsilon<RMSprop>("RMSprop", &RMSpropOptions::eps, "eps"),
      rates<Adagrad>("Adagrad", &AdagradOptions::lr, &AdagradOptions::weight_decay),
      epsilon<Adagrad>("Adagrad", &AdagradOptions::eps, "eps"),
      rates<Adadelta>("Adadelta", &AdadeltaOptions::lr, &AdadeltaOptions::weight_decay),
      fraction<Adadelta>("Adadelta", &AdadeltaOptions::rho, "rho"),
      epsilon<Adadelta>("Adadelta", &AdadeltaOptions::eps, "eps"),
      adams<Adam, AdamOptions>("Adam"),
      adams<AdamW, AdamWOptions>("AdamW"),
      adams<Adamax, AdamaxOptions>("Adamax"),
      adams<NAdam, NAdamOptions>("NAdam"),
      positive<NAdam>("NAdam", &NAdamOptions::momentum_decay, "momentum_decay"),
      adams<RAdam, RAdamOptions>("RAdam"),
      numbers<RAdam>("RAdam", &RAdamOptions::threshold, "threshold must be at least 4", {3.9, kNaN}),
      adams<LAMB, LAMBOptions>("LAMB"),
      rates<Lion>("Lion", &LionOptions::lr, &LionOptions::weight_decay),
      fraction<Lion>("Lion", &LionOptions::beta1, "beta1"),
      fraction<Lion>("Lion", &LionOptions::beta2, "beta2"),
      rates<Adafactor>("Adafactor", &AdafactorOptions::lr, &AdafactorOptions::weight_decay),
      positive<Adafactor>("Adafactor", &AdafactorOptions::memory_exponent, "memory_exponent"),
      epsilon<Adafactor>("Adafactor", &AdafactorOptions::eps1, "eps1"),
      positive<Adafactor>("Adafactor", &AdafactorOptions::eps2, "eps2"),
      numbers<Adafactor>("Adafactor", &AdafactorOptions::clip, "clip must be positive", {0, kNaN}),
      adams<Muon, MuonOptions>("Muon"),
      fraction<Muon>("Muon", &MuonOptions::momentum, "momentum"),
      {REFUSED(value, Muon(groups(), {.iterations = 0}), "Muon: iterations must be positive, got 0"),
       REFUSED(value, Muon(groups(), {.iterations = -3}), "Muon: iterations must be positive, got -3"),
       REFUSED(value, Muon(groups(), {.iterations = 101}), "Muon: iterations must be at most 100, got 101"),
       REFUSED(value, Muon(groups(), {.iterations = INT64_MAX}), "Muon: iterations must be at most 100")},
  });
}

// By the table: a constant that the optimizer does not have, and one of its own that is out of range.
BadCalls of_constants() {
  BadCalls rows;
  const auto row = [&](const char* name, const OptimizerConstants& constants, const std::string& text) {
    rows += REFUSED(value, optimizers().find(name).value(groups(), constants), text);
  };
  for (const char* without : {"sgd", "momentum", "nesterov", "rmsprop", "adagrad", "adadelta", "adafactor"}) {
    row(without, {.beta1 = 0.9}, "the optimizer has no beta1");
    row(without, {.beta2 = 0.9}, "the optimizer has no beta2");
    row(without, {.amsgrad = true}, "the optimizer has no amsgrad");
  }
  for (const char* without : {"sgd", "momentum", "nesterov", "lion", "adafactor"}) row(without, {.eps = 1e-8}, "the optimizer has no eps");
  for (const char* without : {"sgd", "adam", "adamw", "lion", "lamb"}) row(without, {.momentum = 0.9}, "the optimizer has no momentum");
  row("adam", {.beta1 = kNaN}, "Adam: beta1 must be in [0, 1), got nan");
  row("muon", {.momentum = 1}, "Muon: momentum must be in [0, 1), got 1");
  row("lion", {.beta2 = -1}, "Lion: beta2 must be in [0, 1), got -1");
  rows += REFUSED(value, MakeOptimizer made(nullptr), "MakeOptimizer: the function is nullptr");
  for (const char* unknown : {"", "adm", "ADAM W", "../adam"}) {
    rows += REFUSED(value, optimizers().find(unknown), fmt::format("unknown optimizer '{}'; did you mean '", unknown));
  }
  return rows;
}

}  // namespace

TEST_CASE("an ε that f32 cannot hold is taken where all parameters are f64") {
  const ParameterGroups wide{{{{"w", ones({2}, DType::f64).set_requires_grad()}}}};
  CHECK_NOTHROW(Adam(wide, {.eps = 1e-300}));
  CHECK_NOTHROW(Adafactor(wide, {.eps1 = 1e-300}));
}

TEST_CASE("options of optimizers that are negative, too large or no numbers are refused where they are given") {
  const BadCalls rows = joined({of_all(), of_constants()});
  check_bad_calls(rows);
  MESSAGE(rows.size(), " bad options of optimizers");
}

TEST_CASE("Adafactor: no limit of an update's length is a clip of ∞") {
  const Tensor w = ones({2, 3}).set_requires_grad();
  Adafactor optimizer({{{{"w", w}}}}, {.clip = kInfinity});
  w.set_grad(ones({2, 3}));
  optimizer.step(0.5);
  CHECK(difference(w, full({2, 3}, 0.5), 1e-6) == "");
}
