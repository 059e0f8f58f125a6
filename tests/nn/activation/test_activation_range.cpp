// The activations over the whole range of each dtype: large values, infinities, NaN; and the derivative at each kink.
#include <cmath>
#include <map>

#include "core/autograd/engine.h"
#include "core/tape/grad_mode.h"
#include "nn/activation/activation_table.h"
#include "nn/activation/elu.h"
#include "nn/activation/hard.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/swish.h"
#include "nn/activation/xielu.h"
#include "nn/feed_forward/gate.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;
namespace act = gradus::nn::act;

namespace {

struct ValueAndSlope { Tensor value, slope; };

ValueAndSlope at(const UnaryFunction& f, const std::vector<double>& points, DType dtype = DType::f64) {
  const Tensor x = cast(from_vector(points, {static_cast<int64_t>(points.size())}), dtype).set_requires_grad();
  const Tensor y = f(x);
  return {y.detach(), grad({y}, {x}, {.seeds = {ones_like(y)}})[0]};
}

double slope_at(const UnaryFunction& f, double x) { return at(f, {x}).slope.item(); }

// y = slope·x + offset far to one side
struct Line {
  double slope, offset = 0;
  double operator()(double x) const { return slope == 0 ? offset : slope * x + offset; }
};
struct Sides { Line below, above; };
const std::map<std::string_view, Sides> kSides{
    {"sigmoid", {{0}, {0, 1}}},
    {"tanh", {{0, -1}, {0, 1}}},
    {"relu", {{0}, {1}}},
    {"leaky-relu", {{0.01}, {1}}},
    {"prelu", {{0.25}, {1}}},
    {"relu6", {{0}, {0, 6}}},
    {"elu", {{0, -1}, {1}}},
    {"celu", {{0, -1}, {1}}},
    {"selu", {{0, -1.6732632423543772 * 1.0507009873554805}, {1.0507009873554805}}},
    {"swish", {{0}, {1}}},
    {"silu", {{0}, {1}}},
    {"hardswish", {{0}, {1}}},
    {"mish", {{0}, {1}}},
    {"gelu", {{0}, {1}}},
    {"gelu-tanh", {{0}, {1}}},
    {"quick-gelu", {{0}, {1}}},
    {"softplus", {{0}, {1}}},
    {"hardsigmoid", {{0}, {0, 1}}},
    {"log-sigmoid", {{1}, {0}}},
    {"hardtanh", {{0, -1}, {0, 1}}},
    {"softshrink", {{1, 0.5}, {1, -0.5}}},
    {"hardshrink", {{1}, {1}}},
};

bool of_rows(std::string_view name) { return name == "softmax" || name == "log-softmax" || name == "solu" || name == "poly-norm"; }
// Those that come to no straight line, or to one far out alone; each has a test of its own below.
bool has_no_line(std::string_view name) { return name == "relu2" || name == "softsign" || name == "xielu"; }
double rounding(DType dtype) { return dtype == DType::f16 ? 0x1p-10 : dtype == DType::f32 ? 0x1p-22 : 0x1p-51; }

}  // namespace

TEST_CASE("activations: far out and at ±∞ each is a straight line, value and derivative, in every dtype") {
  for (const DType dtype : {DType::f16, DType::f32, DType::f64}) {
    std::vector<double> points{100, 1e4, kInfinity};
    if (dtype != DType::f16) points.insert(points.begin(), 1e30);
    for (const auto& variant : nn::activations().variants) {
      if (of_rows(variant.name) || has_no_line(variant.name)) continue;
      CAPTURE(variant.name);
      CAPTURE(dtype);
      const auto known = kSides.find(variant.name);
      if (known == kSides.end()) FAIL("new here: say in kSides, above, what straight lines it comes to on the left and on the right");
      const Sides& sides = known->second;
      const nn::LayerPtr layer = variant.value();
      layer->to(dtype);
      for (const double x : points) {
        CAPTURE(x);
        const auto [value, slope] = at([&](const Tensor& t) { return (*layer)(t); }, {-x, x}, dtype);
        CHECK(difference(select(value, 0, 0), tensor(sides.below(-x), DType::f64), rounding(dtype)) == "");
        CHECK(difference(select(value, 0, 1), tensor(sides.above(x), DType::f64), rounding(dtype)) == "");
        CHECK(difference(slope, tensor({sides.below.slope, sides.above.slope}, DType::f64), rounding(dtype)) == "");
      }
    }
  }
}

TEST_CASE("act-relu2: 0 to the left, a parabola to the right, up to ∞") {
  const auto [value, slope] = at(act::relu2, {-kInfinity, -1e4, 100, kInfinity});
  CHECK(to_vector(value) == Values{0, 0, 1e4, kInfinity});
  CHECK(to_vector(slope) == Values{0, 0, 200, kInfinity});
}

TEST_CASE("act-softsign: x / (1 + |x|) far out as near by, and ±1 with slope 0 at ±∞, in every dtype") {
  for (const DType dtype : {DType::f16, DType::f32, DType::f64}) {
    std::vector<double> points{-1e4, -100, -1, 1, 100, 1e4};
    if (dtype != DType::f16) points.insert(points.end(), {-1e30, 1e30, 3e38});
    for (const double x : points) {
      CAPTURE(x);
      CAPTURE(dtype);
      const auto [value, slope] = at(act::softsign, {x}, dtype);
      const double shrink = 1 / (1 + std::abs(x)), smallest = dtype == DType::f64 ? 0 : dtype == DType::f32 ? 1e-7 : 1e-4;
      CHECK(value.item() == doctest::Approx(x * shrink).epsilon(rounding(dtype)).scale(0));
      CHECK(slope.item() == doctest::Approx(shrink * shrink).epsilon(2 * rounding(dtype)).scale(smallest));
    }
    const auto [value, slope] = at(act::softsign, {-kInfinity, kInfinity}, dtype);
    CHECK(to_vector(value) == Values{-1, 1});
    CHECK(to_vector(slope) == Values{0, 0});
  }
}

TEST_CASE("act-xielu: a straight line of slope β - α_n far to the left, a parabola to the right, up to ±∞, in every dtype") {
  const auto y = [](double right, double left) {
    return [=](const Tensor& x) { return nn::xielu(x, scalar_like(x, right), scalar_like(x, left)); };
  };
  for (const DType dtype : {DType::f16, DType::f32, DType::f64}) {
    CAPTURE(dtype);
    const auto far = at(y(0.75, 1.5), {-1e4, 100}, dtype), farthest = at(y(0.75, 1.5), {-kInfinity, kInfinity}, dtype);
    CHECK(difference(far.value, tensor({1e4 - 1.5, 7550}, DType::f64), rounding(dtype)) == "");
    CHECK(difference(far.slope, tensor({-1, 150.5}, DType::f64), rounding(dtype)) == "");
    CHECK(to_vector(farthest.value) == Values{kInfinity, kInfinity});
    CHECK(to_vector(farthest.slope) == Values{-1, kInfinity});
  }
}

TEST_CASE(
    "convention-nan-passes: of every activation at a NaN the value is NaN, and the derivative NaN or a constant but 0, as the formula's") {
  for (const DType dtype : {DType::f16, DType::f32, DType::f64}) {
    for (const auto& variant : nn::activations().variants) {
      CAPTURE(variant.name);
      const nn::LayerPtr layer = variant.value();
      layer->to(dtype);
      const auto [value, slope] = at([&](const Tensor& t) { return (*layer)(t); }, {kNaN}, dtype);
      CHECK(std::isnan(value.item()));
      const bool constant =
          kSides.count(variant.name) != 0 &&
          (variant.name.find("relu") != std::string_view::npos || variant.name.find("hard") == 0 || variant.name == "softshrink") &&
          variant.name != "hardswish";
      CHECK(std::isnan(slope.item()) != (constant && variant.name != "relu2"));
      CHECK(slope.item() != 0);
      const FormulaOnly mode;
      const auto [formula_value, formula_slope] = at([&](const Tensor& t) { return (*layer)(t); }, {kNaN}, dtype);
      CHECK(std::isnan(formula_value.item()));
      CHECK(difference(slope, formula_slope, rounding(dtype)) == "");
    }
  }
}

TEST_CASE("act-relu, act-leaky-relu, act-prelu: with a slope of 0, too, a NaN passes, kernel, formula and gate") {
  for (const bool readable : {false, true}) {
    const FormulaOnly mode(readable);
    const Tensor zero = tensor(0, DType::f64), ones = tensor({1, 1}, DType::f64);
    for (const UnaryFunction& f : {UnaryFunction(act::leaky_relu(0)), UnaryFunction([&](const Tensor& x) { return nn::prelu(x, zero); }),
                                   UnaryFunction([&](const Tensor& x) { return nn::gate(act::relu, x, ones); })}) {
      const auto [value, slope] = at(f, {kNaN, -1});
      CHECK(std::isnan(value.at({0})));
      CHECK(value.at({1}) == 0);
      CHECK(to_vector(slope) == Values{1, 0});
    }
  }
}

TEST_CASE("act-elu, act-celu, act-selu, act-softplus, act-mish: exact to the last digits of their left tails, kernel and formula") {
  using Number = long double;
  struct Curve {
    const char* name;
    UnaryFunction function;
    Number (*value)(Number x);
    Number (*slope)(Number x);
  };
  static constexpr Number alpha = 1.6732632423543772848170429916717L, scale = 1.0507009873554804934193349852946L;
  const auto gate = [](Number x) {  // tanh(log(1 + e^x))
    const Number w = std::exp(x);
    return w * (w + 2) / (w * (w + 2) + 2);
  };
  static const auto mish_gate = gate;
  const Curve curves[] = {
      {"elu", act::elu(0.7), [](Number x) { return 0.7L * std::expm1(x); }, [](Number x) { return 0.7L * std::exp(x); }},
      {"celu", act::celu(1.6), [](Number x) { return 1.6L * std::expm1(x / 1.6L); }, [](Number x) { return std::exp(x / 1.6L); }},
      {"selu", act::selu, [](Number x) { return scale * alpha * std::expm1(x); }, [](Number x) { return scale * alpha * std::exp(x); }},
      {"softplus", act::softplus, [](Number x) { return std::log1p(std::exp(x)); },
       [](Number x) { return std::exp(x) / (1 + std::exp(x)); }},
      {"mish", act::mish, [](Number x) { return x * mish_gate(x); },
       [](Number x) { return mish_gate(x) + x * (1 - mish_gate(x) * mish_gate(x)) * std::exp(x) / (1 + std::exp(x)); }},
  };
  for (const DType dtype : {DType::f32, DType::f64}) {
    std::vector<double> points;
    for (int x = -80; x <= -2; ++x) points.push_back(x);  // mish turns at -1.19, and there is nothing relative to 0
    for (const bool readable : {false, true}) {
      const FormulaOnly mode(readable);
      for (const Curve& curve : curves) {
        const auto [value, slope] = at(curve.function, points, dtype);
        for (std::size_t i = 0; i < points.size(); ++i) {
          CAPTURE(curve.name);
          CAPTURE(dtype);
          CAPTURE(readable);
          CAPTURE(points[i]);
          const auto place = static_cast<int64_t>(i);
          const auto apart = [](double is, Number expected) { return std::abs(static_cast<double>(is / expected - 1)); };
          CHECK(apart(value.at({place}), curve.value(points[i])) < (dtype == DType::f32 ? 1e-6 : 2e-15));
          CHECK(apart(slope.at({place}), curve.slope(points[i])) < (dtype == DType::f32 ? 1e-6 : 2e-15));
        }
      }
    }
  }
}

TEST_CASE("act-softplus: at 0, where its formula changes branches, all derivatives go on: 1/2, 1/4, 0, -1/8") {
  const Tensor x = tensor(0, DType::f64).set_requires_grad();
  Tensor y = nn::formula::softplus(x);
  for (const double expected : {0.5, 0.25, 0.0, -0.125}) {
    y = grad({y}, {x}, {.create_graph = true})[0];
    CHECK(y.item() == doctest::Approx(expected).epsilon(1e-15));
  }
}

TEST_CASE("act-elu, act-celu, act-selu: far to the right the formulas' slopes are those of a line, though e^x overflows there") {
  const FormulaOnly mode;
  CHECK(slope_at(act::elu(1), 1000) == 1);
  CHECK(slope_at(act::celu(1), 1000) == 1);
  CHECK(slope_at(act::selu, 1000) == doctest::Approx(1.0507009873554805).epsilon(1e-15));
}

TEST_CASE("act-celu: below 0 it ends at -α, however small or large, in every dtype") {
  for (const DType dtype : {DType::f16, DType::f32, DType::f64}) {
    for (const double alpha : {0.0625, 8.0}) {
      const auto [value, slope] = at(act::celu(alpha), {-kInfinity, -1e4, 1e4, kInfinity}, dtype);
      CHECK(difference(value, tensor({-alpha, -alpha, 1e4, kInfinity}, DType::f64), rounding(dtype)) == "");
      CHECK(to_vector(slope) == Values{0, 0, 1, 1});
    }
  }
}

TEST_CASE("act-swish: holds for β = 0, negative and large, at ±∞ too") {
  CHECK(to_vector(act::swish(0)(tensor({-kInfinity, kInfinity}))) == Values{-kInfinity, kInfinity});
  CHECK(to_vector(act::swish(-1)(tensor({-kInfinity, kInfinity}))) == Values{-kInfinity, 0});
  CHECK(to_vector(act::swish(1e30)(tensor({-kInfinity, -1, 1, kInfinity}))) == Values{0, 0, 1, kInfinity});
  const Tensor x = tensor({-kInfinity, -1e30, 1e30, kInfinity}), beta = tensor(1).set_requires_grad();
  CHECK(grad({sum(nn::learned_swish(x, beta) * tensor({1, 1, 0, 0}))}, {beta})[0].item() == 0);
}

TEST_CASE("act-relu: the derivative at 0 is 0") {
  CHECK(slope_at([](const Tensor& x) { return relu(x); }, 0) == 0);
  CHECK(slope_at(nn::formula::relu, 0) == 0);
}

TEST_CASE("activations: the derivative at each kink is the documented one, of kernel and formula") {
  for (const bool readable : {false, true}) {
    const FormulaOnly mode(readable);
    CHECK(slope_at(act::leaky_relu(0.25), 0) == 0.25);
    CHECK(slope_at([](const Tensor& x) { return nn::prelu(x, tensor(0.25, DType::f64)); }, 0) == 0.25);
    CHECK(slope_at(act::elu(0.25), 0) == 0.25);
    CHECK(slope_at(act::celu(0.25), 0) == 1);  // no kink
    CHECK(slope_at(act::selu, 0) == doctest::Approx(1.7580993408473766).epsilon(1e-15));
    CHECK(slope_at(act::relu2, 0) == 0);
    CHECK(to_vector(at(act::relu6, {0, 6}).slope) == Values{0, 0});
    CHECK(to_vector(at(act::hardsigmoid, {-3, 3}).slope) == Values{0, 0});
    CHECK(to_vector(at(act::hardswish, {-3, 3}).slope) == Values{0, 1});
    CHECK(slope_at(act::softplus, 0) == 0.5);
    CHECK(slope_at(act::softsign, 0) == 1);
    CHECK(to_vector(at(act::hardtanh(2), {-2, 2}).slope) == Values{0, 0});
    CHECK(to_vector(at(act::softshrink(0.25), {-0.25, 0.25}).slope) == Values{0, 0});
    CHECK(to_vector(at(act::hardshrink(0.25), {-0.25, 0.25}).slope) == Values{0, 0});
    CHECK(to_vector(at(act::hardshrink(0.25), {-0.25, 0.25}).value) == Values{0, 0});
  }
}
