// Bad calls of create.h, random.h, shape.h, dtype.h and generator.h.
#include "core/options/range.h"
#include "core/tensor/generator.h"
#include "tests/core/bad_input/rows.h"
#include "tests/support/check.h"

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
      {"tensor", [](const Shape& s) { Tensor(s, DType::f32); }},
  };
  BadCalls rows;
  for (const auto& [op, make] : makers) {
    rows.push_back({op + "([2^50])", [make = make] { make({kHuge}); }, Raises::shape,
                    op + ": shape [1125899906842624] is larger than any memory"});
    rows.push_back({op + "([2^40, 2^40])", [make = make] { make({int64_t{1} << 40, int64_t{1} << 40}); }, Raises::shape,
                    op + ": shape [1099511627776, 1099511627776] is larger than any memory"});
    rows.push_back({op + "([0, 2^62, 2^62])", [make = make] { make({0, int64_t{1} << 62, int64_t{1} << 62}); },
                    Raises::shape,
                    op + ": shape [0, 4611686018427387904, 4611686018427387904] is larger than any memory"});
  }
  return rows;
}

BadCalls making_rows() {
  const Tensor whole = ids({1, 2}), a = ones({2}), b = ones({3});
  return {
      {"tensor({{1, 2}, {3}})", [] { tensor({{1, 2}, {3}}); },
       Raises::shape, "tensor: the nested lists are ragged: a list of 1 at depth 1"},
      {"tensor({{1}, 2})", [] { tensor({{1}, 2}); },
       Raises::shape, "tensor: the nested lists are ragged: a number at depth 1 of 2"},
      {"tensor({NaN}, i64)", [] { tensor({1, kNan}, DType::i64); }, Raises::dtype, "tensor: an i64 tensor cannot hold nan"},
      {"tensor({1e300}, i64)", [] { tensor({1e300}, DType::i64); }, Raises::dtype, "tensor: an i64 tensor cannot hold 1e+300"},
      {"tensor({1, 1.5}, i64)", [] { tensor({1, 1.5}, DType::i64); }, Raises::dtype, "tensor: an i64 tensor cannot hold 1.5"},
      {"arange(0, 2, 0.5, i64)", [] { arange(0, 2, 0.5, DType::i64); },
       Raises::dtype, "arange: an i64 tensor cannot hold 0.5"},
      {"linspace(0, 1, 3, i64)", [] { linspace(0, 1, 3, DType::i64); },
       Raises::dtype, "linspace: an i64 tensor cannot hold 0.5"},
      {"from_vector: 2 for [3]", [] { from_vector(std::vector<float>{1, 2}, {3}); },
       Raises::shape, "from_vector: 2 values for shape [3]"},
      {"from_vector: 1 for []", [] { from_vector(std::vector<int64_t>{}, {}); },
       Raises::shape, "from_vector: 0 values for shape []"},
      undefined_row("to_vector", "x", [] { to_vector(Tensor()); }),
      {"full([2], 0.5, i64)", [] { full({2}, 0.5, DType::i64); }, Raises::dtype, "full: an i64 tensor cannot hold 0.5"},
      {"full([2], NaN, i64)", [] { full({2}, kNan, DType::i64); }, Raises::dtype, "full: an i64 tensor cannot hold nan"},
      {"full([2], 2^63, i64)", [] { full({2}, 0x1p63, DType::i64); }, Raises::dtype, "full: an i64 tensor cannot hold 9.22"},
      undefined_row("zeros_like", "x", [] { zeros_like(Tensor()); }),
      undefined_row("ones_like", "x", [] { ones_like(Tensor()); }),
      undefined_row("full_like", "x", [] { full_like(Tensor(), 1); }),
      {"full_like(i64, 0.5)", [=] { full_like(whole, 0.5); },
       Raises::dtype, "full_like: an i64 tensor cannot hold 0.5", {whole}},
      undefined_row("scalar_like", "the tensor beside the number", [] { scalar_like(Tensor(), 1); }),
      undefined_row("operand_like", "the tensor beside the number", [] { operand_like(Tensor(), 1); }),
      {"scalar_like(i64, 0.5)", [=] { scalar_like(whole, 0.5); },
       Raises::dtype, "scalar_like: an i64 tensor cannot hold 0.5", {whole}},
      {"operand_like(i64, inf)", [=] { operand_like(whole, kInfinity); },
       Raises::dtype, "operand_like: an i64 tensor cannot hold inf", {whole}},
      undefined_row("equal", "a", [=] { equal(Tensor(), a); }),
      undefined_row("equal", "b", [=] { equal(a, Tensor()); }),
      undefined_row("allclose", "a", [=] { allclose(Tensor(), a); }),
      undefined_row("allclose", "b", [=] { allclose(a, Tensor()); }),
      undefined_row("max_difference", "a", [=] { max_difference(Tensor(), a); }),
      undefined_row("max_difference", "b", [=] { max_difference(a, Tensor()); }),
      {"allclose([2], [3])", [=] { allclose(a, b); }, Raises::shape, "allclose: shapes differ: [2] and [3]", {a, b}},
      {"max_difference([2], [3])", [=] { max_difference(a, b); },
       Raises::shape, "max_difference: shapes differ: [2] and [3]", {a, b}},
      {"allclose: relative NaN", [=] { allclose(a, a, kNan); },
       Raises::value, "allclose: relative must be finite and not negative, got nan"},
      {"allclose: relative -1", [=] { allclose(a, a, -1); },
       Raises::value, "allclose: relative must be finite and not negative, got -1"},
      {"allclose: absolute inf", [=] { allclose(a, a, 0, kInfinity); },
       Raises::value, "allclose: absolute must be finite and not negative, got inf"},
  };
}

BadCalls sequence_rows() {
  return {
      {"arange(-5)", [] { arange(-5); }, Raises::value, "arange: steps of 1 do not lead from 0 to -5"},
      {"arange(5, 2)", [] { arange(5, 2); }, Raises::value, "arange: steps of 1 do not lead from 5 to 2"},
      {"arange(2, 5, -1)", [] { arange(2, 5, -1); }, Raises::value, "arange: steps of -1 do not lead from 2 to 5"},
      {"arange(0, 5, 0)", [] { arange(0, 5, 0); }, Raises::value, "arange: the step must be finite and not 0, got 0"},
      {"arange(INT64_MAX)", [] { arange(INT64_MAX); },
       Raises::value, "arange: from 0 to 9223372036854775807 by 1 is 9223372036854775807 values"},
      {"arange(INT64_MIN, INT64_MAX)", [] { arange(INT64_MIN, INT64_MAX); },
       Raises::value, "arange: from -9223372036854775808 to"},
      {"arange(NaN, 5, 1)", [] { arange(kNan, 5, 1, DType::f32); }, Raises::value, "arange: start must be finite, got nan"},
      {"arange(0, NaN, 1)", [] { arange(0, kNan, 1, DType::f32); }, Raises::value, "arange: stop must be finite, got nan"},
      {"arange(0, inf, 1)", [] { arange(0, kInfinity, 1, DType::f64); },
       Raises::value, "arange: stop must be finite, got inf"},
      {"arange(0, 1, NaN)", [] { arange(0, 1, kNan, DType::f32); },
       Raises::value, "arange: the step must be finite and not 0, got nan"},
      {"arange(0, 1, 0.0)", [] { arange(0, 1, 0.0, DType::f32); },
       Raises::value, "arange: the step must be finite and not 0, got 0"},
      {"arange(0, -0.5, 1)", [] { arange(0, -0.5, 1, DType::f32); },
       Raises::value, "arange: steps of 1 do not lead from 0 to -0.5"},
      {"arange(0, 1, 1e-300)", [] { arange(0, 1, 1e-300, DType::f32); }, Raises::value, "arange: from 0 to 1 by 1e-300 is "},
      {"arange(-1e308, 1e308, 1)", [] { arange(-1e308, 1e308, 1, DType::f64); },
       Raises::value, "arange: from -1e+308 to 1e+308 by 1 is inf values"},
      {"linspace(0, 1, -1)", [] { linspace(0, 1, -1); }, Raises::value, "linspace: the count must not be negative, got -1"},
      {"linspace(NaN, 1, 3)", [] { linspace(kNan, 1, 3); }, Raises::value, "linspace: start must be finite, got nan"},
      {"linspace(0, inf, 3)", [] { linspace(0, kInfinity, 3); }, Raises::value, "linspace: stop must be finite, got inf"},
      {"linspace(0, 1, INT64_MAX)", [] { linspace(0, 1, INT64_MAX); },
       Raises::shape, "linspace: shape [9223372036854775807] is larger than any memory"},
      {"eye(-1)", [] { eye(-1); }, Raises::shape, "eye: the sizes must not be negative, got -1 and -1"},
      {"eye(3, -7)", [] { eye(3, -7); }, Raises::shape, "eye: the sizes must not be negative, got 3 and -7"},
      {"eye(2^40)", [] { eye(int64_t{1} << 40); },
       Raises::shape, "eye: shape [1099511627776, 1099511627776] is larger than any memory"},
  };
}

BadCalls random_rows() {
  return {
      {"randn(i64)", [] { randn({2}, DType::i64); }, Raises::dtype, "randn: needs a floating dtype, got i64"},
      {"uniform(i64)", [] { uniform({2}, 0, 1, DType::i64); },
       Raises::dtype, "uniform: needs a floating dtype, got i64; use randint"},
      {"uniform(1, 0)", [] { uniform({2}, 1, 0); }, Raises::value, "uniform: low 1 is above high 0"},
      {"uniform(0, inf)", [] { uniform({2}, 0, kInfinity); },
       Raises::value, "uniform: the range from 0 to inf is not finite"},
      {"uniform(-inf, inf)", [] { uniform({2}, -kInfinity, kInfinity); },
       Raises::value, "uniform: the range from -inf to inf is not finite"},
      {"uniform(inf, inf)", [] { uniform({2}, kInfinity, kInfinity); },
       Raises::value, "uniform: the range from inf to inf is not finite"},
      {"uniform(NaN, 1)", [] { uniform({2}, kNan, 1); }, Raises::value, "uniform: low nan is above high 1"},
      {"uniform(-1e308, 1e308)", [] { uniform({2}, -1e308, 1e308, DType::f64); },
       Raises::value, "uniform: the range from -1e+308 to 1e+308 is not finite"},
      {"randint(5, 5)", [] { randint(5, 5, {2}); }, Raises::value, "randint: low 5 must be below high 5"},
      {"randint(6, 5)", [] { randint(6, 5, {2}); }, Raises::value, "randint: low 6 must be below high 5"},
      {"randint(INT64_MIN, INT64_MAX)", [] { randint(INT64_MIN, INT64_MAX, {2}); },
       Raises::value, "is a wider range than 2^53"},
      {"randperm(-1)", [] { randperm(-1); }, Raises::value, "randperm: the count must not be negative, got -1"},
      {"randperm(2^50)", [] { randperm(kHuge); },
       Raises::shape, "randperm: shape [1125899906842624] is larger than any memory"},
      {"Generator::below(0)", [] { Generator(1).below(0); }, Raises::value, "below: the bound must be positive, got 0"},
      {"Generator::below(-3)", [] { Generator(1).below(-3); }, Raises::value, "below: the bound must be positive, got -3"},
      {"dtype_from_name(f8)", [] { dtype_from_name("f8"); },
       Raises::value, "dtype: unknown name 'f8'; expected f32, f64, f16 or i64"},
      {"dtype_from_name('')", [] { dtype_from_name(""); }, Raises::value, "dtype: unknown name ''"},
      {"dtype_from_name(F32)", [] { dtype_from_name("F32"); }, Raises::value, "dtype: unknown name 'F32'"},
      {"check_range(NaN)", [] { check_range("who", "what", kNan, range::finite); },
       Raises::value, "who: what must be finite, got nan"},
  };
}

BadCalls shapes() {
  const Shape shape{2, 3};
  return {
      {"Shape{-1}", [] { Shape{-1}; }, Raises::shape, "shape: an axis has the negative size -1"},
      {"Shape of 7 axes", [] { Shape{1, 1, 1, 1, 1, 1, 1}; }, Raises::shape, "shape: 7 axes, but a tensor has at most 6"},
      {"Shape(vector of 7)", [] { Shape(std::vector<int64_t>(7, 1)); },
       Raises::shape, "shape: 7 axes, but a tensor has at most 6"},
      {"Shape(vector with INT64_MIN)", [] { Shape(std::vector<int64_t>{INT64_MIN}); },
       Raises::shape, "shape: an axis has the negative size -92"},
      {"shape[2]", [=] { (void)shape[2]; }, Raises::shape, "shape: axis 2 is out of range for a tensor of 2 axes"},
      {"shape[-3]", [=] { (void)shape[-3]; }, Raises::shape, "shape: axis -3 is out of range for a tensor of 2 axes"},
      {"shape[INT_MIN]", [=] { (void)shape[INT32_MIN]; }, Raises::shape, "shape: axis -2147483648 is out of range"},
      {"[][0]", [] { (void)Shape{}[0]; }, Raises::shape, "shape: axis 0 is out of range for a tensor of 0 axes"},
      {"push_back(-1)", [=] { Shape(shape).push_back(-1); }, Raises::shape, "shape: an axis has the negative size -1"},
      {"insert(3, 1)", [=] { Shape(shape).insert(3, 1); }, Raises::shape, "shape: cannot insert an axis at 3 into [2, 3]"},
      {"insert(-1, 1)", [=] { Shape(shape).insert(-1, 1); },
       Raises::shape, "shape: cannot insert an axis at -1 into [2, 3]"},
      {"erase(2)", [=] { Shape(shape).erase(2); }, Raises::shape, "shape: axis 2 is out of range"},
      {"slice(0, 3)", [=] { (void)shape.slice(0, 3); }, Raises::shape, "shape: axis 2 is out of range"},
      {"concat to 7 axes", [] { (void)Shape{1, 1, 1, 1}.concat({1, 1, 1}); },
       Raises::shape, "shape: 7 axes, but a tensor has at most 6"},
      {"numel of 2^80", [] { (void)Shape{int64_t{1} << 40, int64_t{1} << 40}.numel(); },
       Raises::shape, "is larger than any memory"},
      {"checked_sum", [] { checked_sum("op", INT64_MAX, 1); },
       Raises::shape, "op: a size of 9223372036854775807 + 1 does not fit in 64 bits"},
      {"checked_sum, below", [] { checked_sum("op", INT64_MIN, -1); },
       Raises::shape, "op: a size of -9223372036854775808 + -1"},
      {"checked_product", [] { checked_product("op", INT64_MAX, 2); },
       Raises::shape, "op: a size of 9223372036854775807 · 2 does not fit"},
      {"normalize_axis(5, 3)", [] { normalize_axis("op", 5, 3); },
       Raises::shape, "op: axis 5 is out of range for a tensor of 3 axes"},
      {"normalize_axes({0, 0}, 3)", [] { normalize_axes("op", {0, 0}, 3); }, Raises::shape, "op: axis 0 is given twice"},
      {"broadcast_shapes([2], [3])", [] { broadcast_shapes("op", {2}, {3}); },
       Raises::shape, "op: shapes [2] and [3] do not broadcast: 2 against 3"},
  };
}

}  // namespace

BadCalls gradus::test::create_rows() { return joined({size_rows(), making_rows(), sequence_rows(), random_rows()}); }
BadCalls gradus::test::shape_rows() { return shapes(); }

TEST_CASE("bad input: what makes and compares tensors is refused, each by its own name") { check_bad_calls(create_rows()); }

TEST_CASE("bad input: shapes are refused, each by its own name") { check_bad_calls(shape_rows()); }
