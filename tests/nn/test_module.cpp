#include "nn/layer.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>
#include <thread>

#include "nn/dropout.h"
#include "nn/linear.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// y = x ⊙ gain + shift, with a mean and a count of its uses that are saved, and a table that is not.
class Affine : public nn::Layer {
 public:
  explicit Affine(int64_t width) : gain(ones({width})), shift(zeros({width})), table(arange(0, 4, 1, DType::f32)) {}
  Tensor forward(const Tensor& x) override { return x * gain + shift; }
  void members(nn::Members& m) override {
    m.parameter("gain", gain, Role::gain);
    m.parameter("shift", shift);
    m.buffer("uses", uses);
    m.buffer("mean", mean);
    m.buffer("table", table, false);
  }
  nn::Parameter gain, shift;
  Tensor uses = tensor({0}, DType::i64), mean = zeros({1}), table;
};

template <typename T> class Boxed : public T {
 public:
  using T::T;
};

// Two layers, one of them used twice, and the tied weight of a third.
class Pair : public nn::Module {
 public:
  Pair() : first(2), second(2), linear(2, 2) { tied = linear.weight; }
  void members(nn::Members& m) override {
    m.child("first", first);
    m.child("second", second);
    m.child("linear", linear);
    m.parameter("tied", tied, Role::table);
    m.child("dropout", dropout);
  }
  Affine first, second;
  nn::Linear linear;
  nn::Dropout dropout{0.5};
  nn::Parameter tied;
};

std::vector<std::string> paths(const nn::NamedTensors& named) {
  std::vector<std::string> result;
  for (const auto& [path, tensor, role] : named) result.push_back(path);
  return result;
}

// The values of everything that load_state_dict may change.
Tensors snapshot(nn::Module& module) {
  Tensors result;
  for (const auto& [path, tensor, role] : module.state_dict()) result.push_back(tensor.detached_copy());
  return result;
}

bool all_equal(const Tensors& a, const Tensors& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!equal(a[i], b[i])) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("Module: parameters have paths, in the order of members(); a tied one comes once, first where it is met first") {
  Pair pair;
  CHECK(paths(pair.named_parameters()) ==
        std::vector<std::string>{"tied", "first.gain", "first.shift", "second.gain", "second.shift", "linear.bias"});
  CHECK(pair.parameters().size() == 6);
  CHECK(pair.parameter_count() == 4 + 4 * 2 + 2);
  for (const Tensor& parameter : pair.parameters()) CHECK(parameter.requires_grad());
}

TEST_CASE("Module: a parameter has the role that its module declares, a tied one that of where it is met first") {
  Pair pair;
  std::vector<Role> roles;
  for (const auto& [path, tensor, role] : pair.state_dict()) roles.push_back(role);
  CHECK(roles == std::vector<Role>{Role::table, Role::gain, Role::weight, Role::gain, Role::weight, Role::bias, Role::other, Role::other,
                                   Role::other, Role::other});
}

TEST_CASE("Module: the class of module.h's first lines is all that a layer needs") {
  using namespace nn;
  struct Scaled : Layer {
    Parameter gain = ones({4}), shift = zeros({4});
    Tensor forward(const Tensor& x) override { return x * gain + shift; }
    void members(Members& m) override {
      m.parameter("gain", gain, Role::gain);
      m.parameter("shift", shift, Role::bias);
    }
  };
  Scaled layer;
  CHECK(equal(layer(tensor({1, 2, 3, 4})), tensor({1, 2, 3, 4})));
  CHECK(layer.str() == "Scaled\n");
  CHECK(layer.parameter_count() == 8);
}

TEST_CASE("Module: a tensor that is undefined is not among the members") {
  nn::Linear plain(2, 2, {.bias = false});
  CHECK(paths(plain.state_dict()) == std::vector<std::string>{"weight"});
}

TEST_CASE("Module: its description is its class's name, without namespaces, unless it says more; fmt prints the tree") {
  struct Local : Affine { using Affine::Affine; };
  CHECK(Affine(2).describe() == "Affine");
  CHECK(Local(2).describe() == "Local");
  CHECK(Boxed<Affine>(2).describe().rfind("Boxed<", 0) == 0);
  CHECK(fmt::format("{}", Pair()) == Pair().str());
}

TEST_CASE("Module: state_dict adds the buffers that are to be saved, and hands out the tensors themselves") {
  Pair pair;
  const auto state = pair.state_dict();
  CHECK(paths(state) == std::vector<std::string>{"tied", "first.gain", "first.shift", "second.gain", "second.shift", "linear.bias",
                                                 "first.uses", "first.mean", "second.uses", "second.mean"});
  CHECK(state[1].tensor.same_as(pair.first.gain));
}

TEST_CASE("Module: load_state_dict makes another module equal, by copying") {
  Pair source, target;
  source.first.gain.fill(3);
  source.second.uses.fill(7);
  target.load_state_dict(source.state_dict());
  CHECK(all_equal(snapshot(source), snapshot(target)));
  CHECK(target.second.uses.item() == 7);
  CHECK(target.linear.weight.same_as(target.tied));
  source.first.gain.fill(4);
  CHECK(target.first.gain.at({0}) == 3);
}

TEST_CASE("Module: load_state_dict casts to the module's dtype, and takes any order") {
  Pair source, target;
  source.to(DType::f64);
  source.first.shift.fill(0.1);
  nn::NamedTensors state = source.state_dict();
  std::reverse(state.begin(), state.end());
  target.load_state_dict(state);
  CHECK(target.first.shift.dtype() == DType::f32);
  CHECK(target.first.shift.at({1}) == doctest::Approx(0.1));
}

TEST_CASE("Module: load_state_dict names all problems at once, and changes nothing") {
  Pair pair;
  const Tensors before = snapshot(pair);
  nn::NamedTensors state;
  for (const auto& [path, tensor, role] : pair.state_dict()) {
    if (path != "first.shift" && path != "second.uses") state.emplace_back(path, full_like(tensor, 9));
  }
  state[2].tensor = zeros({3});  // second.gain
  state.emplace_back("third.gain", ones({2}));
  state.emplace_back("linear.bias", zeros({2}));
  state.emplace_back("first.gain.", Tensor());
  CHECK_THROWS_WITH_AS(pair.load_state_dict(state),
                       "load_state_dict: nothing was loaded: missing first.shift; second.gain has shape [3], expected [2]; "
                       "missing second.uses; unexpected third.gain; linear.bias is given twice; unexpected first.gain.",
                       ValueError);
  CHECK(all_equal(before, snapshot(pair)));
}

TEST_CASE("Module: load_state_dict refuses an undefined tensor") {
  Pair pair;
  nn::NamedTensors state = pair.state_dict();
  state[0].tensor = Tensor();
  CHECK_THROWS_WITH_AS(pair.load_state_dict(state), "load_state_dict: nothing was loaded: tied is undefined", ValueError);
}

static std::size_t frozen_count(nn::Module& module) {
  std::size_t count = 0;
  for (const Tensor& parameter : module.parameters()) count += parameter.requires_grad() ? 0 : 1;
  return count;
}

TEST_CASE("Module: train and eval reach every child") {
  Pair pair;
  CHECK(pair.training());
  CHECK(pair.dropout.training());
  pair.eval();
  for (const nn::Module* module : {static_cast<nn::Module*>(&pair), static_cast<nn::Module*>(&pair.first),
                                   static_cast<nn::Module*>(&pair.linear), static_cast<nn::Module*>(&pair.dropout)}) {
    CHECK_FALSE(module->training());
  }
  pair.train();
  CHECK(pair.dropout.training());
}

TEST_CASE("Module: to() leaves what is frozen frozen, and hooks where they are; a tie outlives it, frozen or not") {
  Pair pair;
  pair.first.gain.set_requires_grad(false);
  pair.tied.set_requires_grad(false);
  int calls = 0;
  pair.linear.bias.add_hook([&](const Tensor&) { return ++calls, Tensor(); });
  const std::size_t frozen = frozen_count(pair);
  CHECK(frozen >= 2);
  pair.to(DType::f64);
  CHECK(frozen_count(pair) == frozen);
  CHECK_FALSE(pair.first.gain.requires_grad());
  CHECK_FALSE(pair.tied.requires_grad());
  CHECK(pair.tied.same_as(pair.linear.weight));
  CHECK(pair.second.gain.requires_grad());
  sum(pair.linear(ones({1, 2}, DType::f64))).backward();
  CHECK(calls == 1);
}

TEST_CASE("Module: to() casts what is saved, leaves ids and rebuilt tables alone, and keeps what is tied tied") {
  Pair pair;
  const Tensor handle = pair.first.gain;
  pair.to(DType::f64);
  for (const Tensor& parameter : pair.parameters()) {
    CHECK(parameter.dtype() == DType::f64);
    CHECK(parameter.requires_grad());
    CHECK(parameter.is_leaf());
  }
  CHECK_FALSE(handle.requires_grad());  // the tensor before: an optimizer that holds it says so
  CHECK(pair.first.mean.dtype() == DType::f64);
  CHECK(pair.first.table.dtype() == DType::f32);  // it was made as exact as it has to be
  CHECK(pair.first.uses.dtype() == DType::i64);
  CHECK(pair.linear.weight.same_as(pair.tied));
  CHECK(pair.linear(ones({1, 2}, DType::f64)).dtype() == DType::f64);
  CHECK_THROWS_WITH_AS(pair.to(DType::i64), "to: a module's parameters must be floating, got i64", DTypeError);
}

TEST_CASE("Module: zero_grad forgets every gradient") {
  Pair pair;
  pair.parameters();
  sum(pair.linear(ones({1, 2}))).backward();
  CHECK(pair.tied.grad().defined());
  pair.zero_grad();
  for (const Tensor& parameter : pair.parameters()) CHECK_FALSE(parameter.grad().defined());
}

TEST_CASE("Module: str() is the tree of modules") {
  CHECK(Pair().str() ==
        "Pair\n"
        "  first: Affine\n"
        "  second: Affine\n"
        "  linear: Linear(2 -> 2)\n"
        "  dropout: Dropout(0.5)\n");
}

TEST_CASE("Module: threads may call it one after the other, also after a call that failed") {
  nn::Linear model(2, 2);
  for (int round = 0; round < 2; ++round) {
    std::thread([&] { CHECK(model(ones({1, 2})).shape() == Shape{1, 2}); }).join();
    CHECK_THROWS_AS(model(ones({1, 3})), ShapeError);
    CHECK(model(ones({1, 2})).shape() == Shape{1, 2});
  }
}
