// Options of each optimizer that are out of range, and constants that it does not have.
#include "optim/optim.h"
#include "tests/support/bad_input.h"

using namespace gradus;
using namespace gradus::optim;
using namespace gradus::test;

namespace {

const Refused kRate{"finite and not negative", {-1, kNaN, kInfinity}};
const Refused kFraction{"in [0, 1)", {1, -0.5, 2.5, kNaN, kInfinity}};
const Refused kPositive{"finite and positive", {0, -1, kNaN, -kInfinity, kInfinity}};
const Refused kEpsilon{"at least 1.18e-38 for the f32 parameter w", {1e-46, 1e-38, 5e-324}};

ParameterGroups groups() { return {{{{"w", ones({2, 3}).set_requires_grad()}}}}; }

// An optimizer whose `field` is each of the refused numbers.
template <typename T, typename O>
BadCalls numbers(const std::string& who, double O::* field, const std::string& name, const Refused& refused) {
  return REFUSED_EACH(T(groups(), changed(O(), [=](O& o) { o.*field = bad; })), who + ": " + name, refused);
}

// All of its options that several optimizers have.
template <typename T, typename O> BadCalls usual(const std::string& who) {
  BadCalls rows{numbers<T>(who, &O::lr, "the learning rate", kRate), numbers<T>(who, &O::weight_decay, "the weight decay", kRate)};
#define IF_ANY(field, refused) \
  if constexpr (requires(O o) { o.field; }) rows += numbers<T>(who, &O::field, #field, refused)
  IF_ANY(beta1, kFraction);
  IF_ANY(beta2, kFraction);
  IF_ANY(momentum, kFraction);
  IF_ANY(dampening, kFraction);
  IF_ANY(alpha, kFraction);
  IF_ANY(rho, kFraction);
  IF_ANY(momentum_decay, kPositive);
  IF_ANY(memory_exponent, kPositive);
  IF_ANY(eps, kPositive);
  IF_ANY(eps, kEpsilon);
  IF_ANY(eps1, kPositive);
  IF_ANY(eps1, kEpsilon);
  IF_ANY(eps2, kPositive);
#undef IF_ANY
  return rows;
}

BadCalls of_all() {
  return {
      usual<SGD, SGDOptions>("SGD"),
      usual<Momentum, MomentumOptions>("Momentum"),
      usual<Nesterov, NesterovOptions>("Nesterov"),
      usual<RMSprop, RMSpropOptions>("RMSprop"),
      usual<Adagrad, AdagradOptions>("Adagrad"),
      usual<Adadelta, AdadeltaOptions>("Adadelta"),
      usual<Adam, AdamOptions>("Adam"),
      usual<AdamW, AdamWOptions>("AdamW"),
      usual<Adamax, AdamaxOptions>("Adamax"),
      usual<NAdam, NAdamOptions>("NAdam"),
      usual<RAdam, RAdamOptions>("RAdam"),
      usual<LAMB, LAMBOptions>("LAMB"),
      usual<Lion, LionOptions>("Lion"),
      usual<Adafactor, AdafactorOptions>("Adafactor"),
      usual<Muon, MuonOptions>("Muon"),
      REFUSED_EACH(RAdam(groups(), {.threshold = bad}), "RAdam: threshold must be at least 4", 3.9, kNaN),
      REFUSED_EACH(Adafactor(groups(), {.clip = bad}), "Adafactor: clip must be positive", 0, kNaN),
      REFUSED_EACH(Muon(groups(), {.iterations = bad}), "Muon: iterations must be positive", 0, -3),
      REFUSED_EACH(Muon(groups(), {.iterations = bad}), "Muon: iterations must be at most 100", 101, INT64_MAX),
  };
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
  const BadCalls rows{of_all(), of_constants()};
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
