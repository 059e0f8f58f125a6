// What no memory has room for: 2⁴⁷ bytes and more, so that it is refused on any machine.
#include "tests/core/bad_input/rows.h"

using namespace gradus;
using namespace gradus::test;

BadCalls gradus::test::memory_rows() {
  constexpr int64_t most = int64_t{1} << 48, root = int64_t{1} << 24;
  constexpr DType f64 = DType::f64;
  const Tensor one = ones({1}, f64);
  const std::string vector = ": no memory for [281474976710656] of f64, 2.25e+09 MB";
  const std::string square = ": no memory for [16777216, 16777216] of f64, 2.25e+09 MB";
  const std::string product = ": no memory for [4194304, 4194304] of f64, 1.41e+08 MB";
  const auto column = [] { return ones({1 << 22, 1}, f64); };
  const auto row = [] { return ones({1, 1 << 22}, f64); };
  return {
      REFUSED(memory, Tensor({most}, f64), "tensor" + vector),
      REFUSED(memory, zeros({most}, f64), "zeros" + vector),
      REFUSED(memory, ones({most}, f64), "ones" + vector),
      REFUSED(memory, full({most}, 3, f64), "full" + vector),
      REFUSED(memory, randn({most}, f64), "randn" + vector),
      REFUSED(memory, uniform({most}, 0, 1, f64), "uniform" + vector),
      REFUSED(memory, randint(0, 2, {most}), "randint: no memory for [281474976710656] of i64"),
      REFUSED(memory, randperm(most), "randperm: no memory for [281474976710656] of i64"),
      REFUSED(memory, linspace(0, 1, most), "linspace" + vector),
      REFUSED(memory, eye(root, root, f64), "eye" + square),
      REFUSED(memory, expand(one, {most}), "expand" + vector, {one}),
      REFUSED(memory, pad(one, {{most - 1, 0}}), "pad" + vector, {one}),
      REFUSED(memory, one_hot(ids({0}), most, f64), "one_hot: no memory for [1, 281474976710656] of f64"),
      REFUSED(memory, add(column(), row()), "add" + product),
      REFUSED(memory, mul(column(), row()), "mul" + product),
      REFUSED(memory, lt(column(), row()), "lt: no memory for [4194304, 4194304] of i64"),
      REFUSED(memory, where(ids({1}), column(), row()), "where" + product),
      REFUSED(memory, matmul(column(), row()), "matmul" + product),
  };
}
