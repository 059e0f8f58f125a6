// What relu, clamp, maximum, minimum, max and min choose, and where a rule of pow chooses: kinks, ties and NaN.
#include <cmath>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "tests/core/ops/gradient.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("convention-nan-passes: relu, clamp, maximum, minimum, max and min: no gradient ends at a NaN, of first and second order") {
  for (const DType dtype : {DType::f16, DType::f32, DType::f64}) {
    CAPTURE(dtype);
    const Tensor x = tensor({kNaN, 2}, dtype).set_requires_grad(), y = tensor({1, kNaN}, dtype).set_requires_grad();
    CHECK(to_vector(gradient(relu(x), x)) == Values{1, 1});
    CHECK(to_vector(gradient(clamp(x, -1, 1), x)) == Values{1, 0});
    using Binary = Tensor (*)(const Tensor&, const Tensor&);
    for (const Binary op : std::initializer_list<Binary>{maximum, minimum}) {  // neither is the larger: they share
      const Tensors both = grad({sum(op(x, y))}, {x, y});
      CHECK(to_vector(both[0]) == Values{0.5, 0.5});
      CHECK(to_vector(both[1]) == Values{0.5, 0.5});
    }
    for (const auto op : {max, min}) CHECK(to_vector(gradient(op(x, {}, false), x)) == Values{0.5, 0.5});
    const Tensor slope = grad({sum(relu(x * x))}, {x}, {.create_graph = true})[0];  // 2x, of slope 2
    CHECK(to_vector(grad({sum(slope)}, {x})[0]) == Values{2, 2});
  }
}

TEST_CASE("max, min: of two they are maximum and minimum, value and gradient, equal ones, infinities and NaN too") {
  const Tensor a = tensor({1, 2, kInfinity, -kInfinity, kNaN, 0, kNaN, -1}, DType::f64).set_requires_grad();
  const Tensor b = tensor({1, -2, kInfinity, -kInfinity, 0, kNaN, kNaN, kInfinity}, DType::f64).set_requires_grad();
  const auto same = [&](const Tensor& one, const Tensor& other) {
    CHECK(difference(one, other, 0) == "");
    const Tensors left = grad({sum(one)}, {a, b}), right = grad({sum(other)}, {a, b});
    for (std::size_t i = 0; i < 2; ++i) CHECK(to_vector(left[i]) == to_vector(right[i]));
  };
  same(maximum(a, b), max(stack({a, b}), 0));
  same(minimum(a, b), min(stack({a, b}), 0));
}

TEST_CASE("convention-clamp-ends: the gradient is 1 at both ends; PyTorch 2.15's is 0, as relu6's here, and maximum of minimum has 1/2") {
  const Tensor x = tensor({-1, 0, 3, 6, 7}).set_requires_grad();
  CHECK(to_vector(gradient(clamp(x, 0, 6), x)) == Values{0, 1, 1, 1, 0});
  CHECK(to_vector(gradient(maximum(minimum(x, full({}, 6)), full({}, 0)), x)) == Values{0, 0.5, 1, 0.5, 0});
}

TEST_CASE("pow: at base 0 the exponent's gradient is -∞ below 0, and 0 from 0 on; the second derivatives are ∞ and 0") {
  for (const DType dtype : {DType::f32, DType::f64}) {
    CAPTURE(dtype);
    const Tensor a = tensor({0, 0, 0, 0, -0.0, 0}, dtype).set_requires_grad();
    const Tensor b = tensor({-1, -0.5, 0, 2, -1, kNaN}, dtype).set_requires_grad();
    const Tensors first = grad({sum(pow(a, b))}, {a, b}, {.create_graph = true});
    CHECK(difference(first[1], tensor({-kInfinity, -kInfinity, 0, 0, kInfinity, kNaN}), 0) == "");  // PyTorch 2.15's, too
    CHECK(difference(grad({sum(first[1])}, {b})[0], tensor({kInfinity, kInfinity, 0, 0, -kInfinity, kNaN}), 0) == "");
  }
  const Tensor base = tensor({0, 2}, DType::f64).set_requires_grad(), exponents = tensor({{-1}, {1}}, DType::f64).set_requires_grad();
  const Tensor slope = grad({sum(pow(base, exponents))}, {exponents})[0];  // base 0 stands beside both exponents
  CHECK(to_vector(slope) == Values{-kInfinity, 2 * std::log(2.0)});
}
