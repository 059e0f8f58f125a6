// An independent oracle: the same op said in xtensor. Elementwise ops, reductions, matrix products and layouts, on
// shapes large enough for whole vectors, partial ones and more than one thread.
#if defined(__GNUC__) && !defined(__clang__)  // false alarms: the undefined lanes inside GCC's own AVX-512 headers
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Warray-bounds"
#endif

#include <array>
#include <xtensor/xmanipulation.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xsort.hpp>
#include <xtensor/xview.hpp>

#include "core/kernels/random.h"
#include "core/ops/ops.h"
#include "core/tensor/xtensor.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

using Array = xt::xarray<double>;

struct Oracle {
  std::string name;
  Tensor (*op)(const Tensor& a, const Tensor& b);
  Array (*said_in_xtensor)(const Array& a, const Array& b);
};

Array array_of(const Tensor& x) { return x.array<double>(); }

void compare(const std::vector<Oracle>& oracles, const Tensor& a, const Tensor& b, double tolerance = 1e-15) {
  const Array x = array_of(a), y = array_of(b);
  for (const auto& [name, op, said_in_xtensor] : oracles) {
    CAPTURE(name);
    CHECK(difference(cast(op(a, b), DType::f64), Tensor(said_in_xtensor(x, y)), tolerance) == "");
  }
}

#define GRADUS_SAME(name, ours, theirs)                                                                      \
  Oracle {                                                                                                   \
    name, []([[maybe_unused]] const Tensor& a, [[maybe_unused]] const Tensor& b) -> Tensor { return ours; }, \
        []([[maybe_unused]] const Array& a, [[maybe_unused]] const Array& b) -> Array { return theirs; }     \
  }

// C[i, j] = Σ A[i, k] B[k, j], by broadcasting alone.
Array product(const Array& a, const Array& b) {
  const Array terms =
      xt::view(a, xt::all(), xt::all(), xt::newaxis()) * xt::view(b, xt::newaxis(), xt::all(), xt::all());
  return xt::sum(terms, {1});
}

Array variance_along(const Array& a, std::size_t axis) {
  const Array mean = xt::mean(a, {axis});
  const Array deviation = a - xt::expand_dims(mean, axis);
  return xt::mean(xt::square(deviation), {axis});
}

Tensor draw(const Shape& shape, double low, double high, std::uint64_t seed) {
  Generator generator(seed);
  return uniform(shape, low, high, DType::f64, generator);
}

}  // namespace

TEST_CASE("xtensor agrees: elementwise, same shape, row, column, scalar and both ways round") {
  const std::vector<Oracle> oracles = {
      GRADUS_SAME("add", a + b, a + b),
      GRADUS_SAME("sub", a - b, a - b),
      GRADUS_SAME("mul", a * b, a * b),
      GRADUS_SAME("div", a / b, a / b),
      GRADUS_SAME("pow", pow(a, b), xt::pow(a, b)),
      GRADUS_SAME("maximum", maximum(a, b), xt::maximum(a, b)),
      GRADUS_SAME("minimum", minimum(a, b), xt::minimum(a, b)),
      GRADUS_SAME("where", where(a < b, a, b * 2), xt::where(a < b, a, b * 2)),
      GRADUS_SAME("eq", eq(a, b), xt::cast<double>(xt::equal(a, b))),
      GRADUS_SAME("lt", a < b, xt::cast<double>(a < b)),
      GRADUS_SAME("le", a <= b, xt::cast<double>(a <= b)),
  };
  const std::vector<std::pair<Shape, Shape>> shapes = {{{37, 501}, {37, 501}}, {{37, 501}, {501}},
                                                       {{37, 501}, {37, 1}},   {{37, 501}, {}},
                                                       {{5, 1, 7}, {3, 1}},    {{300, 1}, {1, 200}}};
  for (const auto& [first, second] : shapes) {
    const Tensor a = draw(first, 0.5, 2, 1), b = draw(second, 0.5, 2, 2);
    CAPTURE(first);
    CAPTURE(second);
    compare(oracles, a, b);
    compare(oracles, b, a);
  }
}

TEST_CASE("xtensor agrees: elementary functions") {
  const std::vector<Oracle> oracles = {
      GRADUS_SAME("neg", -a, -a),
      GRADUS_SAME("abs", abs(a - 1), xt::abs(a - 1)),
      GRADUS_SAME("sign", sign(a - 1), xt::sign(a - 1)),
      GRADUS_SAME("square", square(a), xt::square(a)),
      GRADUS_SAME("sqrt", sqrt(a), xt::sqrt(a)),
      GRADUS_SAME("rsqrt", rsqrt(a), 1 / xt::sqrt(a)),
      GRADUS_SAME("exp", exp(a), xt::exp(a)),
      GRADUS_SAME("expm1", expm1(a), xt::expm1(a)),
      GRADUS_SAME("log", log(a), xt::log(a)),
      GRADUS_SAME("log1p", log1p(a), xt::log1p(a)),
      GRADUS_SAME("sin", sin(a), xt::sin(a)),
      GRADUS_SAME("cos", cos(a), xt::cos(a)),
      GRADUS_SAME("tanh", tanh(a), xt::tanh(a)),
      GRADUS_SAME("erf", erf(a), xt::erf(a)),
      GRADUS_SAME("sigmoid", sigmoid(a), 1 / (1 + xt::exp(-a))),
      GRADUS_SAME("relu", relu(a - 1), xt::maximum(a - 1, 0.0)),
      GRADUS_SAME("clamp", clamp(a, 0.7, 1.3), xt::clip(a, 0.7, 1.3)),
  };
  const Tensor x = draw({41, 333}, 0.01, 3, 3);
  compare(oracles, x, x, 2e-14);  // erf, two ways, is the furthest apart
}

// Sums of 13 000 numbers, added in another order.
TEST_CASE("xtensor agrees: reductions") {
  const std::vector<Oracle> oracles = {
      GRADUS_SAME("sum", sum(a), xt::sum(a)),
      GRADUS_SAME("sum 0", sum(a, 0), xt::sum(a, {0})),
      GRADUS_SAME("sum 1", sum(a, 1), xt::sum(a, {1})),
      GRADUS_SAME("sum 2", sum(a, 2), xt::sum(a, {2})),
      GRADUS_SAME("sum 0 2", sum(a, {0, 2}), xt::sum(a, {0, 2})),
      GRADUS_SAME("mean 1 2", mean(a, {1, 2}), xt::mean(a, {1, 2})),
      GRADUS_SAME("var 2", var(a, 2, 0), variance_along(a, 2)),
      GRADUS_SAME("std 0", gradus::std(a, 0, 0), xt::sqrt(variance_along(a, 0))),
      GRADUS_SAME("prod 0", prod(a, 0), xt::prod(a, {0})),
      GRADUS_SAME("max", max(a), xt::amax(a)),
      GRADUS_SAME("max 1", max(a, 1), xt::amax(a, {1})),
      GRADUS_SAME("min 2", min(a, 2), xt::amin(a, {2})),
      GRADUS_SAME("argmax 0", argmax(a, 0), xt::cast<double>(xt::argmax(a, 0))),
      GRADUS_SAME("argmin 2", argmin(a, 2), xt::cast<double>(xt::argmin(a, 2))),
      GRADUS_SAME("cumsum 1", cumsum(a, 1), xt::cumsum(a, 1)),
      GRADUS_SAME("logsumexp 2", logsumexp(a, 2), xt::log(xt::sum(xt::exp(a), {2}))),
      GRADUS_SAME("sort 1", sort(a, 1).values, xt::sort(a, 1)),
      GRADUS_SAME("argsort 2", argsort(a, 2), xt::cast<double>(xt::argsort(a, 2))),
  };
  const Tensor x = draw({13, 10, 100}, -2, 2, 4);
  compare(oracles, x, x, 1e-13);
}

TEST_CASE("xtensor agrees: matrix products of many sizes, each way transposed") {
  for (const auto& [m, k, n] :
       std::vector<std::array<int64_t, 3>>{{1, 1, 1}, {3, 5, 2}, {17, 33, 9}, {64, 64, 64}, {1, 200, 70}}) {
    CAPTURE(m);
    CAPTURE(k);
    CAPTURE(n);
    const Tensor a = draw({m, k}, -1, 1, 5), b = draw({k, n}, -1, 1, 6);
    const Tensor expected(product(array_of(a), array_of(b)));
    for (bool ta : {false, true}) {
      for (bool tb : {false, true}) {
        const Tensor left = ta ? transpose(a) : a, right = tb ? transpose(b) : b;
        CHECK(difference(matmul(left, right, {ta, tb}), expected, 1e-13) == "");
        const Tensor f32 = matmul(cast(left, DType::f32), cast(right, DType::f32), {ta, tb});
        CHECK(difference(f32, expected, static_cast<double>(k) * 0x1p-23) == "");
      }
    }
  }
}

TEST_CASE("xtensor agrees: layout ops") {
  const std::vector<Oracle> oracles = {
      GRADUS_SAME("reshape", reshape(a, {-1, 6}), xt::reshape_view(a, {70, 6})),
      GRADUS_SAME("permute", permute(a, {2, 0, 1}), xt::transpose(a, {2, 0, 1})),
      GRADUS_SAME("transpose", transpose(a), xt::transpose(a, {0, 2, 1})),
      GRADUS_SAME("cat", cat({a, b}, 1), xt::concatenate(xt::xtuple(a, b), 1)),
      GRADUS_SAME("stack", stack({a, b}, 2), xt::stack(xt::xtuple(a, b), 2)),
      GRADUS_SAME("slice", slice(a, 1, 1, 6, 2), xt::view(a, xt::all(), xt::range(1, 6, 2))),
      GRADUS_SAME("select", select(a, 2, 3), xt::view(a, xt::all(), xt::all(), 3)),
      GRADUS_SAME("flip", flip(a, 1), xt::flip(a, 1)),
      GRADUS_SAME("roll", roll(a, 3, 1), xt::roll(a, 3, 1)),
      GRADUS_SAME("expand", expand(a, {2, 6, 7, 10}), xt::broadcast(a, {2, 6, 7, 10})),
      GRADUS_SAME("squeeze", squeeze(slice(a, 1, 2, 3)), xt::view(a, xt::all(), 2)),
      GRADUS_SAME("unsqueeze", unsqueeze(a, 1), xt::expand_dims(a, 1)),
      GRADUS_SAME("flatten", flatten(a), xt::flatten(a)),
  };
  compare(oracles, draw({6, 7, 10}, -1, 1, 7), draw({6, 7, 10}, -1, 1, 8), 0);
}
