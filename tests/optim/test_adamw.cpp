#include "optim/adam.h"

#include <cmath>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "optim/optimizer_table.h"
#include "tests/optim/make.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::test;

namespace {

struct Outcome {
  std::string problems;
  int64_t steps;
};

// PyTorch's twenty steps on a matrix that decays and a bias that does not; compared after each of them.
Outcome against_pytorch(DType dtype, double tolerance) {
  const auto row = read_fixture("optim.safetensors").tensors;
  const auto start = [&](const std::string& name) { return parameter(cast(row.at("adamw/" + name), dtype)); };
  const std::vector<NamedTensor> named{{"matrix", start("matrix")}, {"bias", start("bias")}};
  optim::AdamW optimizer(named, {.beta2 = 0.95, .weight_decay = 0.1});
  Outcome outcome;
  const std::vector<double> rates = to_vector(row.at("adamw/rates"));
  for (std::size_t step = 0; step < rates.size(); ++step) {
    const auto at_step = [&](const std::string& key) { return select(row.at("adamw/" + key), 0, static_cast<int64_t>(step)); };
    for (const auto& [name, tensor, role] : named) tensor.set_grad(cast(at_step(name + "/gradients"), dtype));
    optimizer.step(rates[step]);
    for (const auto& [name, tensor, role] : named) {
      const std::string wrong = difference(tensor, at_step(name + "/after"), tolerance);
      if (!wrong.empty()) outcome.problems += fmt::format("{} after step {}: {}\n", name, step + 1, wrong);
    }
  }
  outcome.steps = optimizer.steps();
  return outcome;
}

// Parameters, gradients that a seed decides, and an optimizer over them.
struct AdamWTraining {
  explicit AdamWTraining(int64_t size = 7)
      : weight(parameter(linspace(-1, 1, size))),
        bias(parameter(tensor({0.5, -0.5}))),
        optimizer(optim::decay_matrices({{"weight", reshaped()}, {"bias", bias}}, 0.1)) {}
  Tensor reshaped() {
    weight = parameter(reshape(weight.detach(), {1, weight.numel()}));
    return weight;
  }
  void step(std::uint64_t seed, double lr = 0.01) {
    Generator generator(seed);
    weight.set_grad(randn(weight.shape(), DType::f32, generator));
    bias.set_grad(randn({2}, DType::f32, generator));
    optimizer.step(lr);
  }
  Tensor weight, bias;
  optim::AdamW optimizer;
};

}  // namespace

TEST_CASE("optim-adamw, optim-weight-decay: twenty steps equal PyTorch's, with two groups") {
  const Outcome f64 = against_pytorch(DType::f64, 1e-14);
  CHECK(f64.problems == "");
  CHECK(f64.steps == 20);
  CHECK(against_pytorch(DType::f32, 1e-6).problems == "");
}

TEST_CASE("optim-adam, optim-adamw, optim-amsgrad: in ops, as under FormulaOnly, and in one pass, they go the same way") {
  using Make = std::unique_ptr<optim::Optimizer> (*)(const Tensor& x);
  const Make optimizers[] = {[](const Tensor& x) -> std::unique_ptr<optim::Optimizer> {
                               return std::make_unique<optim::Adam>(optim::ParameterGroups{{{{"x", x}}}},
                                                                    optim::AdamOptions{.eps = 1e-3, .weight_decay = 0.3, .amsgrad = true});
                             },
                             [](const Tensor& x) -> std::unique_ptr<optim::Optimizer> {
                               return std::make_unique<optim::AdamW>(
                                   optim::ParameterGroups{{{{"x", x}}}},
                                   optim::AdamWOptions{.eps = 1e-3, .weight_decay = 0.3, .eps_before_correction = true});
                             }};
  for (const DType dtype : {DType::f32, DType::f64}) {
    for (const Make make : optimizers) {
      const auto end_of_run = [&](bool readable) {
        const FormulaOnly formula(readable);
        Generator generator(7);
        const Tensor x = parameter(randn({40, 13}, dtype, generator));
        const auto optimizer = make(x);
        for (int step = 0; step < 20; ++step) {
          x.set_grad(randn(x.shape(), dtype, generator) * (step % 5));
          optimizer->step(0.1);
        }
        return x.detach();
      };
      const Tensor fast = end_of_run(false), formula = end_of_run(true);
      CHECK(difference(fast, formula, dtype == DType::f32 ? 1e-5 : 1e-13) == "");
      CHECK_FALSE(equal(fast, formula));  // they are two
    }
  }
}

TEST_CASE("optim-adamw: the first step is the learning rate, against the gradient's sign, whatever its size") {
  for (const double size : {1e-3, 1.0, 1e4}) {
    const Tensor x = parameter(tensor({1, 1}, DType::f64));
    optim::AdamW optimizer({{{{"x", x}}, 0}});
    x.set_grad(tensor({size, -size}, DType::f64));
    optimizer.step(0.1);
    CHECK(difference(x, tensor({0.9, 1.1}, DType::f64), 1e-5) == "");  // ε shows against a small gradient
  }
}

TEST_CASE("optim-weight-decay: with no gradient to follow, θ shrinks by 1 - lr λ a step") {
  const Tensor x = parameter(tensor({{2, -4}}, DType::f64));
  optim::AdamW optimizer({{{{"x", x}}, 0.5}});
  for (int i = 0; i < 3; ++i) {
    x.set_grad(zeros_like(x));
    optimizer.step(0.1);
  }
  CHECK(difference(x, tensor({{2, -4}}, DType::f64) * std::pow(0.95, 3), 1e-15) == "");
}

TEST_CASE("optim-weight-decay, convention-coupled-decay: the decay is not scaled by the gradient's history") {
  const Tensor apart = parameter(tensor({{2}}, DType::f64)), through_gradient = parameter(tensor({{2}}, DType::f64));
  optim::AdamW decoupled({{{{"x", apart}}, 0.5}}), coupled({{{{"x", through_gradient}}, 0}});
  apart.set_grad(tensor({{100}}, DType::f64));
  through_gradient.set_grad(tensor({{100 + 0.5 * 2}}, DType::f64));  // λθ added to the gradient
  decoupled.step(0.1);
  coupled.step(0.1);
  CHECK(apart.item() == doctest::Approx(2 - 0.1 * 0.5 * 2 - 0.1));
  CHECK(through_gradient.item() == doctest::Approx(2 - 0.1));  // the decay has all but vanished
}

TEST_CASE("optim-weight-decay: matrices decay, gains and biases do not") {
  const std::vector<NamedTensor> named{
      {"w", parameter(zeros({2, 3}))}, {"b", parameter(zeros({3}))}, {"k", parameter(zeros({2, 2, 2}))}, {"s", parameter(tensor(1))}};
  const auto groups = optim::decay_matrices(named, 0.1);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].weight_decay == 0.1);
  CHECK(groups[1].weight_decay == 0);
  CHECK(groups[0].parameters.size() == 2);
  CHECK(groups[0].parameters[1].name == "k");
  CHECK(groups[1].parameters[0].name == "b");
  CHECK(groups[1].parameters[1].name == "s");
  CHECK(optim::decay_matrices({named[1]}, 0.1).size() == 1);
  CHECK(optim::decay_matrices({}, 0.1).empty());
}

TEST_CASE("optim-adamw: a parameter without a gradient is left as it is; lr = 0 changes none") {
  AdamWTraining t;
  const Tensor bias_before = t.bias.detached_copy();
  t.weight.set_grad(ones_like(t.weight));
  t.optimizer.step(0.1);
  CHECK(equal(t.bias, bias_before));
  const Tensor weight_before = t.weight.detached_copy();
  t.step(1, 0);
  CHECK(equal(t.weight, weight_before));
  CHECK(equal(t.bias, bias_before));
  CHECK(t.optimizer.steps() == 2);
  t.optimizer.zero_grad();
  CHECK_FALSE(t.weight.grad().defined());
}

TEST_CASE("optim-adamw: a step is not on the tape, and the parameters remain leaves") {
  AdamWTraining t;
  t.step(1);
  CHECK(t.weight.is_leaf());
  CHECK(t.weight.requires_grad());
}

TEST_CASE("optim-adamw: state() and load_state() go on as if never stopped, to the last bit") {
  AdamWTraining straight, first, second;
  for (std::uint64_t seed = 0; seed < 6; ++seed) straight.step(seed);
  for (std::uint64_t seed = 0; seed < 3; ++seed) first.step(seed);
  std::vector<NamedTensor> saved;
  for (const auto& [name, tensor, role] : first.optimizer.state()) saved.emplace_back(name, tensor.detached_copy());
  CHECK(saved.size() == 4);
  CHECK(saved[0].name == "first/weight");
  CHECK(saved[3].name == "second/bias");
  second.step(77);  // what it had before does not matter
  second.weight.assign(first.weight);
  second.bias.assign(first.bias);
  second.optimizer.load_state(saved, first.optimizer.steps());
  CHECK(second.optimizer.steps() == 3);
  for (std::uint64_t seed = 3; seed < 6; ++seed) second.step(seed);
  CHECK(equal(second.weight, straight.weight));
  CHECK(equal(second.bias, straight.bias));
}

TEST_CASE("optim-adamw: load_state checks everything before it changes anything") {
  AdamWTraining t;
  t.step(1);
  std::vector<NamedTensor> before, given;
  for (const auto& [name, tensor, role] : t.optimizer.state()) {
    before.emplace_back(name, tensor.detached_copy());
    given.emplace_back(name, full_like(tensor, 5));
  }
  const auto refused = [&](const auto& state, int64_t steps, const char* message) {
    CHECK_THROWS_WITH_AS(t.optimizer.load_state(state, steps), message, Error);
    CHECK(t.optimizer.steps() == 1);
    for (std::size_t i = 0; i < before.size(); ++i) CHECK(equal(t.optimizer.state()[i].tensor, before[i].tensor));
  };
  refused(given, -1, "AdamW: the number of steps must not be negative, got -1");
  given.back().tensor = zeros({3});
  refused(given, 2, "AdamW: nothing was loaded: second/bias has shape [3], expected [2]");
  given.back().tensor = Tensor();
  refused(given, 2, "AdamW: nothing was loaded: second/bias is undefined");
  given.pop_back();
  refused(given, 2, "AdamW: nothing was loaded: missing second/bias");
  given[0].name = "third/weight";
  refused(given, 2, "AdamW: nothing was loaded: missing first/weight; missing second/bias; unexpected third/weight");
}

TEST_CASE("optim-adamw: a state that is not loaded strictly gives what fits and says what it skipped") {
  AdamWTraining t;
  t.step(1);
  const NamedTensors given{{"first/weight", full({1, 7}, 5)}, {"first/bias", zeros({3})}, {"third", zeros({1})}};
  CHECK(t.optimizer.load_state(given, 9, {.strict = false}) == std::vector<std::string>{"first/bias has shape [3], expected [2]",
                                                                                        "missing second/weight", "missing second/bias",
                                                                                        "unexpected third"});
  CHECK(equal(t.optimizer.state()[0].tensor, full({1, 7}, 5)));
  CHECK(t.optimizer.steps() == 9);
}

TEST_CASE("optim-adamw: the same bits for one thread and for two") {
  AdamWTraining one(100000), two(100000);
  for (std::uint64_t seed = 0; seed < 2; ++seed) {
    {
      const Threads single(1);
      one.step(seed);
    }
    const Threads both(2);
    two.step(seed);
  }
  CHECK(equal(one.weight, two.weight));
}

TEST_CASE("optim-adamw: finds the minimum of a quadratic") {
  const Tensor x = parameter(tensor({3, -2}, DType::f64)), minimum = tensor({1, 0.5}, DType::f64);
  optim::AdamW optimizer({{{{"x", x}}, 0}});
  for (int step = 0; step < 400; ++step) {
    optimizer.zero_grad();
    sum(square(x - minimum)).backward();
    optimizer.step(0.05 * (400 - step) / 400);
  }
  CHECK(difference(x, minimum, 1e-3) == "");
}

TEST_CASE("optimizers: the family") {
  for (const auto& variant : optim::optimizers().variants) {
    CAPTURE(variant.name);
    const Tensor x = parameter(tensor({1.0}));
    const auto optimizer = variant.value({{{{"x", x}}, 0}});
    x.set_grad(tensor({1.0}));
    optimizer->step(0.1);
    CHECK(x.item() < 1);
  }
  CHECK_THROWS_WITH_AS(optim::optimizers().find("adma"), "unknown optimizer 'adma'; did you mean 'adam'?", ValueError);
}
