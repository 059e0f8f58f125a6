// Bad calls of create.h, random.h, shape.h, dtype.h and generator.h.
#include "core/options/range.h"
#include "core/tensor/generator.h"
#include "tests/core/bad_input/rows.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr int64_t kHuge = int64_t{1} << 50;

// A size that no memory has, and one that fits in no 64 bits, for every function that makes a tensor of a shape.
BadCalls size_rows() {
  const std::vector<std::pair<std::string, std::function<void(const Shape&)>>> makers{
      {"zeros", [](const Shape& s) { zeros(s); }},
      {"ones", [](const Shape& s) { ones(s); }},
      {"full", [](const Shape& s) { full(s, 2); }},
      {"randn", [](const Shape& s) { randn(s); }},
      {"uniform", [](const Shape& s) { uniform(s); }},
      {"randint", [](const Shape& s) { randint(0, 5, s); }},
      {"from_vector", [](const Shape& s) { from_vector(std::vector<double>{}, s); }},
      {"tensor", [](const Shape& s) { Tensor(s, DType::f32); }}};
  BadCalls rows;
  for (const auto& [op, function] : makers) {
    const auto make = function;
    for (const Shape& shape : {Shape{kHuge}, Shape{int64_t{1} << 40, int64_t{1} << 40}, Shape{0, int64_t{1} << 62, int64_t{1} << 62}}) {
      rows += by(op, {REFUSED(shape, make(shape), fmt::format("shape {} is larger than any memory", shape))});
    }
  }
  return rows;
}

BadCalls making_rows() {
  const Tensor whole = ids({1, 2}), a = ones({2}), b = ones({3});
  return {
      undefined_rows("equal", {"a", "b"}, {a, a}, [](const Tensors& t) { equal(t[0], t[1]); }),
      undefined_rows("allclose", {"a", "b"}, {a, a}, [](const Tensors& t) { allclose(t[0], t[1]); }),
      undefined_rows("max_difference", {"a", "b"}, {a, a}, [](const Tensors& t) { max_difference(t[0], t[1]); }),
      UNDEFINED_X(to_vector(none)),
      UNDEFINED_X(zeros_like(none)),
      UNDEFINED_X(ones_like(none)),
      UNDEFINED_X(full_like(none, 1)),
      REFUSED(shape, tensor({{1, 2}, {3}}), "tensor: the nested lists are ragged: a list of 1 at depth 1"),
      REFUSED(shape, tensor({{1}, 2}), "tensor: the nested lists are ragged: a number at depth 1 of 2"),
      REFUSED(dtype, tensor({1, kNaN}, DType::i64), "tensor: an i64 tensor cannot hold nan"),
      REFUSED(dtype, tensor({1e300}, DType::i64), "tensor: an i64 tensor cannot hold 1e+300"),
      REFUSED(dtype, tensor({1, 1.5}, DType::i64), "tensor: an i64 tensor cannot hold 1.5"),
      REFUSED(dtype, arange(0, 2, 0.5, DType::i64), "arange: an i64 tensor cannot hold 0.5"),
      REFUSED(dtype, linspace(0, 1, 3, DType::i64), "linspace: an i64 tensor cannot hold 0.5"),
      REFUSED(shape, from_vector(std::vector<float>{1, 2}, {3}), "from_vector: 2 values for shape [3]"),
      REFUSED(shape, from_vector(std::vector<int64_t>{}, {}), "from_vector: 0 values for shape []"),
      REFUSED(dtype, full({2}, 0.5, DType::i64), "full: an i64 tensor cannot hold 0.5"),
      REFUSED(dtype, full({2}, kNaN, DType::i64), "full: an i64 tensor cannot hold nan"),
      REFUSED(dtype, full({2}, 0x1p63, DType::i64), "full: an i64 tensor cannot hold 9.22"),
      REFUSED(dtype, full_like(whole, 0.5), "full_like: an i64 tensor cannot hold 0.5", {whole}),
      undefined_row("scalar_like", "the tensor beside the number", [] { scalar_like(Tensor(), 1); }),
      undefined_row("operand_like", "the tensor beside the number", [] { operand_like(Tensor(), 1); }),
      REFUSED(dtype, scalar_like(whole, 0.5), "scalar_like: an i64 tensor cannot hold 0.5", {whole}),
      REFUSED(dtype, operand_like(whole, kInfinity), "operand_like: an i64 tensor cannot hold inf", {whole}),
      REFUSED(shape, allclose(a, b), "allclose: shapes differ: [2] and [3]", {a, b}),
      REFUSED(shape, max_difference(a, b), "max_difference: shapes differ: [2] and [3]", {a, b}),
      REFUSED_EACH(allclose(a, a, bad), "allclose: relative must be finite and not negative", kNaN, -1),
      REFUSED(value, allclose(a, a, 0, kInfinity), "allclose: absolute must be finite and not negative, got inf"),
  };
}

}  // namespace

BadCalls gradus::test::create_rows() {
  return {
      size_rows(),
      making_rows(),
      REFUSED(value, arange(-5), "arange: steps of 1 do not lead from 0 to -5"),
      REFUSED(value, arange(5, 2), "arange: steps of 1 do not lead from 5 to 2"),
      REFUSED(value, arange(2, 5, -1), "arange: steps of -1 do not lead from 2 to 5"),
      REFUSED(value, arange(0, 5, 0), "arange: the step must be finite and not 0, got 0"),
      REFUSED(value, arange(INT64_MAX), "arange: from 0 to 9223372036854775807 by 1 is 9223372036854775807 values"),
      REFUSED(value, arange(INT64_MIN, INT64_MAX), "arange: from -9223372036854775808 to"),
      REFUSED(value, arange(kNaN, 5, 1, DType::f32), "arange: start must be finite, got nan"),
      REFUSED(value, arange(0, kNaN, 1, DType::f32), "arange: stop must be finite, got nan"),
      REFUSED(value, arange(0, kInfinity, 1, DType::f64), "arange: stop must be finite, got inf"),
      REFUSED_EACH(arange(0, 1, bad, DType::f32), "arange: the step must be finite and not 0", kNaN, 0.0),
      REFUSED(value, arange(0, -0.5, 1, DType::f32), "arange: steps of 1 do not lead from 0 to -0.5"),
      REFUSED(value, arange(0, 1, 1e-300, DType::f32), "arange: from 0 to 1 by 1e-300 is "),
      REFUSED(value, arange(-1e308, 1e308, 1, DType::f64), "arange: from -1e+308 to 1e+308 by 1 is inf values"),
      REFUSED(value, linspace(0, 1, -1), "linspace: the count must not be negative, got -1"),
      REFUSED(value, linspace(kNaN, 1, 3), "linspace: start must be finite, got nan"),
      REFUSED(value, linspace(0, kInfinity, 3), "linspace: stop must be finite, got inf"),
      REFUSED(shape, linspace(0, 1, INT64_MAX), "linspace: shape [9223372036854775807] is larger than any memory"),
      REFUSED(shape, eye(-1), "eye: the sizes must not be negative, got -1 and -1"),
      REFUSED(shape, eye(3, -7), "eye: the sizes must not be negative, got 3 and -7"),
      REFUSED(shape, eye(int64_t{1} << 40), "eye: shape [1099511627776, 1099511627776] is larger than any memory"),
      REFUSED(dtype, randn({2}, DType::i64), "randn: needs a floating dtype, got i64"),
      REFUSED(dtype, uniform({2}, 0, 1, DType::i64), "uniform: needs a floating dtype, got i64; use randint"),
      REFUSED(value, uniform({2}, 1, 0), "uniform: low 1 is above high 0"),
      REFUSED(value, uniform({2}, 0, kInfinity), "uniform: the range from 0 to inf is not finite"),
      REFUSED(value, uniform({2}, -kInfinity, kInfinity), "uniform: the range from -inf to inf is not finite"),
      REFUSED(value, uniform({2}, kInfinity, kInfinity), "uniform: the range from inf to inf is not finite"),
      REFUSED(value, uniform({2}, kNaN, 1), "uniform: low nan is above high 1"),
      REFUSED(value, uniform({2}, -1e308, 1e308, DType::f64), "uniform: the range from -1e+308 to 1e+308 is not finite"),
      REFUSED(value, randint(5, 5, {2}), "randint: low 5 must be below high 5"),
      REFUSED(value, randint(6, 5, {2}), "randint: low 6 must be below high 5"),
      REFUSED(value, randint(INT64_MIN, INT64_MAX, {2}), "is a wider range than 2^53"),
      REFUSED(value, randperm(-1), "randperm: the count must not be negative, got -1"),
      REFUSED(shape, randperm(kHuge), "randperm: shape [1125899906842624] is larger than any memory"),
      REFUSED_EACH(Generator(1).below(bad), "below: the bound must be positive", 0, -3),
      REFUSED(value, dtype_from_name("f8"), "dtype: unknown name 'f8'; expected f32, f64, f16 or i64"),
      REFUSED(value, dtype_from_name(""), "dtype: unknown name ''"),
      REFUSED(value, dtype_from_name("F32"), "dtype: unknown name 'F32'"),
      REFUSED(value, check_range("what", kNaN, range::finite, "who"), "who: what must be finite, got nan"),
  };
}

BadCalls gradus::test::shape_rows() {
  const Shape shape{2, 3};
  return {
      REFUSED(shape, Shape{-1}, "shape: an axis has the negative size -1"),
      REFUSED(shape, Shape({1, 1, 1, 1, 1, 1, 1}), "shape: 7 axes, but a tensor has at most 6"),
      REFUSED(shape, Shape(std::vector<int64_t>(7, 1)), "shape: 7 axes, but a tensor has at most 6"),
      REFUSED(shape, Shape(std::vector<int64_t>{INT64_MIN}), "shape: an axis has the negative size -92"),
      REFUSED(shape, (void)shape[2], "shape: axis 2 is out of range for a tensor of 2 axes"),
      REFUSED(shape, (void)shape[-3], "shape: axis -3 is out of range for a tensor of 2 axes"),
      REFUSED(shape, (void)shape[INT32_MIN], "shape: axis -2147483648 is out of range"),
      REFUSED(shape, (void)Shape{}[0], "shape: axis 0 is out of range for a tensor of 0 axes"),
      REFUSED(shape, Shape(shape).push_back(-1), "shape: an axis has the negative size -1"),
      REFUSED(shape, Shape(shape).insert(3, 1), "shape: cannot insert an axis at 3 into [2, 3]"),
      REFUSED(shape, Shape(shape).insert(-1, 1), "shape: cannot insert an axis at -1 into [2, 3]"),
      REFUSED(shape, Shape(shape).erase(2), "shape: axis 2 is out of range"),
      REFUSED(shape, (void)shape.slice(0, 3), "shape: axis 2 is out of range"),
      REFUSED(shape, (void)Shape({1, 1, 1, 1}).concat({1, 1, 1}), "shape: 7 axes, but a tensor has at most 6"),
      REFUSED(shape, (void)Shape({int64_t{1} << 40, int64_t{1} << 40}).numel(), "is larger than any memory"),
      REFUSED(shape, checked_sum(INT64_MAX, 1, "op"), "op: a size of 9223372036854775807 + 1 does not fit in 64 bits"),
      REFUSED(shape, checked_sum(INT64_MIN, -1, "op"), "op: a size of -9223372036854775808 + -1"),
      REFUSED(shape, checked_product(INT64_MAX, 2, "op"), "op: a size of 9223372036854775807 · 2 does not fit"),
      REFUSED(shape, normalize_axis(5, 3, "op"), "op: axis 5 is out of range for a tensor of 3 axes"),
      REFUSED(shape, normalize_axes({0, 0}, 3, "op"), "op: axis 0 is given twice"),
      REFUSED(shape, broadcast_shapes({2}, {3}, "op"), "op: shapes [2] and [3] do not broadcast: 2 against 3"),
  };
}
