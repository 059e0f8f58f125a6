#include "core/inspect/anomaly.h"
#include "optim/clip.h"

#include <cmath>
#include <tuple>

#include "core/composites/composites.h"
#include "core/tensor/random.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::test;

namespace {

Tensor with_gradient(const Tensor& gradient) {
  const Tensor parameter = zeros_like(gradient).set_requires_grad();
  parameter.set_grad(gradient.detached_copy());
  return parameter;
}

}  // namespace

// PyTorch divides by the norm plus 1e-6, so that its gradients end by that much below the limit.
TEST_CASE("optim-clip: the norm over all parameters, and the clipped gradients, equal PyTorch's, but for its 1e-6") {
  const auto row = read_fixture("optim.safetensors").tensors;
  Tensors parameters;
  for (int i = 0; i < 3; ++i) parameters.push_back(with_gradient(row.at(fmt::format("clip/before{}", i))));
  const double norm = row.at("clip/norm").item();
  CHECK(optim::clip_grad_norm(parameters, 2) == doctest::Approx(norm).epsilon(1e-14));
  for (int i = 0; i < 3; ++i) {
    const Tensor clipped = parameters[static_cast<std::size_t>(i)].grad();
    CHECK(difference(clipped * (norm / (norm + 1e-6)), row.at(fmt::format("clip/after{}", i)), 1e-15) == "");
  }
}

TEST_CASE("convention-clip-eps: the bound is met exactly; divided by norm + 1e-6 a norm of 5 ends at 1 - 2e-7, one of 1e-6 at half") {
  for (const auto& [norm, bound, elsewhere] : {std::tuple{5.0, 1.0, 0.99999980000004},  // PyTorch 2.15, in f64
                                               {1e-6, 1e-7, 4.999999999999999e-08},
                                               {1.0, 1.0, 0.9999990000010001}}) {
    const Tensor a = with_gradient(tensor({norm}, DType::f64));
    optim::clip_grad_norm({a}, bound);
    CHECK(a.grad().item() == doctest::Approx(bound).scale(0).epsilon(1e-15));
    CHECK(elsewhere == doctest::Approx(norm * bound / (norm + 1e-6)).scale(0).epsilon(1e-14));
  }
}

TEST_CASE("optim-clip: [3] and [4] have the norm 5; all are scaled by one factor") {
  const Tensor a = with_gradient(tensor({3})), b = with_gradient(tensor({{4}}));
  CHECK(optim::clip_grad_norm({a, b}, 1) == 5);
  CHECK(a.grad().item() == doctest::Approx(0.6));
  CHECK(b.grad().item() == doctest::Approx(0.8));
}

TEST_CASE("optim-clip: gradients within the limit stay to the last bit; 0 only measures") {
  const Tensor a = with_gradient(tensor({3, 4}));
  for (const double limit : {5.0, 6.0, 0.0, std::numeric_limits<double>::infinity()}) {
    CHECK(optim::clip_grad_norm({a}, limit) == 5);
    CHECK(equal(a.grad(), tensor({3, 4})));
  }
}

TEST_CASE("optim-clip: parameters without a gradient do not count") {
  const Tensor a = with_gradient(tensor({3, 4})), none = zeros({2}).set_requires_grad();
  CHECK(optim::clip_grad_norm({none, a}, 0) == 5);
  CHECK_FALSE(none.grad().defined());
  CHECK(optim::clip_grad_norm({none}, 1) == 0);
  CHECK(optim::clip_grad_norm({}, 1) == 0);
}

TEST_CASE("optim-clip: every part of a long gradient counts") {
  const Tensor a = with_gradient(cat({full({4096}, 1), full({4096}, 2), full({1808}, 3)}, 0));
  CHECK(optim::clip_grad_norm({a}, 0) == std::sqrt(4096 + 4 * 4096 + 9 * 1808));
}

TEST_CASE("optim-clip: the same norm for one thread and for two") {
  Generator generator(8);
  const Tensor a = with_gradient(randn({100001}, DType::f32, generator));
  const auto norm = [&](int count) {
    const Threads threads(count);
    return optim::clip_grad_norm({a}, 0);
  };
  const double one = norm(1), two = norm(2);
  CHECK(one == two);
  CHECK(one == doctest::Approx(std::sqrt(100001.0)).epsilon(0.02));
}

TEST_CASE("optim-clip: the squares of an f32 gradient do not overflow") {
  const Tensor a = with_gradient(tensor({1e30, 1e30}));
  CHECK(optim::clip_grad_norm({a}, 1) == doctest::Approx(std::sqrt(2) * 1e30));
  CHECK(a.grad().at({0}) == doctest::Approx(std::sqrt(0.5)));
}

TEST_CASE("optim-clip: a norm that is not finite is refused, and the gradients stay; 0 measures it") {
  for (const auto& [given, norm] : {std::pair{tensor({1e200, 1e200}, DType::f64), "inf"},
                                    {tensor({std::numeric_limits<double>::infinity(), 1}), "inf"},
                                    {tensor({std::nan(""), 1}), "nan"}}) {
    const Tensor a = with_gradient(given), b = with_gradient(tensor({3, 4}));
    const std::string message =
        fmt::format("clip_grad_norm: the norm is {}: a gradient, or its square in f64, is not finite; AnomalyMode names the op", norm);
    CHECK_THROWS_WITH_AS(optim::clip_grad_norm({a, b}, 1), message.c_str(), ValueError);
    CHECK(equal(a.grad(), given));
    CHECK(equal(b.grad(), tensor({3, 4})));
    CHECK_FALSE(std::isfinite(optim::clip_grad_norm({a, b}, 0)));
  }
}

TEST_CASE("optim-clip: errors") {
  const Tensor twice = with_gradient(tensor({3, 4}));
  CHECK_THROWS_WITH_AS(optim::clip_grad_norm({twice, twice}, 1), "clip_grad_norm: parameter 1 is given twice, first as parameter 0",
                       ValueError);
  const Tensor a = with_gradient(tensor({3, 4}));
  CHECK_THROWS_WITH_AS(optim::clip_grad_norm({a}, -1), "clip_grad_norm: max_norm must be not negative, got -1", ValueError);
  CHECK_THROWS_WITH_AS(optim::clip_grad_norm({a}, std::nan("")), "clip_grad_norm: max_norm must be not negative, got nan", ValueError);
  CHECK(equal(a.grad(), tensor({3, 4})));
}

TEST_CASE("optim-clip: by value, each is cut for itself; NaN stays to be seen") {
  const Tensor a = with_gradient(tensor({3, -0.5, -7, std::nan("")})), none = zeros({2}).set_requires_grad();
  optim::clip_grad_value({none, a}, 2);
  CHECK(equal(a.grad(), tensor({2, -0.5, -2, std::nan("")})));
  CHECK_THROWS_WITH_AS(optim::clip_grad_value({a}, 0), "clip_grad_value: the limit must be positive, got 0", ValueError);
}
