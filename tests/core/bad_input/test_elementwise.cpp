// Bad calls of arithmetic.cpp and elementary.cpp, and of the operators.
#include "tests/core/bad_input/rows.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

using Unary = Tensor (*)(const Tensor&);
using Binary = Tensor (*)(const Tensor&, const Tensor&);

const std::vector<std::pair<std::string, Unary>> any_dtype{
    {"neg", neg},     {"square", square}, {"abs", abs},           {"sign", sign},         {"relu", relu},
    {"isnan", isnan}, {"isinf", isinf},   {"isfinite", isfinite}, {"logical_not", logical_not}, {"clone", clone}};
const std::vector<std::pair<std::string, Unary>> floating{
    {"rsqrt", rsqrt}, {"exp", exp}, {"expm1", expm1}, {"log", log}, {"log1p", log1p},     {"sqrt", sqrt},
    {"sin", sin},     {"cos", cos}, {"tanh", tanh},   {"erf", erf}, {"sigmoid", sigmoid}};
const std::vector<std::pair<std::string, Binary>> binary{
    {"add", add}, {"sub", sub}, {"mul", mul}, {"div", div}, {"pow", pow}, {"maximum", maximum}, {"minimum", minimum},
    {"eq", eq},   {"ne", ne},   {"lt", lt},   {"le", le},   {"gt", gt},   {"ge", ge},
    {"logical_and", logical_and}, {"logical_or", logical_or}};

BadCalls unary_rows() {
  BadCalls rows;
  for (const auto& family : {any_dtype, floating}) {
    for (const auto& [op, f] : family) rows.push_back(undefined_row(op, "x", [f = f] { f(Tensor()); }));
  }
  const Tensor whole = ids({1, 2});
  for (const auto& [op, f] : floating) {
    rows += {op + "(i64)", [f = f, whole] { f(whole); }, Raises::dtype,
             op + ": needs a floating dtype, got i64; use cast(x, DType::f32) first", {whole}};
  }
  return rows;
}

BadCalls binary_rows() {
  const Tensor wide = ones({2, 3}), narrow = ones({4}), precise = ones({2, 3}, DType::f64), half = ones({2, 3}, DType::f16);
  BadCalls rows;
  for (const auto& [op, f] : binary) {
    const auto call = [f = f](const Tensor& a, const Tensor& b) { return [=] { f(a, b); }; };
    rows += undefined_row(op, "a", call(Tensor(), wide));
    rows += undefined_row(op, "b", call(wide, Tensor()));
    rows += {op + "([2, 3], [4])", call(wide, narrow), Raises::shape,
             op + ": shapes [2, 3] and [4] do not broadcast: 3 against 4", {wide, narrow}};
    rows += {op + "(f32, f64)", call(wide, precise), Raises::dtype, op + ": dtypes differ: f32 and f64; cast one of them",
             {wide, precise}};
    rows += {op + "(f64, f16)", call(precise, half), Raises::dtype, op + ": dtypes differ: f64 and f16; cast one of them",
             {precise, half}};
  }
  return rows;
}

BadCalls option_rows() {
  const Tensor x = tensor({1, 2}), whole = ids({1, 2});
  const std::string no_floating = ": needs a floating dtype, got i64 and i64; use cast(x, DType::f32) first";
  return {
      REFUSED(dtype, div(whole, whole), "div" + no_floating, {whole}),
      REFUSED(dtype, pow(whole, whole), "pow" + no_floating, {whole}),
      REFUSED(dtype, pow(whole, 2), "pow" + no_floating, {whole}),
      REFUSED(dtype, pow(whole, 0.5), "pow: an i64 tensor cannot hold 0.5", {whole}),
      undefined_row("pow", "the tensor beside the number", [] { pow(Tensor(), 2); }),
      undefined_row("clamp", "x", [] { clamp(Tensor(), 0, 1); }),
      REFUSED(value, clamp(x, 2, 1), "clamp: needs low <= high, got 2 and 1", {x}),
      REFUSED(value, clamp(x, kNaN, 1), "clamp: needs low <= high, got nan and 1", {x}),
      REFUSED(value, clamp(x, 0, kNaN), "clamp: needs low <= high, got 0 and nan", {x}),
      REFUSED(dtype, clamp(whole, 0.5, 1), "clamp: an i64 tensor cannot hold 0.5", {whole}),
      REFUSED(dtype, clamp(whole, 0, 1.5), "clamp: an i64 tensor cannot hold 1.5", {whole}),
      undefined_row("cast", "x", [] { cast(Tensor(), DType::f64); }),
      undefined_row("cast", "x", [] { cast(Tensor(), DType::f32); }),
      REFUSED(value, cast(tensor({1, kNaN}), DType::i64), "cast: i64 cannot hold nan"),
      REFUSED(value, cast(tensor(kInfinity), DType::i64), "cast: i64 cannot hold inf"),
      REFUSED(value, cast(tensor(0x1p63, DType::f64), DType::i64), "cast: i64 cannot hold 9.22"),
      REFUSED(value, in_f32({x}, nullptr), "in_f32: the function is empty", {x}),
  };
}

// A number beside a tensor.
BadCalls number_rows() {
  using WithNumber = std::function<void(const Tensor&, Scalar)>;
  const std::vector<std::tuple<std::string, std::string, WithNumber>> operators{
      {"x + number", "add", [](const Tensor& x, Scalar n) { (void)(x + n); }},
      {"number + x", "add", [](const Tensor& x, Scalar n) { (void)(n + x); }},
      {"x - number", "sub", [](const Tensor& x, Scalar n) { (void)(x - n); }},
      {"number - x", "sub", [](const Tensor& x, Scalar n) { (void)(n - x); }},
      {"x * number", "mul", [](const Tensor& x, Scalar n) { (void)(x * n); }},
      {"number * x", "mul", [](const Tensor& x, Scalar n) { (void)(n * x); }},
      {"x / number", "div", [](const Tensor& x, Scalar n) { (void)(x / n); }},
      {"number / x", "div", [](const Tensor& x, Scalar n) { (void)(n / x); }},
      {"x == number", "eq", [](const Tensor& x, Scalar n) { (void)(x == n); }},
      {"x != number", "ne", [](const Tensor& x, Scalar n) { (void)(x != n); }},
      {"x < number", "lt", [](const Tensor& x, Scalar n) { (void)(x < n); }},
      {"x <= number", "le", [](const Tensor& x, Scalar n) { (void)(x <= n); }},
      {"x > number", "gt", [](const Tensor& x, Scalar n) { (void)(x > n); }},
      {"x >= number", "ge", [](const Tensor& x, Scalar n) { (void)(x >= n); }}};
  const Tensor whole = ids({1, 2});
  BadCalls rows;
  for (const auto& [name, op, f] : operators) {
    rows += undefined_row(op, "the tensor beside the number", [f = f] { f(Tensor(), 2); });
    rows += {name + " for i64 and a half", [f = f, whole] { f(whole, 0.5); }, Raises::dtype, op + ": an i64 tensor cannot hold",
             {whole}};
    rows += {name + " for i64 and NaN", [f = f, whole] { f(whole, kNaN); }, Raises::dtype, op + ": an i64 tensor cannot hold",
             {whole}};
  }
  rows += REFUSED(value, (void)(ones({2}) + 9007199254740993),
                  "scalar 9007199254740993: a double, which it goes through, cannot hold it; use from_vector");
  rows += REFUSED(value, (void)(ones({2}) + INT64_MAX), "scalar 9223372036854775807: a double");
  return rows;
}

// a += b and its like.
BadCalls in_place_rows() {
  using InPlace = std::function<void(Tensor&, const Tensor&)>;
  using WithNumber = std::function<void(Tensor&, Scalar)>;
  const std::vector<std::tuple<std::string, InPlace, WithNumber>> operators{
      {"+=", [](Tensor& a, const Tensor& b) { a += b; }, [](Tensor& a, Scalar b) { a += b; }},
      {"-=", [](Tensor& a, const Tensor& b) { a -= b; }, [](Tensor& a, Scalar b) { a -= b; }},
      {"*=", [](Tensor& a, const Tensor& b) { a *= b; }, [](Tensor& a, Scalar b) { a *= b; }},
      {"/=", [](Tensor& a, const Tensor& b) { a /= b; }, [](Tensor& a, Scalar b) { a /= b; }}};
  const Tensor x = ones({2}), whole = ids({1, 2}), leaf = ones({2}).set_requires_grad(), precise = ones({2}, DType::f64);
  BadCalls rows;
  for (const auto& [op, change, by_number] : operators) {
    const auto call = [f = change](Tensor a, const Tensor& b) { return [=]() mutable { f(a, b); }; };
    const auto number = [f = by_number](Tensor a, Scalar b) { return [=]() mutable { f(a, b); }; };
    rows += undefined_row(op, "a", call(Tensor(), x));
    rows += undefined_row(op, "b", call(x, Tensor()));
    rows += undefined_row(op, "the tensor beside the number", number(Tensor(), 2));
    rows += {"i64 " + op + " 0.5", number(whole, 0.5), Raises::dtype, op + ": an i64 tensor cannot hold 0.5", {whole}};
    rows += {"i64 " + op + " f32", call(whole, x), Raises::dtype, op + ": an i64 tensor cannot hold f32 values; use cast",
             {whole, x}};
    rows += {"f32 " + op + " f64", call(x, precise), Raises::dtype, op + ": dtypes differ: f32 and f64", {x, precise}};
    rows += {"[2] " + op + " [3]", call(x, ones({3})), Raises::shape, op + ": shape [3] does not broadcast to [2]", {x}};
    rows += {"[2] " + op + " [2, 2]", call(x, ones({2, 2})), Raises::shape, op + ": shape [2, 2] does not broadcast to [2]",
             {x}};
    rows += {"leaf " + op + " x while recording", call(leaf, x), Raises::graph,
             op + ": changes a tensor in place, which the tape cannot record", {leaf, x}};
    rows += {"x " + op + " leaf while recording", call(x, leaf), Raises::graph,
             op + ": changes a tensor in place, which the tape cannot record", {leaf, x}};
  }
  const auto divide = [=] {
    Tensor a = whole;
    a /= whole;
  };
  rows += {"i64 /= i64", divide, Raises::dtype, "/=: needs a floating dtype", {whole}};
  return rows;
}

}  // namespace

BadCalls gradus::test::elementwise_rows() { return joined({unary_rows(), binary_rows(), option_rows()}); }
BadCalls gradus::test::operator_rows() { return joined({number_rows(), in_place_rows()}); }

TEST_CASE("bad input: arithmetic and elementary functions are refused, each by its own name") {
  check_bad_calls(elementwise_rows());
}

TEST_CASE("bad input: operators are refused, each by its own name") { check_bad_calls(operator_rows()); }
