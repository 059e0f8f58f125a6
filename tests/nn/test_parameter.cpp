// Parameters: they are updated by hand, assigned to and shared, and stay the tensors that are trained.
#include <type_traits>

#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "nn/linear.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("parameters: the hand-written loop trains the module, under NoGrad") {
  manual_seed(1);
  nn::Linear layer(3, 1);
  const Tensor x = randn({16, 3}), y = sum(x, 1, true);
  const auto loss = [&] { return mean(square(layer(x) - y)); };
  const double before = loss().item();
  for (int step = 0; step < 50; ++step) {
    loss().backward();
    CHECK_THROWS_AS(layer.weight -= 1, GraphError);  // while recording
    const NoGrad off;
    for (Tensor& p : layer.parameters()) p -= 0.1 * p.grad();
    layer.zero_grad();
  }
  CHECK(loss().item() < 1e-3 * before);
}

TEST_CASE("parameters: append() makes another leaf, with more rows; frozen stays frozen") {
  nn::Linear layer(2, 2);
  const Tensor before = layer.weight;
  layer.weight.append(before);
  CHECK(to_vector(layer.weight) == to_vector(cat({before, before}, 0)));
  CHECK(layer.weight.requires_grad());
  CHECK_FALSE(before.requires_grad());
  layer.weight.set_requires_grad(false);
  layer.weight.append(ones({1, 2}));
  CHECK(layer.weight.shape() == Shape{5, 2});
  CHECK_FALSE(layer.weight.requires_grad());
  CHECK_FALSE(layer.weight.was_replaced());
}

TEST_CASE("parameters: an assignment copies values in; it neither replaces nor freezes the parameter") {
  nn::Linear layer(2, 2);
  const Tensor known = layer.weight, values = tensor({{1, 2}, {3, 4}});
  layer.weight = values;
  CHECK(layer.weight.same_as(known));
  CHECK(layer.weight.requires_grad());
  CHECK(equal(known, values));
  CHECK_FALSE(known.shares_storage(values));
  nn::Linear other(2, 2);
  layer.weight = other.weight;  // values, too
  CHECK(layer.weight.same_as(known));
  CHECK(equal(known, other.weight));
  {
    const NoGrad off;
    layer.weight = layer.weight - 1;
  }
  CHECK(layer.weight.same_as(known));
  CHECK(layer.weight.requires_grad());
  CHECK(equal(known, other.weight - 1));
  CHECK_THROWS_AS(layer.weight = layer.weight * 2, GraphError);  // its gradient would be lost
  CHECK_THROWS_AS(layer.weight = Tensor(), GraphError);
  CHECK_THROWS_AS(layer.weight = ones({3}), ShapeError);
  CHECK(equal(known, other.weight - 1));
}

TEST_CASE("parameters: made of a plain tensor they have values of their own; of one on the tape they are refused") {
  const Tensor start = ones({2}), learned = ones({2}).set_requires_grad();
  nn::Parameter first = start, second = start;
  {
    const NoGrad off;
    first -= 1;
  }
  CHECK(to_vector(start) == Values{1, 1});
  CHECK(to_vector(second) == Values{1, 1});
  CHECK_THROWS_AS(nn::Parameter(learned * 2), GraphError);
  nn::Parameter empty;
  CHECK_THROWS_AS(empty = learned * 2, GraphError);
}

TEST_CASE("parameters: one that was replaced through a Tensor& is found when the module is next asked for it") {
  nn::Linear layer(2, 2);
  Tensor& weight = layer.weight;
  weight = ones({2, 2});
  CHECK_THROWS_WITH_AS(layer.parameters(),
                       "parameter 'weight' was replaced by an assignment to it as a Tensor&; copy values in with assign()", GraphError);
}

// Moving takes the tensor along, assigning copies values: what swaps by both would lose one of two.
static_assert(!std::is_move_assignable_v<nn::Parameter> && !std::is_swappable_v<nn::Parameter>);

TEST_CASE("parameters: to() of a module with a buffer on the tape names it, and casts nothing") {
  struct Buffered : nn::Module {
    nn::Parameter weight = ones({2});
    Tensor made = ones({2}).set_requires_grad() * 2;
    void members(nn::Members& m) override {
      m.parameter("weight", weight);
      m.buffer("made", made);
    }
  } module;
  CHECK_THROWS_WITH_AS(module.to(DType::f64), "to: made was made by an op on the tape; let it be a detached copy", GraphError);
  CHECK(module.weight.dtype() == DType::f32);
}

TEST_CASE("parameters: share() makes two modules have one") {
  nn::Linear layer(2, 2), other(2, 2);
  layer.weight.share(other.weight);
  CHECK(layer.weight.same_as(other.weight));
  sum(layer(ones({1, 2})) + other(ones({1, 2}))).backward();
  CHECK(to_vector(other.weight.grad()) == Values{2, 2, 2, 2});
}

TEST_CASE("parameter: one without a value may become another, too") {
  const nn::Parameter other = ones({2});
  nn::Parameter none;
  none.share(other);
  CHECK(none.number() == other.number());
  CHECK(!none.was_replaced());
}
