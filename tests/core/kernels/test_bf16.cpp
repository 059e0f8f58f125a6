// Products in bf16: what is rounded, how, and what is not.
#include "core/kernels/bf16.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "core/core.h"
#include "core/kernels/gemm.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// x to 8 significant bits, ties to even, by arithmetic alone.
double to_8_bits(double x) {
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);  // in [0.5, 1)
  return std::ldexp(std::nearbyint(std::ldexp(fraction, 8)), exponent - 8);
}

Tensor rounded(const Tensor& x) {
  std::vector<double> y = to_vector(x);
  for (double& value : y) value = to_8_bits(value);
  return reshape(tensor(y, DType::f64), x.shape());
}

double largest(const Tensor& x) { return max(abs(x)).item(); }

// How far y is from the product of rounded operands in f64, as a share of the sum of the terms' sizes.
double distance(const Tensor& y, const Tensor& a, const Tensor& b, const MatmulOptions& how = {}) {
  const Tensor left = rounded(a), right = rounded(b);
  return largest((cast(y, DType::f64) - matmul(left, right, how)) / matmul(abs(left), abs(right), how));
}

float one_by_one(float x, float y = 1) {
  const Bf16Products products;
  return static_cast<float>(matmul(tensor({{x}}), tensor({{y}})).item());
}

constexpr double kSum = 1e-6;  // the rounding of some hundred additions in f32

}  // namespace

TEST_CASE("inside-bf16: a product is that of operands with 8 bits, added in f32, each way transposed, in batches, cut or not") {
  manual_seed(1);
  struct Case {
    Shape a, b;
    MatmulOptions how;
  };
  for (const auto& [a_shape, b_shape, how] :
       {Case{{3, 5}, {5, 7}, {}}, Case{{5, 3}, {5, 7}, {.transpose_a = true}}, Case{{300, 200}, {250, 200}, {.transpose_b = true}},
        Case{{400, 60}, {400, 70}, {.transpose_a = true}}, Case{{6, 33, 20}, {6, 20, 17}, {}}}) {
    const Tensor a = randn(a_shape), b = randn(b_shape), plain = matmul(a, b, how);
    const Bf16Products products;
    const Tensor y = matmul(a, b, how);
    CHECK(y.dtype() == DType::f32);
    CHECK(distance(y, a, b, how) < kSum);
    CHECK(distance(plain, a, b, how) > 100 * kSum);  // and without it, another
  }
}

TEST_CASE("inside-bf16: an operand goes to the nearest, a tie to the even one; what f32 has beyond numbers stays that") {
  const float step = std::ldexp(1.0F, -7);  // between 1 and the next
  CHECK(one_by_one(1 + step) == 1 + step);
  CHECK(one_by_one(1 + 0.5F * step) == 1);
  CHECK(one_by_one(1 + 0.501F * step) == 1 + step);
  CHECK(one_by_one(1 + 1.5F * step) == 1 + 2 * step);
  CHECK(one_by_one(-1 - 1.5F * step) == -1 - 2 * step);
  CHECK(one_by_one(3.14159274F) == 3.140625F);  // as torch.bfloat16 has it
  CHECK(one_by_one(1e-3F) == 0.00099945068359375F);
  CHECK(one_by_one(1e30F) == 1.0002555517425873e+30F);
  CHECK(one_by_one(std::numeric_limits<float>::max()) == std::numeric_limits<float>::infinity());
  CHECK(one_by_one(-std::numeric_limits<float>::infinity()) == -std::numeric_limits<float>::infinity());
  CHECK(std::isnan(one_by_one(std::numeric_limits<float>::quiet_NaN())));
  CHECK(one_by_one(3, 1 + 0.501F * step) == 3 * (1 + step));  // the right one, too
}

TEST_CASE("inside-bf16: scopes nest, and leave what is not a product of f32 as it is") {
  manual_seed(2);
  const Tensor a = randn({20, 30}), b = randn({30, 10}), plain = matmul(a, b), wide = matmul(cast(a, DType::f64), cast(b, DType::f64));
  {
    const Bf16Products products;
    const Tensor in_bf16 = matmul(a, b);
    CHECK(!same_bits(in_bf16, plain));
    {
      const Bf16Products none(false);
      CHECK(same_bits(matmul(a, b), plain));
    }
    CHECK(same_bits(matmul(a, b), in_bf16));
    CHECK(same_bits(matmul(cast(a, DType::f64), cast(b, DType::f64)), wide));
    CHECK(same_bits(a * a, square(a)));
  }
  CHECK(!Bf16Products::on());
  CHECK(same_bits(matmul(a, b), plain));
}

TEST_CASE("inside-bf16: the products of a gradient round what they multiply") {
  manual_seed(3);
  const Tensor x = randn({40, 30}).set_requires_grad(), w = randn({30, 20}).set_requires_grad(), g = randn({40, 20});
  const Bf16Products products;
  const Tensors found = grad({matmul(x, w)}, {x, w}, {.seeds = {g}});
  CHECK(distance(found[0], g, w.detach(), {.transpose_b = true}) < kSum);
  CHECK(distance(found[1], x.detach(), g, {.transpose_a = true}) < kSum);
}

TEST_CASE("inside-bf16: where k is no multiple of 32, nothing dies, as oneDNN 2.6 at 63, and a NaN stays in its row, unlike in 3.7") {
  manual_seed(5);
  const Bf16Products products;
  for (const Shape& shape : {Shape{8, 80}, {63, 112}, {112, 304}}) {
    const Tensor a = randn({shape[0], 63}), b = randn({63, shape[1]});
    CHECK(distance(matmul(a, b), a, b) < kSum);
  }
  const Tensor nan = full({1, 33}, std::numeric_limits<double>::quiet_NaN()), a = cat({randn({3, 33}), nan, randn({13, 33})}, 0);
  const Tensor y = matmul(a, randn({33, 1}));
  for (int64_t i = 0; i < 17; ++i) CHECK(std::isnan(y[i].item()) == (i == 3));
}

TEST_CASE("inside-bf16: a square matrix as it lies and transposed, one after the other; exact products do not round") {
  manual_seed(6);
  const Tensor a = randn({48, 48}), b = randn({48, 48});
  const auto exact = [&] {
    Tensor y = zeros({48, 48});
    kernels::gemm_exact(48, 48, 48, 1.0F, {a.data<float>(), 48}, {b.data<float>(), 48}, {y.mutable_data<float>(), 48});
    return y;
  };
  const Tensor plain = matmul(a, b);
  const Bf16Products products;
  for (const bool ta : {false, true}) {
    for (const bool tb : {false, true}) {
      const MatmulOptions how{.transpose_a = ta, .transpose_b = tb};
      CHECK(distance(matmul(a, b, how), a, b, how) < kSum);
    }
  }
  CHECK(same_bits(exact(), plain));
}

TEST_CASE("inside-bf16: no bit depends on the number of threads") {
  manual_seed(4);
  const Tensor x = randn({2100, 130}).set_requires_grad(), w = randn({130, 140}).set_requires_grad();
  const Bf16Products products;
  CHECK(thread_dependence("product", [&] { return value_and_gradients([&] { return matmul(x, w); }, {x, w}); }) == "");
  // With a long k, oneDNN prepares a product otherwise for more threads.
  const Tensor a = randn({64, 4096}), b = randn({4096, 1024});
  CHECK(thread_dependence("long product", [&] { return Tensors{matmul(a, b)}; }) == "");
}
