// Derivatives of derivatives: rules are made of ops, so the tape of a backward pass is a tape like any other.
#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "core/tape/node.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

Tensor derivative(const Tensor& y, const Tensor& x) { return grad({sum(y)}, {x}, {.create_graph = true})[0]; }

}  // namespace

TEST_CASE("create_graph: sin has its derivatives, up to the sixth") {
  const Tensor x = leaf({0.3, -1.2});
  Tensor y = sin(x);
  for (int order = 1; order <= 6; ++order) {
    CAPTURE(order);
    y = derivative(y, x);
    const Tensor expected = order % 2 == 0 ? sin(x) : cos(x);
    CHECK(difference(y, order % 4 >= 2 ? -expected : expected, 1e-15) == "");
  }
  CHECK(difference(y, -sin(x), 1e-15) == "");
}

TEST_CASE("create_graph: x³ to 3x², 6x, 6, and then nothing depends on x") {
  const Tensor x = leaf(2);
  const Tensor first = derivative(x * x * x, x), second = derivative(first, x), third = derivative(second, x);
  CHECK(first.item() == 12);
  CHECK(second.item() == 12);
  CHECK(third.item() == 6);
  CHECK(derivative(pow(x, 3), x).item() == 12);
}

TEST_CASE("create_graph: e^x is its own derivative, the output being an input of its rule") {
  const Tensor x = leaf(0.7);
  Tensor y = exp(x);
  for (int order = 1; order <= 5; ++order) y = derivative(y, x);
  CHECK(y.item() == exp(x).item());
}

TEST_CASE("create_graph: mixed second derivatives are symmetric") {
  const Tensor x = leaf(0.4), y = leaf(1.3), z = exp(x * y) * sin(y);
  const Tensors first = grad({z}, {x, y}, {.create_graph = true});
  const double xy = grad({first[0]}, {y}, {.retain_graph = true})[0].item();
  const double yx = grad({first[1]}, {x})[0].item();
  CHECK(xy == doctest::Approx(yx).epsilon(1e-14));
}

TEST_CASE("create_graph: a gradient penalty trains: d/dw of |dy/dx|²") {
  const Tensor w = leaf({{1, 2}, {3, 4}}), x = leaf({1, -1});
  const Tensor slope = grad({sum(square(matmul(w, x)))}, {x}, {.create_graph = true})[0];  // 2 WᵀWx
  sum(square(slope)).backward();
  // d/dW |2WᵀWx|² = 8 (W x sᵀ + W s xᵀ)/2 with s = 2WᵀWx
  const Tensor v = w.detach(), u = x.detach(), s = 2 * matmul(matmul(v, v, {.transpose_a = true}), u);
  const Tensor expected = 4 * (outer(matmul(v, u), s) + outer(matmul(v, s), u));
  CHECK(difference(w.grad(), expected, 1e-14) == "");
}

TEST_CASE("create_graph: a Hessian times a vector needs no Hessian") {
  const Tensor x = leaf({1, 2, 3}), v = tensor({1, 0, -1}, DType::f64);
  const Tensor f = sum(x * x * x);  // H = diag(6x)
  const Tensor slope = grad({f}, {x}, {.create_graph = true})[0];
  CHECK(to_vector(grad({slope}, {x}, {.seeds = {v}})[0]) == Values{6, 0, -18});
}

TEST_CASE("create_graph: the seed is on the tape too") {
  const Tensor x = leaf({1, 2}), seed = leaf({1, 1});
  const Tensor slope = grad({x * x}, {x}, {.seeds = {seed}, .create_graph = true})[0];
  CHECK(to_vector(grad({sum(slope)}, {seed})[0]) == Values{2, 4});
}

TEST_CASE("create_graph: leaves no cycle: all is freed with the last handle") {
  const auto nodes = live_nodes(), tensors = live_tensors();
  {
    const Tensor x = leaf({0.5, 1.5});
    Tensor y = tanh(x) * x;
    for (int order = 0; order < 3; ++order) y = derivative(y, x);
    CHECK(live_nodes() > nodes);
  }
  CHECK(live_nodes() == nodes);
  CHECK(live_tensors() == tensors);
}
