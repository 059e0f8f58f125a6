// What the literature says of the activations.
#include <algorithm>
#include <cmath>

#include "core/autograd/engine.h"
#include "core/tensor/random.h"
#include "nn/activation/elu.h"
#include "nn/activation/gelu.h"
#include "nn/activation/hard.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"
#include "nn/activation/swish.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;
namespace act = gradus::nn::act;

namespace {

Tensor rows_within(double width, std::uint64_t seed) {
  const auto rows = static_cast<int64_t>(1 + seed % 5);
  return draw({rows, 37}, -width, width, seed);
}

Tensor slope(const UnaryFunction& f, const Tensor& points) {
  const Tensor x = points.detached_copy().set_requires_grad();
  const Tensor y = f(x);
  return grad({y}, {x}, {.seeds = {ones_like(y)}})[0];
}

Tensor sigmoid_of(const Tensor& x) { return sigmoid(x); }

}  // namespace

TEST_CASE("act-sigmoid: σ' = σ(1 - σ), which is at most ¼, at 0; the outputs are not centred on 0") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor x = rows_within(8, seed), s = sigmoid(x), d = slope(sigmoid_of, x);
    CHECK(difference(d, s * (1 - s), 1e-15) == "");
    CHECK(max(d).item() <= 0.25);
    CHECK(min(s).item() > 0);
  }
  CHECK(slope(sigmoid_of, tensor(0, DType::f64)).item() == 0.25);
}

TEST_CASE("erratum-1: σ' is f(x)(1 - f(x)) = f(x)f(-x), not f(x)f(1 - x)") {
  const Tensor x = tensor({-2, 0, 0.5, 3}, DType::f64), d = slope(sigmoid_of, x);
  CHECK(difference(d, sigmoid(x) * (1 - sigmoid(x)), 1e-15) == "");
  CHECK(difference(d, sigmoid(x) * sigmoid(-x), 1e-15) == "");
  // At 0 the note's line gives ½σ(1), which is 0.366, more than the largest slope there is.
  const Tensor misread = sigmoid(x) * sigmoid(1 - x);
  CHECK(misread.at({1}) == doctest::Approx(0.5 / (1 + std::exp(-1.0))).epsilon(1e-15));
  CHECK(min(misread - d).item() > 0);  // too large everywhere, since σ(1 - x) > σ(-x)
}

TEST_CASE("act-relu, erratum-11: a unit is dead only if negative on every input, and the layer after it still learns") {
  // Two units of x [3 samples, 1]: the first negative on one sample, the second on all. y = relu(x wᵀ + b) vᵀ.
  const auto leaf = [](const Nested& values) { return tensor(values, DType::f64).set_requires_grad(); };
  const Tensor x = tensor({{-1}, {1}, {2}}, DType::f64), w = leaf({{1}, {1}}), b = leaf({0, -9}), v = leaf({{1, 1}});
  const Tensor hidden = relu(matmul(x, w, {.transpose_b = true}) + b);
  const Tensor y = matmul(hidden, v, {.transpose_b = true});
  const Tensors slopes = grad({sum(y)}, {w, b, v});
  CHECK(to_vector(slopes[0]) == Values{3, 0});
  CHECK(to_vector(slopes[1]) == Values{2, 0});
  CHECK(to_vector(slopes[2]) == Values{3, 0});
}

TEST_CASE("act-tanh: tanh(x) = 2σ(2x) - 1") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor x = rows_within(10, seed);
    CHECK(difference(tanh(x), 2 * sigmoid(2 * x) - 1, 1e-15) == "");
  }
}

TEST_CASE("act-leaky-relu: max(αx, x) for α ≤ 1, and not above") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor x = rows_within(5, seed);
    for (const double slope : {0.0, 0.01, 1.0}) CHECK(equal(act::leaky_relu(slope)(x), maximum(slope * x, x)));
    CHECK(max_difference(act::leaky_relu(2)(x), maximum(2 * x, x)) > 0.1);
  }
}

TEST_CASE("act-elu: the derivative below 0 is y + α, and the outputs' mean is nearer to 0 than ReLU's") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor x = rows_within(3, seed), below = -abs(x);
    CHECK(difference(slope(act::elu(0.7), below), act::elu(0.7)(below) + 0.7, 1e-15) == "");
    CHECK(std::abs(mean(act::elu()(cat({x, -x}, 0))).item()) < mean(relu(cat({x, -x}, 0))).item());
  }
}

TEST_CASE("act-celu: α elu(x/α, 1), so smooth at 0 for every α, where ELU has a kink; the two are one for α = 1") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor x = rows_within(3, seed);
    CHECK(difference(act::celu(0.7)(x), 0.7 * act::elu(1)(x / 0.7), 1e-15) == "");
    CHECK(equal(act::celu(1)(x), act::elu(1)(x)));
  }
  const Tensor beside = tensor({-1e-9, 1e-9}, DType::f64);
  for (const double alpha : {0.25, 4.0}) {
    CHECK(difference(slope(act::celu(alpha), beside), tensor({1, 1}, DType::f64), 1e-8) == "");
    CHECK(difference(slope(act::elu(alpha), beside), tensor({alpha, 1}, DType::f64), 1e-8) == "");
  }
}

TEST_CASE("act-elu, act-celu: at 0 the second derivative is that from the left, α and 1/α") {
  const auto second = [](const UnaryFunction& f) {
    const Tensor x = tensor(0, DType::f64).set_requires_grad();
    return grad({grad({f(x)}, {x}, {.create_graph = true})[0]}, {x})[0].item();
  };
  for (const double alpha : {0.25, 4.0}) {
    CHECK(second(act::elu(alpha)) == alpha);
    CHECK(second(act::celu(alpha)) == 1 / alpha);
  }
}

TEST_CASE("act-selu: normal numbers keep mean 0 and variance 1") {
  Generator generator(1);
  const Tensor y = act::selu(randn({1'000'000}, DType::f64, generator));
  CHECK(std::abs(mean(y).item()) < 5e-3);  // five standard errors
  CHECK(std::abs(var(y).item() - 1) < 1e-2);
}

TEST_CASE("act-swish: β → 0 gives x/2, β → ∞ gives ReLU") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor x = rows_within(5, seed);
    CHECK(equal(act::swish(0)(x), x / 2));
    CHECK(difference(act::swish(1e-6)(x), x / 2, 25e-6) == "");      // x²β/4 is the next term
    CHECK(difference(act::swish(1e6)(x), relu(x), 0.279e-6) == "");  // the dip is 0.278/β
  }
}

TEST_CASE("act-swish: for β = 1 the minimum is -0.278, at -1.278, and there the derivative is 0") {
  const Tensor x = linspace(-3, 0, 300'001, DType::f64), y = act::silu(x);
  const auto lowest = static_cast<int64_t>(argmin(y).item());
  CHECK(y.at({lowest}) == doctest::Approx(-0.278464542761).epsilon(1e-11));
  CHECK(x.at({lowest}) == doctest::Approx(-1.278464542761).epsilon(1e-5));  // it is y - 1
  CHECK(std::abs(slope(act::silu, tensor(-1.278464542761074, DType::f64)).item()) < 1e-12);
}

TEST_CASE("act-silu: is Swish with β = 1; the derivative is σ(1 + x(1 - σ))") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor x = rows_within(8, seed), s = sigmoid(x);
    CHECK(equal(act::silu(x), act::swish(1)(x)));
    CHECK(difference(slope(act::silu, x), s * (1 + x * (1 - s)), 1e-15) == "");
  }
}

TEST_CASE("act-gelu: gelu(x) - gelu(-x) = x, and the mean of x·[z < x] for a normal z") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor x = rows_within(5, seed);
    CHECK(difference(act::gelu(x) - act::gelu(-x), x, 1e-15) == "");
  }
  Generator generator(2);
  const Tensor z = randn({1'000'000}, DType::f64, generator);
  const double below = mean(cast(lt(z, tensor(0.5, DType::f64)), DType::f64)).item();
  CHECK(std::abs(0.5 * below - act::gelu(tensor(0.5, DType::f64)).item()) < 1.2e-3);  // five standard errors
}

TEST_CASE("convention-gelu-erf-or-tanh, erratum-18: the two differ by at most 4.7324e-4, at |x| = 2.6989") {
  const Tensor x = linspace(-6, 6, 1'200'001, DType::f64), apart = abs(act::gelu(x) - act::gelu_tanh(x));
  CHECK(max(apart).item() == doctest::Approx(4.73235520686e-4).epsilon(1e-9));
  CHECK(std::abs(x.at({static_cast<int64_t>(argmax(apart).item())})) == doctest::Approx(2.69894).epsilon(1e-5));
}

TEST_CASE("act-quick-gelu: Swish with β = 1.702; it differs from gelu by at most 2.0335e-2, at |x| = 2.2704") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor x = rows_within(8, seed);
    CHECK(equal(act::quick_gelu(x), act::swish(1.702)(x)));
  }
  const Tensor x = linspace(-6, 6, 1'200'001, DType::f64), apart = abs(act::gelu(x) - act::quick_gelu(x));
  CHECK(max(apart).item() == doctest::Approx(0.0203348722).epsilon(1e-8));
  CHECK(std::abs(x.at({static_cast<int64_t>(argmax(apart).item())})) == doctest::Approx(2.27040).epsilon(1e-5));
}

TEST_CASE("act-gelu: in 32 bits the tail is right relative to itself, value and derivative") {
  const Tensor x = linspace(-8, -0.01, 800), y = act::gelu(x), dy = slope(act::gelu, x);
  for (int64_t i = 0; i < x.numel(); ++i) {
    const double at = x.data<float>()[i], below = std::erfc(-at / std::sqrt(2)) / 2;
    const double bell = std::exp(-at * at / 2) / std::sqrt(2 * std::acos(-1.0));
    CAPTURE(at);
    CHECK(y.data<float>()[i] == doctest::Approx(at * below).epsilon(2e-6).scale(0));
    if (at < -2) CHECK(dy.data<float>()[i] == doctest::Approx(below + at * bell).epsilon(4e-6).scale(0));
  }
}

TEST_CASE("act-gelu-tanh: ½(1 + tanh u) = σ(2u)") {
  const Tensor x = rows_within(5, 3), u = std::sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x);
  CHECK(difference(act::gelu_tanh(x), x * sigmoid(2 * u), 1e-15) == "");
}

TEST_CASE("act-softplus: above ReLU by log 2 at most, at 0; softplus(x) - softplus(-x) = x; its derivative is σ") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor x = rows_within(30, seed), above = act::softplus(x) - relu(x);
    CHECK(min(above).item() > 0);
    CHECK(max(above).item() <= std::log(2.0));
    CHECK(difference(act::softplus(x) - act::softplus(-x), x, 1e-15) == "");
    CHECK(difference(slope(act::softplus, x), sigmoid(x), 1e-15) == "");
  }
}

TEST_CASE("act-log-sigmoid: the logarithm of the sigmoid; log σ(x) - log σ(-x) = x; its slope is σ(-x)") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor x = rows_within(30, seed), y = act::log_sigmoid(x);
    CHECK(difference(y, log(sigmoid(x)), 1e-14) == "");
    CHECK(difference(y - act::log_sigmoid(-x), x, 1e-15) == "");
    CHECK(difference(slope(act::log_sigmoid, x), sigmoid(-x), 1e-15) == "");
    CHECK(max(y).item() < 0);
  }
}

TEST_CASE("act-softsign: odd, below 1, undone by y / (1 - |y|); to the right it misses 1 by 1 / (1 + x), more than tanh does") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor x = rows_within(20, seed), y = act::softsign(x), positive = abs(x);
    CHECK(equal(act::softsign(-x), -y));
    CHECK(max(abs(y)).item() < 1);
    CHECK(difference(y / (1 - abs(y)), x, 1e-14) == "");
    CHECK(difference(1 - act::softsign(positive), 1 / (1 + positive), 1e-15) == "");
    CHECK(min(tanh(positive) - act::softsign(positive)).item() >= 0);
  }
}

TEST_CASE("act-hardtanh: 2 hardsigmoid(3x) - 1; its complement is softshrink: the two add up to x") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor x = rows_within(4, seed);
    CHECK(difference(act::hardtanh()(x), 2 * act::hardsigmoid(3 * x) - 1, 1e-15) == "");
    for (const double size : {0.25, 1.0, 2.5}) CHECK(difference(act::hardtanh(size)(x) + act::softshrink(size)(x), x, 1e-15) == "");
  }
}

TEST_CASE("act-softshrink, act-hardshrink: of all y they cost least, (y - x)² / 2 + λ|y|, and + λ²/2 for a y that is not 0") {
  const double threshold = 0.75;
  const Tensor y = linspace(-4, 4, 8001, DType::f64), counts = cast(ne(y, 0), DType::f64);
  for (double x = -3; x <= 3; x += 0.125) {
    if (std::abs(x) == threshold) continue;  // there hardshrink's 0 and x cost the same
    CAPTURE(x);
    const Tensor apart = 0.5 * square(y - x);
    const auto cheapest = [&](const Tensor& cost) { return y.at({static_cast<int64_t>(argmin(cost).item())}); };
    const Tensor at_x = tensor(x, DType::f64);
    CHECK(act::softshrink(threshold)(at_x).item() == doctest::Approx(cheapest(apart + threshold * abs(y))).epsilon(1e-9));
    CHECK(act::hardshrink(threshold)(at_x).item() == doctest::Approx(cheapest(apart + 0.5 * threshold * threshold * counts)).epsilon(1e-9));
  }
}

TEST_CASE("act-hardsigmoid, act-hardswish: near the curves they stand for") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Tensor x = rows_within(8, seed);
    CHECK(max_difference(act::hardsigmoid(x), sigmoid(x)) < 0.08);
    CHECK(max_difference(act::hardswish(x), act::silu(x)) < 0.15);
    CHECK(difference(act::hardswish(x), x * act::hardsigmoid(x), 1e-15) == "");
  }
}
