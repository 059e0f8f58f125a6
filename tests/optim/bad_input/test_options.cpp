// Options of each optimizer that are out of range, and constants that it does not have.
#include <limits>

#include "optim/optim.h"
#include "tests/support/bad_input.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();

optim::ParameterGroups groups() { return {{{{"w", ones({2, 3}).set_requires_grad()}}}}; }

// An optimizer whose `field` is each of the numbers outside of what it may be.
template <typename T, typename Options>
BadCalls of_field(const std::string& who, double Options::*field, const char* name, const std::vector<std::pair<double, const char*>>& bad) {
  BadCalls rows;
  for (const auto& [value, text] : bad) {
    Options options;
    options.*field = value;
    rows.push_back({fmt::format("{}, {} {}", who, name, value), [=] { T made(groups(), options); }, Raises::value, text});
  }
  return rows;
}

template <typename T, typename Options> BadCalls fraction(const std::string& who, double Options::*field, const std::string& name) {
  const std::string begin = who + ": " + name + " must be in [0, 1), got ";
  BadCalls rows;
  for (const auto& [value, got] : {std::pair{1.0, "1"}, {-0.5, "-0.5"}, {2.5, "2.5"}, {kNaN, "nan"}, {kInfinity, "inf"}}) {
    const BadCalls one = of_field<T>(who, field, name.c_str(), {{value, (begin + got).c_str()}});
    rows.insert(rows.end(), one.begin(), one.end());
  }
  return rows;
}

template <typename T, typename Options> BadCalls positive(const std::string& who, double Options::*field, const std::string& name) {
  const std::string begin = who + ": " + name + " must be finite and positive, got ";
  BadCalls rows;
  for (const auto& [value, rest] : {std::pair{0.0, "0"}, {-1.0, "-1"}, {kNaN, "nan"}, {-kInfinity, "-inf"}, {kInfinity, "inf"}}) {
    const BadCalls one = of_field<T>(who, field, name.c_str(), {{value, (begin + rest).c_str()}});
    rows.insert(rows.end(), one.begin(), one.end());
  }
  return rows;
}

// The parameter, w, is f32.
template <typename T, typename Options> BadCalls epsilon(const std::string& who, double Options::*field, const std::string& name) {
  BadCalls rows = positive<T>(who, field, name);
  for (const auto& [value, got] : {std::pair{1e-46, "1e-46"}, {1e-38, "1e-38"}, {5e-324, "5e-324"}}) {
    const std::string text = fmt::format("{}: {} must be at least 1.18e-38 for the f32 parameter w, got {}", who, name, got);
    const BadCalls one = of_field<T>(who, field, name.c_str(), {{value, text.c_str()}});
    rows.insert(rows.end(), one.begin(), one.end());
  }
  return rows;
}

// The rate and the decay, which all have.
template <typename T, typename Options> BadCalls rates(const std::string& who, double Options::*lr, double Options::*decay) {
  BadCalls rows;
  for (const auto& [value, got] : {std::pair{-1.0, "-1"}, {kNaN, "nan"}, {kInfinity, "inf"}}) {
    const auto text = [&, got = got](const char* what) {
      return fmt::format("{}: {} must be finite and not negative, got {}", who, what, got);
    };
    const BadCalls both = joined({of_field<T>(who, lr, "lr", {{value, text("the learning rate").c_str()}}),
                                  of_field<T>(who, decay, "weight_decay", {{value, text("the weight decay").c_str()}})});
    rows.insert(rows.end(), both.begin(), both.end());
  }
  return rows;
}

template <typename T, typename O> BadCalls adams(const std::string& who) {
  return joined({rates<T>(who, &O::lr, &O::weight_decay), fraction<T>(who, &O::beta1, "beta1"),
                 fraction<T>(who, &O::beta2, "beta2"), epsilon<T>(who, &O::eps, "eps")});
}

using namespace optim;

BadCalls of_all() {
  const auto muon = [](int64_t iterations) {
    return [=] { Muon made(groups(), {.iterations = iterations}); };
  };
  return joined({
      rates<SGD>("SGD", &SGDOptions::lr, &SGDOptions::weight_decay),
      rates<Momentum>("Momentum", &MomentumOptions::lr, &MomentumOptions::weight_decay),
      fraction<Momentum>("Momentum", &MomentumOptions::momentum, "momentum"),
      fraction<Momentum>("Momentum", &MomentumOptions::dampening, "dampening"),
      rates<Nesterov>("Nesterov", &NesterovOptions::lr, &NesterovOptions::weight_decay),
      fraction<Nesterov>("Nesterov", &NesterovOptions::momentum, "momentum"),
      rates<RMSprop>("RMSprop", &RMSpropOptions::lr, &RMSpropOptions::weight_decay),
      fraction<RMSprop>("RMSprop", &RMSpropOptions::alpha, "alpha"),
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
      of_field<RAdam>("RAdam", &RAdamOptions::threshold, "threshold",
                      {{3.9, "RAdam: threshold must be at least 4, got 3.9"}, {kNaN, "RAdam: threshold must be at least 4, got nan"}}),
      adams<LAMB, LAMBOptions>("LAMB"),
      rates<Lion>("Lion", &LionOptions::lr, &LionOptions::weight_decay),
      fraction<Lion>("Lion", &LionOptions::beta1, "beta1"),
      fraction<Lion>("Lion", &LionOptions::beta2, "beta2"),
      rates<Adafactor>("Adafactor", &AdafactorOptions::lr, &AdafactorOptions::weight_decay),
      positive<Adafactor>("Adafactor", &AdafactorOptions::memory_exponent, "memory_exponent"),
      epsilon<Adafactor>("Adafactor", &AdafactorOptions::eps1, "eps1"),
      positive<Adafactor>("Adafactor", &AdafactorOptions::eps2, "eps2"),
      of_field<Adafactor>("Adafactor", &AdafactorOptions::clip, "clip",
                          {{0, "Adafactor: clip must be positive, got 0"}, {kNaN, "Adafactor: clip must be positive, got nan"}}),
      adams<Muon, MuonOptions>("Muon"),
      fraction<Muon>("Muon", &MuonOptions::momentum, "momentum"),
      {{"Muon, iterations 0", muon(0), Raises::value, "Muon: iterations must be positive, got 0"},
       {"Muon, iterations -3", muon(-3), Raises::value, "Muon: iterations must be positive, got -3"},
       {"Muon, iterations 101", muon(101), Raises::value, "Muon: iterations must be at most 100, got 101"},
       {"Muon, iterations INT64_MAX", muon(INT64_MAX), Raises::value, "Muon: iterations must be at most 100"}},
  });
}

// By the table: a constant that the optimizer does not have, and one of its own that is out of range.
BadCalls of_constants() {
  BadCalls rows;
  const auto row = [&](const char* name, const OptimizerConstants& constants, const std::string& text) {
    const MakeOptimizer& make = optimizers().find(name).value;
    rows.push_back({fmt::format("{} by the table", name), [=] { make(groups(), constants); }, Raises::value, text});
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
  rows.push_back(REFUSED(value, MakeOptimizer made(nullptr), "MakeOptimizer: the function is nullptr"));
  for (const char* unknown : {"", "adm", "ADAM W", "../adam"}) {
    rows.push_back({fmt::format("optimizers().find(\"{}\")", unknown), [=] { optimizers().find(unknown); }, Raises::value,
                    fmt::format("unknown optimizer '{}'; did you mean '", unknown)});
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
