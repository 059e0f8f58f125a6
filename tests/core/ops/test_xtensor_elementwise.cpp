// Elementwise ops, each said again in xtensor.
#include "tests/support/xtensor_oracle.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("xtensor agrees: elementwise, same shape, row, column, scalar and both ways round") {
  const std::vector<Oracle> oracles = {
      GRADUS_SAME("add", a + b, a + b),
      GRADUS_SAME("sub", a - b, a - b),
      GRADUS_SAME("mul", a * b, a * b),
      GRADUS_SAME("div", a / b, a / b),
      GRADUS_SAME("pow", pow(a, b), xt::pow(a, b)),
      GRADUS_SAME("maximum", maximum(a, b), xt::maximum(a, b)),
      GRADUS_SAME("minimum", minimum(a, b), xt::minimum(a, b)),
      GRADUS_SAME("eq", a == b, xt::cast<double>(xt::equal(a, b))),
      GRADUS_SAME("ne", a != b, xt::cast<double>(xt::not_equal(a, b))),
      GRADUS_SAME("lt", a < b, xt::cast<double>(a < b)),
      GRADUS_SAME("le", a <= b, xt::cast<double>(a <= b)),
  };
  const std::vector<std::pair<Shape, Shape>> shapes = {{{37, 501}, {37, 501}}, {{37, 501}, {501}},  {{37, 501}, {37, 1}},
                                                       {{37, 501}, {}},        {{5, 1, 7}, {3, 1}}, {{300, 1}, {1, 200}}};
  for (const auto& [first, second] : shapes) {
    const Tensor a = draw(first, 0.5, 2, 1), b = draw(second, 0.5, 2, 2);
    CAPTURE(first);
    CAPTURE(second);
    compare(oracles, a, b);
    compare(oracles, b, a);
  }
}

TEST_CASE("xtensor agrees: elementary functions") {
  const std::vector<Oracle> oracles = {
      GRADUS_SAME("neg", -a, -a),
      GRADUS_SAME("abs", abs(a - 1), xt::abs(a - 1)),
      GRADUS_SAME("sign", sign(a - 1), xt::sign(a - 1)),
      GRADUS_SAME("square", square(a), xt::square(a)),
      GRADUS_SAME("sqrt", sqrt(a), xt::sqrt(a)),
      GRADUS_SAME("rsqrt", rsqrt(a), 1 / xt::sqrt(a)),
      GRADUS_SAME("exp", exp(a), xt::exp(a)),
      GRADUS_SAME("expm1", expm1(a), xt::expm1(a)),
      GRADUS_SAME("log", log(a), xt::log(a)),
      GRADUS_SAME("log1p", log1p(a), xt::log1p(a)),
      GRADUS_SAME("sin", sin(a), xt::sin(a)),
      GRADUS_SAME("cos", cos(a), xt::cos(a)),
      GRADUS_SAME("tanh", tanh(a), xt::tanh(a)),
      GRADUS_SAME("erf", erf(a), xt::erf(a)),
      GRADUS_SAME("sigmoid", sigmoid(a), 1 / (1 + xt::exp(-a))),
      GRADUS_SAME("relu", relu(a - 1), xt::maximum(a - 1, 0.0)),
      GRADUS_SAME("clamp", clamp(a, 0.7, 1.3), xt::clip(a, 0.7, 1.3)),
  };
  const Tensor x = draw({41, 333}, 0.01, 3, 3);
  compare(oracles, x, x, 2e-14);  // erf, two ways, is the furthest apart
}
