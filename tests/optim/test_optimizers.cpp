// What holds for every optimizer of the family.
#include "core/inspect/compare.h"
#include "optim/optim.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "core/composites/composites.h"
#include "core/inspect/anomaly.h"
#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "tests/optim/make.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::test;

namespace {

const std::vector<std::string> kNames{"wide", "tall", "cube", "bias"};

// The fixture's twenty steps on three parameters that decay and one that does not; compared after each of them.
std::string against_fixture(const std::string& row, const Make& make, DType dtype, double tolerance) {
  const auto fixture = read_fixture("optimizers.safetensors").tensors;
  NamedTensors named;
  for (const auto& name : kNames) named.emplace_back(name, parameter(cast(fixture.at("start/" + name), dtype)));
  const OptimizerPtr optimizer = make(optim::decay_matrices(named, 0.1));
  std::string problems;
  const std::vector<double> rates = to_vector(fixture.at("rates"));
  for (std::size_t step = 0; step < rates.size(); ++step) {
    const auto at_step = [&](const std::string& key) { return select(fixture.at(key), 0, static_cast<int64_t>(step)); };
    for (const auto& [name, tensor, role] : named) tensor.set_grad(cast(at_step("gradients/" + name), dtype));
    optimizer->step(rates[step]);
    for (const auto& [name, tensor, role] : named) {
      const std::string wrong = difference(tensor, at_step(row + "/" + name), tolerance);
      if (!wrong.empty()) problems += fmt::format("{} {} after step {}: {}\n", row, name, step + 1, wrong);
    }
  }
  return problems;
}

bool in_file(const std::string& row) { return read_fixture("optimizers.safetensors").tensors.count(row + "/" + kNames[0]) == 1; }

// A matrix, a tall one and a bias, large enough for two threads, with gradients that a seed decides.
struct Training {
  explicit Training(const Make& make, int64_t size = 8) {
    Generator generator(5);
    for (const auto& [name, shape] :
         {std::pair{"wide", Shape{size, 3 * size}}, {"tall", Shape{2 * size, size}}, {"bias", Shape{size * size}}}) {
      named.emplace_back(name, parameter(randn(shape, DType::f32, generator)));
    }
    optimizer = make(optim::decay_matrices(named, 0.1));
  }
  void steps(std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t seed = first; seed < last; ++seed) {
      Generator generator(seed);
      for (const auto& [name, tensor, role] : named) tensor.set_grad(randn(tensor.shape(), DType::f32, generator));
      optimizer->step(0.01);
    }
  }
  bool same_as(const Training& other) const {
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (!equal(named[i].tensor, other.named[i].tensor)) return false;
    }
    return true;
  }
  NamedTensors named;
  OptimizerPtr optimizer;
};

const optim::AdamOptions kFixtureAdam{.beta2 = 0.95};
const optim::AdamWOptions kFixtureAdamW{.beta2 = 0.95};

// The optimizers as the fixture has them.
Make in_fixture(const Variant<optim::MakeOptimizer>& variant) {
  if (variant.name == "adam") return with<optim::Adam>(kFixtureAdam);
  if (variant.name == "adamw") return with<optim::AdamW>(kFixtureAdamW);
  return variant.value;
}

}  // namespace

// Both sides make the same operations in another order, some hundred times; in f32 Muon's iteration and Adafactor's
// quotients stretch the rounding. Lion's sign flips where c rounds to the other side of 0: it is compared in f64 alone.
TEST_CASE(
    "optim-sgd, optim-momentum, optim-nesterov, optim-rmsprop, optim-adagrad, optim-adadelta, optim-adam, optim-adamw, "
    "optim-amsgrad, optim-adamax, optim-nadam, optim-radam, optim-lamb, optim-lion, optim-adafactor, "
    "optim-muon: twenty steps equal PyTorch's, or plain reference code's") {
  for (const auto& variant : optim::optimizers().variants) {
    const std::string name(variant.name);
    if (!in_file(name)) {
      std::string own = "tests/optim/test_" + name + ".cpp";
      std::replace(own.begin(), own.end(), '-', '_');
      CHECK_MESSAGE(std::ifstream(source_root() + "/" + own).good(), "nothing checks what ", name, " computes: compare it in ", own,
                    " with its formula in plain numbers");
      MESSAGE(name, ": not compared with PyTorch (no row in tests/fixtures/generate_optimizers.py), but in ", own);
      continue;
    }
    CHECK(against_fixture(name, in_fixture(variant), DType::f64, 1e-12) == "");
    if (name != "lion") CHECK(against_fixture(name, in_fixture(variant), DType::f32, 2e-5) == "");
  }
  const auto dampened = with<optim::Momentum>(optim::MomentumOptions{.dampening = 0.5});
  CHECK(against_fixture("momentum_dampened", dampened, DType::f64, 1e-12) == "");
  const auto heavy = with<optim::RMSprop>(optim::RMSpropOptions{.momentum = 0.9});
  CHECK(against_fixture("rmsprop_momentum", heavy, DType::f64, 1e-12) == "");
  CHECK(against_fixture("rmsprop_momentum", heavy, DType::f32, 2e-5) == "");
  const auto adam = with<optim::Adam>(optim::AdamOptions{.beta2 = 0.95, .amsgrad = true});
  const auto adamw = with<optim::AdamW>(optim::AdamWOptions{.beta2 = 0.95, .amsgrad = true});
  for (const auto& [dtype, tolerance] : {std::pair{DType::f64, 1e-12}, {DType::f32, 2e-5}}) {
    CHECK(against_fixture("adam_amsgrad", adam, dtype, tolerance) == "");
    CHECK(against_fixture("adamw_amsgrad", adamw, dtype, tolerance) == "");
  }
}

TEST_CASE("optim: 30 steps, saved and loaded, and 30 more end with the bits of 60") {
  for (const auto& variant : optim::optimizers().variants) {
    CAPTURE(variant.name);
    Training whole(variant.value), first(variant.value), second(variant.value);
    whole.steps(0, 60);
    first.steps(0, 30);
    NamedTensors saved;
    for (const auto& [name, tensor, role] : first.optimizer->state()) saved.emplace_back(name, tensor.detached_copy());
    second.steps(90, 92);  // what it had before does not matter
    for (std::size_t i = 0; i < first.named.size(); ++i) second.named[i].tensor.assign(first.named[i].tensor);
    second.optimizer->load_state(saved, first.optimizer->steps());
    second.steps(30, 60);
    CHECK(whole.same_as(second));
    CHECK_FALSE(whole.same_as(first));
  }
}

TEST_CASE(
    "optim: the same bits from run to run for one thread and for two, and the same for both but for Muon's "
    "products") {
  for (const auto& variant : optim::optimizers().variants) {
    CAPTURE(variant.name);
    Training runs[4]{Training(variant.value, 128), Training(variant.value, 128), Training(variant.value, 128),
                     Training(variant.value, 128)};
    for (int i = 0; i < 4; ++i) {
      const Threads threads(1 + i / 2);
      runs[i].steps(0, 2);
    }
    CHECK(runs[0].same_as(runs[1]));
    CHECK(runs[2].same_as(runs[3]));
    if (variant.name != "muon") CHECK(runs[0].same_as(runs[2]));
  }
}

TEST_CASE("optim: every optimizer goes down a quadratic") {
  for (const auto& variant : optim::optimizers().variants) {
    CAPTURE(variant.name);
    const Tensor x = parameter(tensor({{3, -2}, {1, 4}}, DType::f64)), minimum = tensor({{1, 0.5}, {-1, 2}}, DType::f64);
    const OptimizerPtr optimizer = variant.value({{{{"x", x}}, 0}});
    const auto loss = [&] { return sum(square(x - minimum)); };
    const double at_first = loss().item(), rate = variant.name == "adadelta" ? 1 : 0.02;  // a multiple of its own steps
    for (int step = 0; step < 200; ++step) {
      optimizer->zero_grad();
      loss().backward();
      optimizer->step(rate * (200 - step) / 200);
    }
    CHECK(loss().item() < 0.75 * at_first);
    CHECK(x.is_leaf());
  }
}

TEST_CASE("optim: anomaly mode does not break a step off in the middle") {
  for (const auto& variant : optim::optimizers().variants) {
    CAPTURE(variant.name);
    const Tensor a = parameter(ones({2, 2})), b = parameter(ones({2, 2}));
    const OptimizerPtr optimizer = variant.value(NamedTensors{{"a", a}, {"b", b}});
    a.set_grad(ones({2, 2}));
    b.set_grad(full({2, 2}, 1e30));  // whose squares are ∞
    const inspect::AnomalyMode careful;
    CHECK_NOTHROW(optimizer->step(0.1));
    CHECK(Observing::innermost() != nullptr);
    const Tensor before = a.detached_copy();
    b.set_grad(full({2, 2}, NAN));
    CHECK_THROWS_WITH_AS(optimizer->step(0.1), "anomaly: the gradient of b is not finite; the optimizer has changed nothing", GraphError);
    CHECK(equal(a, before));
    CHECK(optimizer->steps() == 1);
  }
}

TEST_CASE("optim: a parameter without a gradient stays, an empty one does no harm, lr = 0 changes none") {
  for (const auto& variant : optim::optimizers().variants) {
    CAPTURE(variant.name);
    const Tensor a = parameter(ones({2, 2})), b = parameter(ones({3}));
    const Tensor no_rows = parameter(zeros({0, 3})), no_columns = parameter(zeros({3, 0}));
    const OptimizerPtr optimizer =
        variant.value(optim::decay_matrices({{"a", a}, {"b", b}, {"no_rows", no_rows}, {"no_columns", no_columns}}, 0.1));
    a.set_grad(ones({2, 2}));
    no_rows.set_grad(zeros({0, 3}));
    no_columns.set_grad(zeros({3, 0}));
    optimizer->step(0.1);
    CHECK(equal(b, ones({3})));
    CHECK_FALSE(equal(a, ones({2, 2})));
    const Tensor before = a.detached_copy();
    b.set_grad(ones({3}));
    optimizer->step(0);
    CHECK(equal(a, before));
    CHECK(equal(b, ones({3})));
  }
}

TEST_CASE("optim: a group's rate is a multiple of the optimizer's") {
  const Tensor x = parameter(tensor({1.0}, DType::f64)), y = parameter(tensor({1.0}, DType::f64));
  optim::SGD optimizer({{.parameters = {{"x", x}}, .lr_scale = 0.5}, {.parameters = {{"y", y}}, .weight_decay = 0.25}});
  for (const Tensor& p : {x, y}) p.set_grad(tensor({2.0}, DType::f64));
  optimizer.step(0.1);
  CHECK(x.item() == 1 - 0.05 * 2);
  CHECK(y.item() == 1 - 0.1 * (2 + 0.25));
}

TEST_CASE(
    "optim-adamw: a checkpoint that PyTorch wrote is gone on with here, and its tensors are ours after as many "
    "steps") {
  const auto fixture = read_fixture("optimizers.safetensors").tensors;
  const io::SafeTensors checkpoint = read_fixture("checkpoint.safetensors");
  NamedTensors here, there;
  for (const auto& name : kNames) {
    here.emplace_back(name, parameter(fixture.at("start/" + name)));
    there.emplace_back(name, parameter(zeros_like(fixture.at("start/" + name))));
  }
  optim::AdamW ours(here, {.beta2 = 0.95, .weight_decay = 0.1}), theirs(there, {.beta2 = 0.95, .weight_decay = 0.1});
  const auto go = [&](optim::Optimizer& optimizer, const NamedTensors& named, int64_t first, int64_t last) {
    for (int64_t step = first; step < last; ++step) {
      for (const auto& [name, tensor, role] : named) tensor.set_grad(select(fixture.at("gradients/" + name), 0, step));
      optimizer.step(fixture.at("rates").at({step}));
    }
  };
  const auto all = [](const NamedTensors& named, const optim::Optimizer& optimizer) {
    NamedTensors state;
    for (const auto& [name, tensor, role] : named) state.emplace_back("model/" + name, tensor);
    for (const auto& [name, tensor, role] : optimizer.state()) state.emplace_back("optimizer/" + name, tensor);
    return state;
  };
  go(ours, here, 0, 10);
  CHECK(all(here, ours).size() == checkpoint.tensors.size());
  for (const auto& [name, tensor, role] : all(here, ours)) CHECK(difference(tensor, checkpoint.tensors.at(name), 1e-14) == "");
  io::load_tensors(all(there, theirs), gradus::named(checkpoint.tensors), {}, "checkpoint");
  theirs.set_steps(std::stoll(checkpoint.metadata.at("step")));
  go(theirs, there, 10, 20);
  for (const auto& [name, tensor, role] : there) CHECK(difference(tensor, select(fixture.at("adamw/" + name), 0, 19), 1e-14) == "");
}

TEST_CASE("optim: k micro-batches, each loss divided by k, give the gradient of one batch") {
  Generator generator(2);
  const Tensor x = randn({6, 3}, DType::f64, generator), y = randn({6}, DType::f64, generator);
  const Tensor once = parameter(ones({3}, DType::f64)), parts = parameter(ones({3}, DType::f64));
  const auto loss = [](const Tensor& w, const Tensor& in, const Tensor& out) { return mean(square(sum(in * w, -1) - out)); };
  loss(once, x, y).backward();
  for (int64_t k = 0; k < 3; ++k) {
    (loss(parts, slice(x, 0, 2 * k, 2 * k + 2), slice(y, 0, 2 * k, 2 * k + 2)) / 3).backward();
  }
  CHECK(difference(parts.grad(), once.grad(), 1e-15) == "");
}
