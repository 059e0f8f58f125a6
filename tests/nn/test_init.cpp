#include "nn/init.h"

#include <cmath>

#include "core/autograd/engine.h"
#include "core/composites/composites.h"
#include "tests/nn/drawn_weights.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

double std_of(const Tensor& x) { return stddev(cast(x, DType::f64)).item(); }
double variance_of(const Tensor& x) { return std_of(x) * std_of(x); }

template <typename Init> Tensor made(const Shape& shape, const Init& init, DType dtype = DType::f32) {
  Generator generator(11);
  Tensor x = zeros(shape, dtype);
  init(x, generator);
  return x;
}

// 20000 values and more: their deviation is known to within half a percent of itself, one standard deviation.
constexpr double kClose = 0.02;

}  // namespace

TEST_CASE("init: normal values have the standard deviation asked for; the default generator is used where none is given") {
  Tensor x = made({200, 300}, [](Tensor& t, Generator& g) { nn::init_normal(t, 0.02, g); }), y = zeros({200, 300});
  CHECK(std::abs(mean_of(x)) < 5 * 0.02 / std::sqrt(6e4));
  CHECK(near(std_of(x), 0.02, kClose));
  manual_seed(11);
  nn::init_normal(y, 0.02);
  CHECK(equal(x, y));
}

TEST_CASE("init-xavier-normal, init-xavier-uniform: std = gain √(2 / (fan_in + fan_out))") {
  const double std = std::sqrt(2.0 / 300);
  const Tensor normal = made({100, 200}, [](Tensor& x, Generator& g) { nn::init_xavier_normal(x, 3, g); });
  CHECK(near(std_of(normal), 3 * std, kClose));
  CHECK(std::abs(mean_of(normal)) < 5 * 3 * std / std::sqrt(2e4));
  const Tensor uniform = made({100, 200}, [](Tensor& x, Generator& g) { nn::init_xavier_uniform(x, 3, g); });
  CHECK(near(std_of(uniform), 3 * std, kClose));
  CHECK(max(abs(uniform)).item() <= 3 * std::sqrt(3.0) * std);
  CHECK(max(abs(uniform)).item() > 0.99 * 3 * std::sqrt(3.0) * std);
}

TEST_CASE("init-xavier-normal: both variances are kept only when fan_in = fan_out") {
  for (const auto& [in, out] : {std::pair<int64_t, int64_t>{300, 300}, {600, 150}, {150, 600}}) {
    const Tensor w = made({out, in}, [](Tensor& x, Generator& g) { nn::init_xavier_normal(x, 1, g); });
    Generator generator(3);
    const Tensor x = randn({200, in}, DType::f32, generator), dy = randn({200, out}, DType::f32, generator);
    const auto total = static_cast<double>(in + out);
    const double forward = variance_of(matmul(x, w, {.transpose_b = true})), backward = variance_of(matmul(dy, w));
    CHECK(forward == doctest::Approx(2 * static_cast<double>(in) / total).epsilon(0.05));
    CHECK(backward == doctest::Approx(2 * static_cast<double>(out) / total).epsilon(0.05));
  }
}

TEST_CASE("init-kaiming: std = gain / √fan; through ReLU fan_in keeps the values' mean square, fan_out the gradients'") {
  const auto normal = [](nn::Fan fan) {
    return made({400, 100}, [fan](Tensor& x, Generator& g) { nn::init_kaiming_normal(x, {.fan = fan}, g); });
  };
  CHECK(near(std_of(normal(nn::Fan::in)), std::sqrt(2.0 / 100), kClose));
  CHECK(near(std_of(normal(nn::Fan::out)), std::sqrt(2.0 / 400), kClose));
  const Tensor uniform = made({400, 100}, [](Tensor& x, Generator& g) { nn::init_kaiming_uniform(x, {.gain = 1}, g); });
  CHECK(near(std_of(uniform), 0.1, kClose));
  CHECK(max(abs(uniform)).item() <= std::sqrt(3.0) / 10);
  Generator generator(3);
  const Tensor x = relu(randn({500, 100}, DType::f32, generator));
  const double before = mean_of(square(x)), after = mean_of(square(relu(matmul(x, normal(nn::Fan::in), {.transpose_b = true}))));
  CHECK(after == doctest::Approx(before).epsilon(0.1));
  // y = relu(x Wᵀ), W [400, 100]: ‖dL/dx‖² per number is ‖dL/dy‖²'s by fan_out, and fan_out / fan_in = 4 times it by fan_in.
  for (const auto& [fan, factor] : {std::pair{nn::Fan::out, 1.0}, {nn::Fan::in, 4.0}}) {
    const Tensor in = randn({500, 100}, DType::f32, generator).set_requires_grad();
    const Tensor dy = randn({500, 400}, DType::f32, generator);
    const Tensor dx = grad({relu(matmul(in, normal(fan), {.transpose_b = true}))}, {in}, {.seeds = {dy}})[0];
    CHECK(mean_of(square(dx)) == doctest::Approx(factor * mean_of(square(dy))).epsilon(0.05));
  }
}

TEST_CASE("init-lecun: std = 1 / √fan_in: the mean square is kept through a linear layer of any width") {
  for (const auto& [in, out] : {std::pair<int64_t, int64_t>{300, 300}, {600, 150}, {150, 600}}) {
    const Tensor w = made({out, in}, [](Tensor& x, Generator& g) { nn::init_lecun_normal(x, g); });
    CHECK(near(std_of(w), 1 / std::sqrt(static_cast<double>(in)), kClose));
    Generator generator(3);
    const Tensor x = randn({200, in}, DType::f32, generator);
    CHECK(mean_of(square(matmul(x, w, {.transpose_b = true}))) == doctest::Approx(1).epsilon(0.05));
  }
}

TEST_CASE("init-trunc-normal: nothing beyond the bound; the deviation of what is left") {
  const Tensor x = made({200, 300}, [](Tensor& t, Generator& g) { nn::init_trunc_normal(t, 0.02, 2, g); });
  CHECK(max(abs(x)).item() <= 0.04);
  CHECK(max(abs(x)).item() > 0.0395);
  CHECK(near(std_of(x), 0.8796 * 0.02, kClose));  // of a standard normal value within ±2
  CHECK(std::abs(mean_of(x)) < 5 * 0.02 / std::sqrt(6e4));
  const Tensor narrow = made({100}, [](Tensor& t, Generator& g) { nn::init_trunc_normal(t, 1, 0.1, g); });
  CHECK(max(abs(narrow)).item() <= 0.1);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {  // of few numbers often only one side is beyond
    Generator generator(seed);
    Tensor few = zeros({2});
    nn::init_trunc_normal(few, 1, 1, generator);
    CHECK(max(abs(few)).item() <= 1);
  }
}

TEST_CASE("init-orthogonal: the shorter side is orthonormal, times the gain") {
  for (const Shape& shape : {Shape{40, 40}, Shape{20, 50}, Shape{50, 20}, Shape{1, 3}, Shape{3, 1}}) {
    const Tensor q = made(shape, [](Tensor& x, Generator& g) { nn::init_orthogonal(x, 2, g); }, DType::f64);
    const bool tall = shape[0] > shape[1];
    const Tensor product = matmul(q, q, {.transpose_a = tall, .transpose_b = !tall});
    CHECK(difference(product, 4 * eye(std::min(shape[0], shape[1]), -1, DType::f64), 1e-14) == "");
  }
}

TEST_CASE("init: the same seed gives the same bits; every init, in f32 and f64") {
  using Init = std::function<void(Tensor&, Generator&)>;
  for (const Init& init : {Init([](Tensor& x, Generator& g) { nn::init_xavier_normal(x, 1, g); }),
                           Init([](Tensor& x, Generator& g) { nn::init_xavier_uniform(x, 1, g); }),
                           Init([](Tensor& x, Generator& g) { nn::init_kaiming_normal(x, {}, g); }),
                           Init([](Tensor& x, Generator& g) { nn::init_kaiming_uniform(x, {}, g); }),
                           Init([](Tensor& x, Generator& g) { nn::init_lecun_normal(x, g); }),
                           Init([](Tensor& x, Generator& g) { nn::init_trunc_normal(x, 1, 2, g); }),
                           Init([](Tensor& x, Generator& g) { nn::init_orthogonal(x, 1, g); })}) {
    for (const DType dtype : {DType::f32, DType::f64}) {
      CHECK(equal(made({7, 5}, init, dtype), made({7, 5}, init, dtype)));
      CHECK(made({7, 5}, init, dtype).dtype() == dtype);
    }
    Generator other(12);
    Tensor x = zeros({7, 5});
    init(x, other);
    CHECK_FALSE(equal(x, made({7, 5}, init)));
  }
}

TEST_CASE("init: gains") {
  CHECK(nn::init_gain("linear") == 1);
  CHECK(nn::init_gain("sigmoid") == 1);
  CHECK(nn::init_gain("tanh") == 5.0 / 3);
  CHECK(nn::init_gain("relu") == std::sqrt(2.0));
  CHECK(nn::init_gain("leaky-relu", 1) == 1);
  CHECK_THROWS_WITH_AS(nn::init_gain("rel"), "unknown activation 'rel'; did you mean 'relu'?", ValueError);
}

TEST_CASE("init: errors") {
  Tensor vector = zeros({3});
  CHECK_THROWS_WITH_AS(nn::init_xavier_uniform(vector), "init_xavier_uniform: needs a matrix [out, in], got shape [3]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::init_xavier_normal(vector), "init_xavier_normal: needs a matrix [out, in], got shape [3]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::init_kaiming_normal(vector), "init_kaiming_normal: needs a matrix [out, in], got shape [3]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::init_kaiming_uniform(vector), "init_kaiming_uniform: needs a matrix [out, in], got shape [3]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::init_lecun_normal(vector), "init_lecun_normal: needs a matrix [out, in], got shape [3]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::init_orthogonal(vector), "init_orthogonal: needs a matrix [out, in], got shape [3]", ShapeError);
  CHECK_THROWS_WITH_AS(nn::init_trunc_normal(vector, -1), "init_trunc_normal: std must be finite and not negative, got -1", ValueError);
  CHECK_THROWS_WITH_AS(nn::init_trunc_normal(vector, 1, 1e-9),
                       "init_trunc_normal: the bound must be at least 0.1, got 1e-09: too few draws would lie within; use uniform",
                       ValueError);
  for (const double bad : {-1.0, double{NAN}, double{INFINITY}}) {
    Tensor w = zeros({2, 2});
    CHECK_THROWS_WITH_AS(nn::init_normal(w, bad), fmt::format("init_normal: std must be finite and not negative, got {}", bad).c_str(),
                         ValueError);
    CHECK_THROWS_WITH_AS(nn::init_xavier_uniform(w, bad),
                         fmt::format("init_xavier_uniform: the gain must be finite and not negative, got {}", bad).c_str(), ValueError);
    CHECK_THROWS_AS(nn::init_xavier_normal(w, bad), ValueError);
    CHECK_THROWS_AS(nn::init_kaiming_normal(w, {.gain = bad}), ValueError);
    CHECK_THROWS_AS(nn::init_kaiming_uniform(w, {.gain = bad}), ValueError);
    CHECK(equal(w, zeros({2, 2})));
  }
}
