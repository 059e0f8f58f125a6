// Bad calls of arithmetic.cpp and elementary.cpp, and of the operators.
#include "tests/core/bad_input/rows.h"

using namespace gradus;
using namespace gradus::test;

namespace {

using Unary = Tensor (*)(const Tensor&);
using Binary = Tensor (*)(const Tensor&, const Tensor&);

const std::vector<std::pair<std::string, Unary>> any_dtype{{"neg", neg},     {"square", square},     {"abs", abs},
                                                           {"sign", sign},   {"relu", relu},         {"isnan", isnan},
                                                           {"isinf", isinf}, {"isfinite", isfinite}, {"logical_not", logical_not},
                                                           {"clone", clone}};
const std::vector<std::pair<std::string, Unary>> floating{{"rsqrt", rsqrt}, {"exp", exp},   {"expm1", expm1},    {"log", log},
                                                          {"log1p", log1p}, {"sqrt", sqrt}, {"sin", sin},        {"cos", cos},
                                                          {"tanh", tanh},   {"erf", erf},   {"sigmoid", sigmoid}};
const std::vector<std::pair<std::string, Binary>> binary{{"add", add},
                                                         {"sub", sub},
                                                         {"mul", mul},
                                                         {"div", div},
                                                         {"pow", pow},
                                                         {"maximum", maximum},
                                                         {"minimum", minimum},
                                                         {"eq", eq},
                                                         {"ne", ne},
                                                         {"lt", lt},
                                                         {"le", le},
                                                         {"gt", gt},
                                                         {"ge", ge},
                                                         {"logical_and", logical_and},
                                                         {"logical_or", logical_or}};

BadCalls unary_rows() {
  BadCalls rows;
  for (const auto& family : {any_dtype, floating}) {
    for (const auto& [op, f] : family) rows += undefined_row(op, "x", [f = f] { f(Tensor()); });
  }
  const Tensor whole = ids({1, 2});
  for (const auto& [op, function] : floating) {
    const Unary f = function;
    rows += REFUSED(dtype, f(whole), op + ": needs a floating dtype, got i64; use cast(x, DType::f32) first", {whole});
  }
  return rows;
}

BadCalls binary_rows() {
  const Tensor wide = ones({2, 3}), narrow = ones({4}), precise = ones({2, 3}, DType::f64), half = ones({2, 3}, DType::f16);
  BadCalls rows;
  for (const auto& [op, function] : binary) {
    const Binary f = function;
    rows += undefined_rows(op, {"a", "b"}, {wide, wide}, [=](const Tensors& t) { f(t[0], t[1]); });
    rows += by(op, {REFUSED(shape, f(wide, narrow), "shapes [2, 3] and [4] do not broadcast: 3 against 4", {wide, narrow}),
                    REFUSED(dtype, f(wide, precise), "dtypes differ: f32 and f64; cast one of them", {wide, precise}),
                    REFUSED(dtype, f(precise, half), "dtypes differ: f64 and f16; cast one of them", {precise, half})});
  }
  return rows;
}

// A number beside a tensor.
BadCalls number_rows() {
#define OPERATOR(op, call)                                      \
  {                                                             \
    #op, #call, [](const Tensor& x, Scalar n) { (void)(call); } \
  }
  const std::vector<std::tuple<std::string, std::string, std::function<void(const Tensor&, Scalar)>>> operators{
      OPERATOR(add, x + n), OPERATOR(add, n + x), OPERATOR(sub, x - n), OPERATOR(sub, n - x), OPERATOR(mul, x * n),
      OPERATOR(mul, n * x), OPERATOR(div, x / n), OPERATOR(div, n / x), OPERATOR(eq, x == n), OPERATOR(ne, x != n),
      OPERATOR(lt, x < n),  OPERATOR(le, x <= n), OPERATOR(gt, x > n),  OPERATOR(ge, x >= n)};
#undef OPERATOR
  const Tensor whole = ids({1, 2});
  BadCalls rows;
  for (const auto& [op, name, function] : operators) {
    const auto f = function;
    rows += undefined_row(op, "the tensor beside the number", [=] { f(Tensor(), 2); });
    rows += of(name, {REFUSED(dtype, f(whole, 0.5), op + ": an i64 tensor cannot hold", {whole}),
                      REFUSED(dtype, f(whole, kNaN), op + ": an i64 tensor cannot hold", {whole})});
  }
  rows += REFUSED(value, (void)(ones({2}) + 9007199254740993),
                  "scalar 9007199254740993: a double, which it goes through, cannot hold it; use from_vector");
  rows += REFUSED(value, (void)(ones({2}) + INT64_MAX), "scalar 9223372036854775807: a double");
  return rows;
}

// a += b and its like.
BadCalls in_place_rows() {
#define IN_PLACE(op)                                                                   \
  {                                                                                    \
    #op, [](Tensor a, const Tensor& b) { a op b; }, [](Tensor a, Scalar b) { a op b; } \
  }
  using InPlace = void (*)(Tensor, const Tensor&);
  using WithNumber = void (*)(Tensor, Scalar);
  const std::tuple<std::string, InPlace, WithNumber> operators[] = {IN_PLACE(+=), IN_PLACE(-=), IN_PLACE(*=), IN_PLACE(/=)};
#undef IN_PLACE
  const Tensor x = ones({2}), whole = ids({1, 2}), leaf = ones({2}).set_requires_grad(), precise = ones({2}, DType::f64);
  const std::string no_tape = "changes a tensor in place, which the tape cannot record";
  BadCalls rows;
  for (const auto& [op, change, by_number] : operators) {
    const InPlace f = change;
    const WithNumber number = by_number;
    rows += undefined_rows(op, {"a", "b"}, {x, x}, [=](const Tensors& t) { f(t[0], t[1]); });
    rows += undefined_row(op, "the tensor beside the number", [=] { number(Tensor(), 2); });
    rows += by(op, {REFUSED(dtype, number(whole, 0.5), "an i64 tensor cannot hold 0.5", {whole}),
                    REFUSED(dtype, f(whole, x), "an i64 tensor cannot hold f32 values; use cast", {whole, x}),
                    REFUSED(dtype, f(x, precise), "dtypes differ: f32 and f64", {x, precise}),
                    REFUSED(shape, f(x, ones({3})), "shape [3] does not broadcast to [2]", {x}),
                    REFUSED(shape, f(x, ones({2, 2})), "shape [2, 2] does not broadcast to [2]", {x}),
                    REFUSED(graph, f(leaf, x), no_tape, {leaf, x}), REFUSED(graph, f(x, leaf), no_tape, {leaf, x})});
  }
  rows += REFUSED(dtype, changed(whole, [=](Tensor& a) { a /= whole; }), "/=: needs a floating dtype", {whole});
  return rows;
}

}  // namespace

BadCalls gradus::test::elementwise_rows() {
  const Tensor x = tensor({1, 2}), whole = ids({1, 2});
  const std::string no_floating = ": needs a floating dtype, got i64 and i64; use cast(x, DType::f32) first";
  return keeping({x, whole}, {
                                 unary_rows(),
                                 binary_rows(),
                                 REFUSED(dtype, div(whole, whole), "div" + no_floating),
                                 REFUSED(dtype, pow(whole, whole), "pow" + no_floating),
                                 REFUSED(dtype, pow(whole, 2), "pow" + no_floating),
                                 REFUSED(dtype, pow(whole, 0.5), "pow: an i64 tensor cannot hold 0.5"),
                                 undefined_row("pow", "the tensor beside the number", [] { pow(Tensor(), 2); }),
                                 UNDEFINED_X(clamp(none, 0, 1)),
                                 UNDEFINED_X(cast(none, DType::f64)),
                                 UNDEFINED_X(cast(none, DType::f32)),
                                 REFUSED(value, clamp(x, 2, 1), "clamp: needs low <= high, got 2 and 1"),
                                 REFUSED(value, clamp(x, kNaN, 1), "clamp: needs low <= high, got nan and 1"),
                                 REFUSED(value, clamp(x, 0, kNaN), "clamp: needs low <= high, got 0 and nan"),
                                 REFUSED(dtype, clamp(whole, 0.5, 1), "clamp: an i64 tensor cannot hold 0.5"),
                                 REFUSED(dtype, clamp(whole, 0, 1.5), "clamp: an i64 tensor cannot hold 1.5"),
                                 REFUSED(value, cast(tensor({1, kNaN}), DType::i64), "cast: i64 cannot hold nan"),
                                 REFUSED(value, cast(tensor(kInfinity), DType::i64), "cast: i64 cannot hold inf"),
                                 REFUSED(value, cast(tensor(0x1p63, DType::f64), DType::i64), "cast: i64 cannot hold 9.22"),
                                 REFUSED(value, in_f32({x}, nullptr), "in_f32: the function is empty"),
                             });
}

BadCalls gradus::test::operator_rows() { return {number_rows(), in_place_rows()}; }
