#include "optim/ema.h"

#include <cmath>

#include "core/tape/grad_mode.h"
#include "core/ops/ops.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("optim-ema: after n steps it is Σ (1 - β) βⁿ⁻ⁱ θ_i + βⁿ θ_0") {
  for (const bool readable : {false, true}) {
    const FormulaOnly mode(readable);
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
}

TEST_CASE("optim-ema: swap shows the averages and puts the parameters back") {
  Tensor x = tensor({1.0});
  x.set_requires_grad();
  optim::MovingAverage average({{"x", x}}, 0.5);
  x.fill(3);
  average.update();
  average.swap();
  CHECK(x.item() == 2);
  CHECK(x.is_leaf());
  average.swap();
  CHECK(x.item() == 3);
  CHECK(average.state()[0].tensor.item() == 2);
}

TEST_CASE("optim-ema: errors") {
  const NamedTensors named{{"x", ones({2})}};
  CHECK_THROWS_WITH_AS(optim::MovingAverage(named, 1), "MovingAverage: beta must be in [0, 1), got 1", ValueError);
  CHECK_THROWS_WITH_AS(optim::MovingAverage(named, -0.5), "MovingAverage: beta must be in [0, 1), got -0.5",
                       ValueError);
  CHECK_THROWS_WITH_AS(optim::MovingAverage({}), "MovingAverage: no parameters to average", ValueError);
}
