// Reductions, matrix products and layouts, each said again in xtensor.
#include "tests/support/xtensor_oracle.h"

#include <array>

using namespace gradus;
using namespace gradus::test;

namespace {

// C[i, j] = Σ A[i, k] B[k, j], by broadcasting alone.
Array product(const Array& a, const Array& b) {
  const Array terms = xt::view(a, xt::all(), xt::all(), xt::newaxis()) * xt::view(b, xt::newaxis(), xt::all(), xt::all());
  return xt::sum(terms, {1});
}

Array variance_along(const Array& a, std::size_t axis) {
  const Array mean = xt::mean(a, {axis});
  const Array deviation = a - xt::expand_dims(mean, axis);
  return xt::mean(xt::square(deviation), {axis});
}

}  // namespace

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
      GRADUS_SAME("std 0", stddev(a, 0, 0), xt::sqrt(variance_along(a, 0))),
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
  for (const auto& [m, k, n] : std::vector<std::array<int64_t, 3>>{{1, 1, 1}, {3, 5, 2}, {17, 33, 9}, {64, 64, 64}, {1, 200, 70}}) {
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
