// SoLU, xIELU and PolyNorm: the values of other libraries, and what their papers say of them.
#include <cmath>

#include "core/autograd/engine.h"
#include "core/inspect/gradcheck.h"
#include "nn/activation/elu.h"
#include "nn/activation/poly_norm.h"
#include "nn/activation/softmax.h"
#include "nn/activation/xielu.h"
#include "nn/feed_forward/feed_forward.h"
#include "nn/norm/layer_norm.h"
#include "tests/support/check.h"
#include "tests/support/check_fused.h"
#include "tests/support/fixture.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

std::string published(const std::string& name, const TensorFunction& f) { return against_pytorch(name, f, "published.safetensors"); }

std::string derivatives(const TensorFunction& f, const Tensors& inputs) {
  const GradcheckReport first = gradcheck(f, inputs), second = gradgradcheck(f, inputs);
  return (first.passed ? "" : first.text) + (second.passed ? "" : second.text);
}

const TensorFunction xielu = [](const Tensors& in) { return nn::xielu(in[0], in[1], in[2]); };
const TensorFunction poly_norm = [](const Tensors& in) { return nn::poly_norm(in[0], in[1], in[2]); };

Tensor number(double value) { return tensor(value, DType::f64); }

Tensor slope_of(const std::function<Tensor(const Tensor&)>& f, const Tensor& points) {
  const Tensor x = points.detached_copy().set_requires_grad();
  return grad({sum(f(x))}, {x})[0];
}

}  // namespace

TEST_CASE("act-solu: the fast path is the formula, x ⊙ softmax(x)") {
  const TensorFunction fast = [](const Tensors& in) { return nn::solu(in[0]); };
  const TensorFunction formula = [](const Tensors& in) { return nn::formula::solu(in[0]); };
  CHECK(check_fused("solu", fast, formula, {draw({3, 7}, -3, 3, 1)}) == "");
  CHECK(check_fused("solu of many", fast, formula, {draw({9, 131}, -3, 3, 2)}, {.differences = false}) == "");
}

TEST_CASE("convention-solu-norm: with layer norm after it, it is x-transformers' SoLU, as a feed-forward layer's inner norm gives it") {
  CHECK(published("solu", [](const Tensors& in) { return nn::layer_norm(nn::solu(in[0]), {in[0].size(-1)}, in[1]); }) == "");
  nn::FeedForward layer(nn::act::solu,
                        {.d_model = 3, .d_ff = 5, .inner_norm = [](int64_t width) { return std::make_unique<nn::LayerNorm>(width); }});
  const Tensor x = randn({2, 3}), hidden = nn::solu(layer.w1(x));
  CHECK(equal(layer(x), layer.w2(nn::layer_norm(hidden, {5}))));
  // Without it the layer's values shrink with its width: those of n equal numbers c are c/n.
  CHECK(difference(nn::solu(full({2, 8}, 3, DType::f64)), full({2, 8}, 3.0 / 8, DType::f64), 1e-15) == "");
}

TEST_CASE("act-solu: the largest of a row is nearly as it is, the others nearly 0, the farther apart they are the more") {
  const Tensor x = tensor({{1, 2, 4, -3}}, DType::f64);
  CHECK(difference(nn::solu(30 * x) / 30, tensor({{0, 0, 4, 0}}, DType::f64), 1e-12) == "");
  CHECK(difference(nn::solu(flip(x, -1)), flip(nn::solu(x), -1), 1e-15) == "");  // in any order
}

TEST_CASE("act-xielu: values and gradients are those of transformers; derivatives equal differences") {
  CHECK(published("xielu", [](const Tensors& in) { return nn::xielu(in[0], nn::act::softplus(in[1]), 0.5 + nn::act::softplus(in[2])); }) ==
        "");
  CHECK(derivatives(xielu, {draw({3, 7}, -3, 3, 1), number(0.7), number(1.3)}) == "");
}

TEST_CASE("act-xielu: it is the integral of 2α_p x + β and α_n ELU(x) + β, so smooth at 0; each α has its own side") {
  const Tensor x = draw({40}, -4, 4, 3), right = number(0.7).set_requires_grad(), left = number(1.3).set_requires_grad();
  const Tensor slope = slope_of([&](const Tensor& t) { return nn::xielu(t, right.detach(), left.detach(), 0.25); }, x);
  CHECK(difference(slope, where(x > 0, 1.4 * x, 1.3 * nn::act::elu(1)(x)) + 0.25, 1e-14) == "");
  CHECK(nn::xielu(number(0), right, left).item() == 0);
  const auto alphas = [&](const Tensor& at) { return grad({sum(nn::xielu(at, right, left))}, {right, left}); };
  CHECK(alphas(-abs(x))[0].item() == 0);
  CHECK(alphas(abs(x))[1].item() == 0);
  CHECK(alphas(abs(x))[0].item() == doctest::Approx(sum(square(x)).item()));
}

TEST_CASE("act-xielu: as a layer it starts at α_p = α_n = 0.8 and is least at ln(1 - β/α_n), and both α learn") {
  nn::XIELU layer;
  layer.to(DType::f64);
  const Tensor x = draw({40}, -4, 4, 3);
  CHECK(difference(layer(x), nn::xielu(x, number(0.8), number(0.8)), 1e-6) == "");
  CHECK(std::abs(slope_of([&](const Tensor& t) { return layer(t); }, tensor({std::log(1 - 0.5 / 0.8)}, DType::f64)).item()) < 1e-6);
  const Tensors gradients = grad({sum(layer(x))}, {layer.right, layer.left});
  CHECK(gradients[0].item() > 0.1);
  CHECK(gradients[1].item() > 0.1);
  nn::XIELU other({.right = 2, .left = 3, .beta = 1});
  other.to(DType::f64);
  CHECK(difference(other(x), nn::xielu(x, number(2), number(3), 1), 1e-6) == "");
}

TEST_CASE("convention-xielu-near-zero: elsewhere y is α_n (e^(-10⁻⁶) - 1) at 0, and e^x is constant up to there") {
  // transformers: where(x > 0, …, (expm1(min(x, ε)) - x) α_n + βx) with ε = -10⁻⁶
  const auto elsewhere = [](double x) { return (std::expm1(std::min(x, -1e-6)) - x) * 0.8 + 0.5 * x; };
  const auto here = [](double x) { return nn::xielu(number(x), number(0.8), number(0.8)).item(); };
  CHECK(here(0) == 0);
  CHECK(elsewhere(0) == doctest::Approx(-8e-7).epsilon(1e-6));
  CHECK(elsewhere(-5e-7) - here(-5e-7) == doctest::Approx(-4e-7).epsilon(1e-5));
  for (const double x : {-1e-6, -0.5, -3.0}) CHECK(elsewhere(x) == doctest::Approx(here(x)).epsilon(1e-14));
}

TEST_CASE("act-poly-norm: values and gradients are those of its formula in PyTorch; derivatives equal differences") {
  CHECK(published("poly_norm", poly_norm) == "");
  CHECK(derivatives(poly_norm, {draw({2, 5}, -2, 2, 1), draw({3}, -1, 1, 2), number(0.3)}) == "");
}

TEST_CASE("act-poly-norm: each power has mean square 1 times its weight; a row's size does not count, its sign does for odd powers") {
  const Tensor x = draw({4, 16}, -2, 2, 5);
  for (int64_t power = 0; power < 3; ++power) {
    CAPTURE(power);
    const auto of = [&](int64_t one) { return power == one ? 3.0 : 0.0; };
    const Tensor weight = tensor({of(0), of(1), of(2)}, DType::f64);
    const Tensor y = nn::poly_norm(x, weight, number(0), 0);
    CHECK(difference(mean(square(y), -1), full({4}, 9, DType::f64), 1e-13) == "");
    CHECK(difference(nn::poly_norm(5 * x, weight, number(0), 0), y, 1e-14) == "");
    CHECK(difference(nn::poly_norm(-x, weight, number(0), 0), power == 1 ? y : -y, 1e-14) == "");
  }
  CHECK(equal(nn::poly_norm(x, zeros({3}, DType::f64), number(7)), full({4, 16}, 7, DType::f64)));
  nn::PolyNorm layer;
  CHECK(equal(layer.weight, full({3}, 1.0 / 3)));
  CHECK(layer.bias.item() == 0);
  CHECK(difference(layer(cast(x, DType::f32)), cast(nn::poly_norm(x, full({3}, 1.0 / 3, DType::f64), number(0)), DType::f32), 1e-6) == "");
}

TEST_CASE("convention-poly-norm-mean: divided by the length, as the paper writes, the powers are smaller by √n; the code counts from x³") {
  const Tensor x = draw({4, 16}, -2, 2, 5), weight = tensor({1, 0, 0}, DType::f64);
  const Tensor by_length = x / sqrt(sum(square(x), -1, true));
  CHECK(difference(nn::poly_norm(x, weight, number(0), 0), 4 * by_length, 1e-14) == "");
  const Tensor cubes = x * x * x, published_first = cubes / sqrt(mean(square(cubes), -1, true));
  CHECK(difference(nn::poly_norm(x, flip(weight, 0), number(0), 0), published_first, 1e-14) == "");
}
