// LAMB beyond the fixture: its options in plain numbers, the trust ratio, and conventions by their exact difference.
#include <cmath>

#include "core/composites/composites.h"
#include "optim/lamb.h"
#include "tests/optim/make.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// θ after one step.
Tensor after_lamb_step(const Nested& start, const Nested& gradient, double lr, optim::LAMBOptions options) {
  const Tensor x = parameter(f64(start));
  optim::LAMB optimizer({{.parameters = {{"x", x}}}}, options);
  x.set_grad(f64(gradient));
  optimizer.step(lr);
  return x;
}

}  // namespace

TEST_CASE("optim-lamb: in plain numbers, with options that are not the defaults") {
  const std::vector<std::pair<double, double>> gradients{{0.5, -2}, {0.1, 0.1}, {0, 3}, {-1, 4}, {0.3, 0.7}, {2, -0.1}};
  const Tensor x = parameter(f64({3, -1}));
  optim::LAMB optimizer({{.parameters = {{"x", x}}}}, {.beta1 = 0.7, .beta2 = 0.6, .eps = 0.1, .weight_decay = 0.3});
  double theta[2] = {3, -1}, m[2] = {0, 0}, v[2] = {0, 0};
  for (int t = 1; const auto& [first, second] : gradients) {
    x.set_grad(f64({first, second}));
    optimizer.step(0.05);
    double u[2];
    for (int i = 0; i < 2; ++i) {
      const double g = i == 0 ? first : second;
      m[i] += 0.3 * (g - m[i]);
      v[i] += 0.4 * (g * g - v[i]);
      u[i] = m[i] / (1 - std::pow(0.7, t)) / (std::sqrt(v[i] / (1 - std::pow(0.6, t))) + 0.1) + 0.3 * theta[i];
    }
    const double ratio = std::hypot(theta[0], theta[1]) / std::hypot(u[0], u[1]);
    for (int i = 0; i < 2; ++i) theta[i] -= 0.05 * ratio * u[i];
    CHECK(difference(x, f64({theta[0], theta[1]}), 1e-14) == "");
    ++t;
  }
}

TEST_CASE("optim-lamb: a step is lr ‖θ‖ long; where θ or the step is 0, the ratio is 1") {
  const optim::LAMBOptions plain{.eps = 1e-300, .weight_decay = 0};
  const double part = 0.1 * 50 / std::sqrt(2);
  CHECK(difference(after_lamb_step({30, 40}, {2, -7}, 0.1, plain), f64({30 - part, 40 + part}), 1e-14) == "");
  CHECK(difference(after_lamb_step({0.3, 0.4}, {2, -7}, 0.1, plain), f64({0.3 - part / 100, 0.4 + part / 100}), 1e-14) == "");
  CHECK(difference(after_lamb_step({0, 0}, {2, -7}, 0.1, plain), f64({-0.1, 0.1}), 1e-14) == "");
  CHECK(equal(after_lamb_step({3, 4}, {0, 0}, 0.1, plain), f64({3, 4})));
}

TEST_CASE("convention-lamb-correction: without the correction of m and v, g weighs √10 times as much against the decay") {
  const optim::LAMBOptions options{.eps = 1e-300, .weight_decay = 1};
  // u = (1, -1) + θ = (4, 3), as long as θ
  CHECK(difference(after_lamb_step({3, 4}, {0.5, -6}, 0.1, options), f64({3 - 0.4, 4 - 0.3}), 1e-14) == "");
  const double weight = (1 - 0.9) / std::sqrt(1 - 0.999), u[2] = {weight + 3, -weight + 4};
  CHECK(weight == doctest::Approx(std::sqrt(10)).epsilon(1e-12));
  const double ratio = 5 / std::hypot(u[0], u[1]);
  CHECK(ratio * u[0] == doctest::Approx(4.954429).epsilon(1e-6));  // in place of 4
  CHECK(ratio * u[1] == doctest::Approx(0.673523).epsilon(1e-6));  // in place of 3
}

TEST_CASE("convention-lamb-clamp: ‖θ‖ is not clamped; where it is, to 10, a step of a tensor of norm 50 is a fifth as long") {
  const optim::LAMBOptions plain{.eps = 1e-300, .weight_decay = 0};
  const double step = 30 - after_lamb_step({30, 40}, {1, -1}, 1, plain).at({0});
  CHECK(step == doctest::Approx(50 / std::sqrt(2)).epsilon(1e-13));
  CHECK(step / (10 / std::sqrt(2)) == doctest::Approx(5).epsilon(1e-13));
}
