// What relu, clamp, maximum, minimum, max and min choose, and where a rule of pow chooses: kinks, ties and NaN.
#include <cmath>
#include <limits>

#include "core/autograd/engine.h"
#include "core/ops/ops.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("pow: at base 0 the exponent's gradient is -∞ below 0, and 0 from 0 on; the second derivatives are ∞ and 0") {
  for (const DType dtype : {DType::f32, DType::f64}) {
    CAPTURE(dtype);
    const Tensor a = tensor({0, 0, 0, 0, -0.0, 0}, dtype).set_requires_grad();
    const Tensor b = tensor({-1, -0.5, 0, 2, -1, kNaN}, dtype).set_requires_grad();
    const Tensors first = grad({sum(pow(a, b))}, {a, b}, {.create_graph = true});
    CHECK(difference(first[1], tensor({-kInf, -kInf, 0, 0, kInf, kNaN}), 0) == "");  // PyTorch 2.15's, too
    CHECK(difference(grad({sum(first[1])}, {b})[0], tensor({kInf, kInf, 0, 0, -kInf, kNaN}), 0) == "");
  }
  const Tensor base = tensor({0, 2}, DType::f64).set_requires_grad(), exponents = tensor({{-1}, {1}}, DType::f64).set_requires_grad();
  const Tensor slope = grad({sum(pow(base, exponents))}, {exponents})[0];  // base 0 stands beside both exponents
  CHECK(to_vector(slope) == Values{-kInf, 2 * std::log(2.0)});
}
