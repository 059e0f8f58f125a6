// where, isnan, isinf and logical_not, which are said in xtensor: here plain loops are the oracle.
#include <cmath>

#include "core/composites/composites.h"
#include "core/tensor/random.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// The values of x, broadcast to `shape`, by counting through its indices.
Values stretched(const Tensor& x, const Shape& shape) {
  const Values values = to_vector(x);
  Values y;
  for (int64_t i = 0; i < shape.numel(); ++i) {
    int64_t left = i, at = 0, stride = 1;
    for (int axis = 1; axis <= shape.rank(); left /= shape[-axis], ++axis) {
      if (axis > x.rank()) continue;
      at += x.size(-axis) == 1 ? 0 : left % shape[-axis] * stride;
      stride *= x.size(-axis);
    }
    y.push_back(values[static_cast<std::size_t>(at)]);
  }
  return y;
}

// Numbers of all kinds. In floating point NaN and the infinities are dense: three numbers of eight.
Tensor mixed(int64_t count, DType dtype, std::uint64_t seed) {
  Generator generator(seed);
  Values values;
  for (const double u : to_vector(uniform({count}, 0, 8, DType::f64, generator))) {
    const double kinds[] = {kNaN, kInfinity, -kInfinity, 0, -0.0, u, -u, 1e-7};
    values.push_back(dtype == DType::i64 ? std::floor(u / 4) * u : kinds[static_cast<std::size_t>(u)]);
  }
  return cast(from_vector(values, {count}), dtype);
}

}  // namespace

TEST_CASE("isnan, isinf, logical_not: as a plain loop says, in every dtype, of every size of a vector and of several threads") {
  for (const DType dtype : {DType::f16, DType::f32, DType::f64, DType::i64}) {
    CAPTURE(dtype);
    for (const int64_t count : {0, 1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 70001}) {
      CAPTURE(count);
      const Tensor x = mixed(count, dtype, 7);
      Values nan, inf, zero;
      for (const double v : to_vector(x)) {
        nan.push_back(v != v ? 1 : 0);
        inf.push_back(v > 1e300 || v < -1e300 ? 1 : 0);
        zero.push_back(v == 0 ? 1 : 0);
      }
      CHECK(to_vector(isnan(x)) == nan);
      CHECK(to_vector(isinf(x)) == inf);
      CHECK(to_vector(logical_not(x)) == zero);
      for (const Tensor& mask : {isnan(x), isinf(x), logical_not(x)}) CHECK(mask.dtype() == DType::i64);
    }
  }
}

TEST_CASE("where: as a plain loop chooses, in every dtype, same shape, row, column, scalar and all three another; NaN where chosen") {
  struct Shapes { Shape mask, a, b, y; };
  const std::vector<Shapes> all = {{{37, 501}, {37, 501}, {37, 501}, {37, 501}},
                                   {{37, 501}, {501}, {37, 1}, {37, 501}},
                                   {{37, 501}, {}, {}, {37, 501}},
                                   {{501}, {37, 501}, {}, {37, 501}},
                                   {{37, 1}, {}, {37, 501}, {37, 501}},
                                   {{}, {5, 1}, {7}, {5, 7}},
                                   {{2, 1, 3, 1}, {4, 1, 5}, {5}, {2, 4, 3, 5}},
                                   {{0, 3}, {3}, {}, {0, 3}},
                                   {{}, {}, {}, {}}};
  for (const DType dtype : {DType::f16, DType::f32, DType::f64, DType::i64}) {
    CAPTURE(dtype);
    for (const Shapes& s : all) {
      CAPTURE(s.mask);
      const Tensor mask = reshape(cast(mixed(s.mask.numel(), DType::i64, 1), DType::i64), s.mask);
      const Tensor a = reshape(mixed(s.a.numel(), dtype, 2), s.a), b = reshape(mixed(s.b.numel(), dtype, 3), s.b);
      const Values chosen = stretched(mask, s.y), yes = stretched(a, s.y), no = stretched(b, s.y);
      Values expected;
      for (std::size_t i = 0; i < chosen.size(); ++i) expected.push_back(chosen[i] != 0 ? yes[i] : no[i]);
      const Tensor y = where(mask, a, b);
      CHECK(y.dtype() == dtype);
      CHECK(difference(y, cast(from_vector(expected, s.y), dtype), 0) == "");
    }
  }
}
