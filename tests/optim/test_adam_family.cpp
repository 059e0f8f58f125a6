// Adam's relatives: each with options that are not its defaults, in plain numbers; and conventions, by their exact
// difference.
#include <cmath>

#include "core/composites/composites.h"
#include "core/tape/grad_mode.h"
#include "optim/optim.h"
#include "tests/optim/make.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// θ after each of some steps, one gradient a step. Group decay is the options'.
template <typename T, typename Options>
std::vector<double> path(double start, const std::vector<double>& gradients, double lr, Options options) {
  const Tensor x = parameter(f64({start}));
  T optimizer({{.parameters = {{"x", x}}}}, options);
  std::vector<double> values;
  for (const double g : gradients) {
    x.set_grad(f64({g}));
    optimizer.step(lr);
    values.push_back(x.item());
  }
  return values;
}

// The next θ by θ, its gradient and the step's number.
using Rule = std::function<double(double theta, double g, int t)>;

// That twelve steps follow the rule.
template <typename T, typename Options> void follows(Options options, const Rule& rule) {
  const std::vector<double> gradients{0.5, -2, 0.1, 0.1, 0, 3, -1, -1, 0.2, 4, -0.3, 0.7};
  const std::vector<double> found = path<T>(2, gradients, 0.05, options);
  double theta = 2;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    CAPTURE(i);
    theta = rule(theta, gradients[i], static_cast<int>(i) + 1);
    CHECK(found[i] == doctest::Approx(theta).epsilon(1e-13));
  }
}

// The lengths of the steps from 0 with rate 1.
template <typename T, typename Options> std::vector<double> lengths(const std::vector<double>& gradients, Options options) {
  std::vector<double> values = path<T>(0, gradients, 1, options);
  for (std::size_t i = values.size() - 1; i > 0; --i) values[i] = values[i - 1] - values[i];
  values[0] = -values[0];
  return values;
}

doctest::Approx near(double value) { return doctest::Approx(value).epsilon(1e-13); }

}  // namespace

TEST_CASE("optim-amsgrad: in plain numbers, with options that are not the defaults; a coupled decay and a decoupled one") {
  for (const bool coupled : {true, false}) {
    double m = 0, v = 0, largest = 0;
    const Rule rule = [&](double x, double g, int t) {
      if (coupled) g += 0.3 * x;
      m = 0.7 * m + 0.3 * g;
      v = 0.6 * v + 0.4 * g * g;
      largest = std::max(largest, v);
      const double root = std::sqrt(largest / (1 - std::pow(0.6, t)));
      return x * (coupled ? 1 : 1 - 0.05 * 0.3) - 0.05 * m / (1 - std::pow(0.7, t)) / (root + 0.1);
    };
    if (coupled) {
      follows<optim::Adam>(optim::AdamOptions{.beta1 = 0.7, .beta2 = 0.6, .eps = 0.1, .weight_decay = 0.3, .amsgrad = true}, rule);
    } else {
      follows<optim::AdamW>(optim::AdamWOptions{.beta1 = 0.7, .beta2 = 0.6, .eps = 0.1, .weight_decay = 0.3, .amsgrad = true}, rule);
    }
  }
}

TEST_CASE("convention-skipped-steps: a first gradient in step 1000 moves by 2.51 lr, as t is the optimizer's; by t of the parameter 1 lr") {
  const Tensor late = parameter(f64({0})), steady = parameter(f64({0}));
  const auto step = [&](auto& optimizer, bool both) {
    steady.set_grad(f64({1}));
    if (both) late.set_grad(f64({1}));
    optimizer.step();
  };
  optim::Adam optimizer({{.parameters = {{"late", late}, {"steady", steady}}}}, {.lr = 1, .eps = 1e-30});
  for (int i = 1; i < 1000; ++i) step(optimizer, false);
  CHECK(late.item() == 0);  // a step without a gradient is none
  step(optimizer, true);
  CHECK(-late.item() == near((1 - 0.9) / (1 - std::pow(0.9, 1000)) * std::sqrt((1 - std::pow(0.999, 1000)) / (1 - 0.999))));
  CHECK(-late.item() == doctest::Approx(2.5146).epsilon(1e-4));
  // In PyTorch 2.15 it is 1: there each parameter counts for itself, as if it had an optimizer of its own.
  CHECK(lengths<optim::Adam>({1}, optim::AdamOptions{.eps = 1e-30})[0] == near(1));
}

TEST_CASE("optim-amsgrad: its maximum is a part of the state, and of no other Adam's; a run goes on with it bit by bit") {
  const std::vector<double> gradients{5, 0.1, 0.1, 0.2, -0.1, 0.3};
  Tensor x = parameter(f64({1})), y = parameter(f64({7}));
  optim::Adam first(NamedTensors{{"x", x}}, {.amsgrad = true}), second(NamedTensors{{"x", y}}, {.amsgrad = true});
  CHECK(optim::Adam(NamedTensors{{"x", x}}).state().size() == 2);
  CHECK(optim::AdamW(NamedTensors{{"x", x}}).state().size() == 2);
  REQUIRE(first.state().size() == 3);
  CHECK(first.state()[2].name == "largest/x");
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (i == 3) {
      y.assign(x);
      second.load_state(first.state(), first.steps());
    }
    for (const Tensor& p : {x, y}) p.set_grad(f64({gradients[i]}));
    first.step(0.1);
    second.step(0.1);
  }
  CHECK(x.item() == y.item());
}

TEST_CASE(
    "convention-amsgrad-maximum-before-or-after-correction: after a gradient of 1 and none, the second step is "
    "√(1 + β₂) times as long if the maximum is of v before the correction") {
  const double beta1 = 0.9, beta2 = 0.999, m_hat = beta1 * (1 - beta1) / (1 - beta1 * beta1);
  const auto second_step = [&](bool amsgrad) {
    return lengths<optim::Adam>({1, 0}, optim::AdamOptions{.eps = 1e-300, .amsgrad = amsgrad})[1];
  };
  const double after = m_hat;  // the maximum of 1, of the first step, and β₂ / (1 + β₂)
  CHECK(second_step(true) == near(after * std::sqrt(1 + beta2)));
  CHECK(second_step(false) == near(after * std::sqrt((1 + beta2) / beta2)));  // Adam, without a maximum
  // The paper corrects neither: its first step would be (1 - β₁) / √(1 - β₂) = 3.16 lr long, and is lr.
  CHECK(lengths<optim::Adam>({1}, optim::AdamOptions{.eps = 1e-300, .amsgrad = true})[0] == near(1));
}

TEST_CASE("optim-nadam: in plain numbers, with options that are not the defaults") {
  double m = 0, v = 0, product = 1;
  const auto mu = [](int t) { return 0.7 * (1 - std::pow(0.96, t * 0.2) / 2); };
  follows<optim::NAdam>(optim::NAdamOptions{.beta1 = 0.7, .beta2 = 0.6, .eps = 0.1, .momentum_decay = 0.2, .weight_decay = 0.3},
                        [&](double x, double g, int t) {
                          g += 0.3 * x;
                          m += 0.3 * (g - m);
                          v += 0.4 * (g * g - v);
                          product *= mu(t);
                          const double ahead = mu(t + 1) * m / (1 - product * mu(t + 1)), now = (1 - mu(t)) * g / (1 - product);
                          return x - 0.05 * (ahead + now) / (std::sqrt(v / (1 - std::pow(0.6, t))) + 0.1);
                        });
}

TEST_CASE("optim-nadam: μ counts the optimizer's steps, the product of the μ the parameter's") {
  const Tensor x = parameter(f64({0})), other = parameter(f64({0}));
  optim::NAdam optimizer({{.parameters = {{"x", x}, {"other", other}}}}, {.eps = 1e-300, .momentum_decay = 1});
  other.set_grad(f64({1}));
  optimizer.step(1);
  x.set_grad(f64({1}));
  optimizer.step(1);
  const auto mu = [](int t) { return 0.9 * (1 - std::pow(0.96, t) / 2); };
  const double v_hat = 0.001 / (1 - 0.999 * 0.999);
  CHECK(x.item() == doctest::Approx(-(1 + mu(3) * 0.1 / (1 - mu(2) * mu(3))) / std::sqrt(v_hat)).epsilon(1e-12));
}

TEST_CASE(
    "convention-nadam-momentum: the first step is 1.056 lr with PyTorch's running mean, 1.310 lr with Dozat's, 1.063 lr "
    "with the ψ of Keras") {
  const auto first = [](double psi) { return lengths<optim::NAdam>({3}, optim::NAdamOptions{.eps = 1e-300, .momentum_decay = psi})[0]; };
  const double mu1 = 0.9 * (1 - 0.5 * std::pow(0.96, 0.004)), mu2 = 0.9 * (1 - 0.5 * std::pow(0.96, 0.008));
  const double dozat = 1 + mu2 * (1 - mu1) / (1 - mu1 * mu2);
  CHECK(first(0.004) == doctest::Approx(1.0564517783553882).epsilon(1e-12));
  CHECK(dozat == doctest::Approx(1.310443303805727).epsilon(1e-12));
  CHECK(dozat - first(0.004) == doctest::Approx(mu2 * (0.9 - mu1) / (1 - mu1 * mu2)).epsilon(1e-12));
  CHECK(first(1) == doctest::Approx(1.0627878033087703).epsilon(1e-12));
}

TEST_CASE("optim-radam: in plain numbers, with options that are not the defaults") {
  for (const double threshold : {4.0, 7.0}) {
    double m = 0, v = 0;
    follows<optim::RAdam>(optim::RAdamOptions{.beta1 = 0.7, .beta2 = 0.9, .eps = 0.1, .threshold = threshold, .weight_decay = 0.3},
                          [&](double x, double g, int t) {
                            g += 0.3 * x;
                            m += 0.3 * (g - m);
                            v += 0.1 * (g * g - v);
                            const double m_hat = m / (1 - std::pow(0.7, t)), past = std::pow(0.9, t);
                            const double rho = 19 - 2 * t * past / (1 - past);
                            if (rho <= threshold) return x - 0.05 * m_hat;
                            const double r = std::sqrt((rho - 4) / 15 * (rho - 2) / 17 * 19 / rho);
                            return x - 0.05 * m_hat * r * std::sqrt(1 - past) / (std::sqrt(v) + 0.1);
                          });
  }
}

TEST_CASE(
    "convention-radam-threshold: a threshold of 5 trusts v from the sixth step on, one of 4 from the fifth; there a "
    "step has 0.0173 of Adam's length") {
  const std::vector<double> twos(7, 2);  // m̂ = 2, m̂/√v̂ = 1
  const auto of = [&](double threshold) { return lengths<optim::RAdam>(twos, optim::RAdamOptions{.eps = 1e-300, .threshold = threshold}); };
  const std::vector<double> by_5 = of(5), by_4 = of(4);
  const auto about = [](double value) { return doctest::Approx(value).epsilon(1e-10); };
  for (std::size_t i = 0; i < 5; ++i) CHECK(by_5[i] == about(2));
  CHECK(by_5[5] == about(0.02582111280185855));
  for (std::size_t i = 0; i < 4; ++i) CHECK(by_4[i] == about(2));
  CHECK(by_4[4] == about(0.017311503166315034));
  CHECK(by_4[5] == about(by_5[5]));
}

TEST_CASE("optim-adamax: in plain numbers, with options that are not the defaults") {
  double m = 0, u = 0;
  follows<optim::Adamax>(optim::AdamaxOptions{.beta1 = 0.7, .beta2 = 0.6, .eps = 0.1, .weight_decay = 0.3}, [&](double x, double g, int t) {
    g += 0.3 * x;
    m += 0.3 * (g - m);
    u = std::max(0.6 * u, std::abs(g) + 0.1);
    return x - 0.05 * m / (1 - std::pow(0.7, t)) / u;
  });
}

TEST_CASE("optim-adamax: no step is longer than 1.009 lr, which gradients that shrink by β₂ come to") {
  std::vector<double> gradients;
  for (int i = 0; i < 300; ++i) gradients.push_back(std::pow(0.999, i));
  const double last = lengths<optim::Adamax>(gradients, optim::AdamaxOptions{.eps = 1e-300}).back();
  CHECK(last == doctest::Approx(0.1 / (1 - 0.9 / 0.999)).epsilon(1e-9));
  CHECK(last == doctest::Approx(1.0090).epsilon(1e-4));
}

TEST_CASE(
    "convention-adamax-eps: ε stands in the maximum, as in PyTorch; in the division, as in Keras, it weighs from step to "
    "step the same; without it, as in the paper, a gradient of 0 is 0/0") {
  const auto steps = lengths<optim::Adamax>({3, 0}, optim::AdamaxOptions{.eps = 0.5});
  const double m_hat = 0.9 * 0.1 * 3 / (1 - 0.81);
  const double keras = m_hat / (0.999 * 3 + 0.5), paper = m_hat / (0.999 * 3);
  CHECK(steps[0] == near(3 / 3.5));  // Keras' too; the paper's is 1
  CHECK(steps[1] == near(m_hat / (0.999 * 3.5)));
  CHECK(steps[1] / keras == near(3.497 / 3.4965));
  CHECK(steps[1] / paper == near(3 / 3.5));
  CHECK(lengths<optim::Adamax>({0}, optim::AdamaxOptions{})[0] == 0);
}

TEST_CASE("optim-adadelta: in plain numbers, with options that are not the defaults") {
  double v = 0, s = 0;
  follows<optim::Adadelta>(optim::AdadeltaOptions{.rho = 0.7, .eps = 0.1, .weight_decay = 0.3}, [&](double x, double g, int) {
    g += 0.3 * x;
    v += 0.3 * (g * g - v);
    const double step = g * std::sqrt((s + 0.1) / (v + 0.1));
    s += 0.3 * (step * step - s);
    return x - 0.05 * step;
  });
}

TEST_CASE(
    "convention-adadelta-rate: the rate multiplies the step and nothing else, so that by Keras' 0.001 each step is a "
    "thousandth of the paper's") {
  const std::vector<double> gradients{1, -3, 0.2, 5};
  const Tensor x = parameter(f64({0}));
  optim::Adadelta paper(NamedTensors{{"x", x}});
  const auto slow = path<optim::Adadelta>(0, gradients, 0.001, optim::AdadeltaOptions{});
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    x.set_grad(f64({gradients[i]}));
    paper.step();
    CHECK(x.item() == doctest::Approx(1000 * slow[i]).epsilon(1e-12));
    if (i == 0) CHECK(x.item() == near(-std::sqrt(1e-6 / (0.1 + 1e-6))));
  }
}

TEST_CASE("optim-adam: moments of another shape or dtype are refused before anything is written") {
  Tensor x = parameter(f64({1, 2, 3})), m = zeros({1}, DType::f64), v = zeros({3}, DType::f64), narrow = zeros({3});
  x.set_grad(f64({1, 1, 1}));
  const NoGrad off;
  const optim::AdamStep step{.lr = 0.1, .beta1 = 0.9, .beta2 = 0.99, .eps = 1e-8, .t = 1};
  CHECK_THROWS_WITH_AS(optim::adam(x, m, v, step), "adam: θ has shape [3], but a moment [1]", ShapeError);
  CHECK_THROWS_WITH_AS(optim::adam(x, v, narrow, step), "adam: θ is f64, but a moment f32", DTypeError);
  CHECK_THROWS_AS(optim::adam(x, v, v, step, m), ShapeError);
  CHECK(to_vector(x) == std::vector<double>{1, 2, 3});
}
