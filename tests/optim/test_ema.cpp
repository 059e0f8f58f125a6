#include "optim/ema.h"

#include <cmath>
#include <type_traits>

#include "core/composites/composites.h"
#include "core/inspect/anomaly.h"
#include "core/tape/grad_mode.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("optim-ema: after n steps it is Σ (1 - β) βⁿ⁻ⁱ θ_i + βⁿ θ_0") {
  Tensor x = tensor({1, -2}, DType::f64);
  x.set_requires_grad();
  optim::MovingAverage average({{"x", x}}, 0.75);
  CHECK(equal(average.state()[0].tensor, x));
  const Tensor first = x.detached_copy(), second = tensor({5, 0.5}, DType::f64), third = tensor({-3, 7}, DType::f64);
  x.assign(second);
  average.update();
  x.assign(third);
  average.update();
  CHECK(difference(average.state()[0].tensor, 0.25 * third + 0.25 * 0.75 * second + 0.5625 * first, 1e-15) == "");
  CHECK(equal(x, third));
}

TEST_CASE("optim-ema: swap shows the averages and puts the parameters back") {
  for (const DType dtype : {DType::f32, DType::f64}) {
    Tensor x = tensor({1, 7, 2}, dtype);
    x.set_requires_grad();
    optim::MovingAverage average({{"x", x}}, 0.5);
    x.fill(3);
    average.update();
    average.swap();
    CHECK(to_vector(x) == Values{2, 5, 2.5});
    CHECK(x.is_leaf());
    average.swap();
    CHECK(to_vector(x) == Values{3, 3, 3});
    CHECK(to_vector(average.state()[0].tensor) == Values{2, 5, 2.5});
  }
}

TEST_CASE("optim-ema: between two swaps there is no update, which would mix the averages into the live weights") {
  Tensor x = tensor({1.0}).set_requires_grad();
  optim::MovingAverage average({{"x", x}}, 0.5);
  x.fill(3);
  average.swap();
  CHECK_THROWS_WITH_AS(average.update(), "MovingAverage: the model has the averages now; swap() them back before update()", ValueError);
  average.swap();
  CHECK(x.item() == 3);
  average.update();
  CHECK(average.state()[0].tensor.item() == 2);
}

TEST_CASE("optim-ema: a parameter that was changed between two swaps is refused, and nothing is swapped") {
  Tensor x = tensor({1.0}).set_requires_grad(), y = tensor({2.0}).set_requires_grad();
  optim::MovingAverage average({{"x", x}, {"y", y}}, 0.5);
  x.fill(3);
  average.swap();
  {
    const NoGrad off;
    y -= 0.5;  // as an optimizer's step does
  }
  CHECK_THROWS_WITH_AS(average.swap(),
                       "MovingAverage: y was changed between two swaps; take no optimizer step while the model has "
                       "the averages",
                       ValueError);
  CHECK(x.item() == 1);
  CHECK(y.item() == 1.5);
  CHECK(average.state()[0].tensor.item() == 3);
}

TEST_CASE("optim-ema: a parameter that the model has replaced is refused, and nothing is swapped") {
  Tensor x = tensor({1.0}).set_requires_grad(), y = tensor({0.5}).set_requires_grad();
  optim::MovingAverage average({{"x", x}, {"y", y}}, 0.5);
  x.fill(3);
  y.set_requires_grad(false);
  CHECK_THROWS_WITH_AS(average.swap(),
                       "MovingAverage: y requires no gradient any more: it was frozen, or model.to() or extend() put "
                       "another tensor in its place; build the average again",
                       GraphError);
  CHECK(x.item() == 3);
  CHECK(average.state()[0].tensor.item() == 1);
}

TEST_CASE("optim-ema: what requires no gradient from the first, such as a frozen layer, is averaged as well") {
  Tensor x = tensor({1.0}).set_requires_grad(), frozen = tensor({0.5});
  optim::MovingAverage average({{"x", x}, {"frozen", frozen}}, 0.5);
  x.fill(3);
  frozen.fill(1.5);
  average.update();
  CHECK(average.state()[0].tensor.item() == 2);
  CHECK(average.state()[1].tensor.item() == 1);
}

TEST_CASE("optim-ema: errors") {
  const NamedTensors named{{"x", ones({2})}};
  CHECK_THROWS_WITH_AS(optim::MovingAverage(named, 1), "MovingAverage: beta must be in [0, 1), got 1", ValueError);
  CHECK_THROWS_WITH_AS(optim::MovingAverage(named, -0.5), "MovingAverage: beta must be in [0, 1), got -0.5", ValueError);
  CHECK_THROWS_WITH_AS(optim::MovingAverage({}), "MovingAverage: no parameters to average", ValueError);
}

TEST_CASE("optim-ema: of weights that stay it stays what they are, to the last bit, in f32 and for any β") {
  const Tensor x = tensor({0.1, -3, 1e20, 1e-20}).set_requires_grad();
  for (const double beta : {0.9, 0.9999, 0.999999}) {
    optim::MovingAverage average({{"x", x}}, beta);
    for (int i = 0; i < 1000; ++i) average.update();
    CHECK(equal(average.state()[0].tensor, x));
  }
}

TEST_CASE("optim-ema: at β = 0 it is the weights, however far they are; anomaly mode does not break an update off") {
  Tensor x = tensor({1e8, 1}).set_requires_grad(), y = tensor({1, 2}).set_requires_grad();
  optim::MovingAverage average({{"x", x}, {"y", y}}, 0);
  x.assign(tensor({1, 1e8}));
  y.assign(tensor({NAN, 3}));
  const inspect::AnomalyMode careful;
  average.update();
  CHECK(equal(average.state()[0].tensor, x));
  CHECK(average.state()[1].tensor.at({1}) == 3);
}

static_assert(!std::is_copy_constructible_v<optim::MovingAverage> && !std::is_copy_assignable_v<optim::MovingAverage>);
