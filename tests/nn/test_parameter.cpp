// Parameters: they are updated by hand, assigned to and shared, and stay the tensors that are trained.
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
    layer.clear_grad();
  }
  CHECK(loss().item() < 1e-3 * before);
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
  layer.weight = nn::Parameter(values);  // a temporary, too
  CHECK(layer.weight.same_as(known));
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
  CHECK_THROWS_WITH_AS(
      layer.parameters(),
      "parameter 'weight' was replaced by an assignment to it as a Tensor&; copy values in with assign()", GraphError);
}

TEST_CASE("parameters: share() makes two modules have one") {
  nn::Linear layer(2, 2), other(2, 2);
  layer.weight.share(other.weight);
  CHECK(layer.weight.same_as(other.weight));
  sum(layer(ones({1, 2})) + other(ones({1, 2}))).backward();
  CHECK(to_vector(other.weight.grad()) == Values{2, 2, 2, 2});
}
