#include "tests/support/op_table.h"

#include <cmath>
#include <limits>
#include <utility>

#include "core/composites/composites.h"
#include "core/tensor/random.h"
#include "tests/support/tensors.h"

namespace gradus::test {
namespace {

using X = const Tensors&;
using Rows = std::vector<OpRow>;

Input in(const Shape& shape, double low = -2, double high = 2) { return {shape, low, high}; }
Input positive(const Shape& shape) { return in(shape, 0.5, 2); }
Input given(const Shape& shape, std::vector<double> values) { return {shape, 0, 0, std::move(values)}; }
Tensor mask() { return ids({{1, 0, 1}, {0, 0, 1}}); }
Tensor gather_ids() { return ids({{0, 2, 2}, {1, 1, 0}}); }

// A row is a line wherever it fits.
// clang-format off
Rows arithmetic_rows() {
  const Input zero_to_four = given({4}, {-1.5, 0, 0.5, 2}), up = given({3}, {1, 2, 3}), tied = given({3}, {1, 3, 3});
  const Input halves = given({8}, {-2.5, -1.5, -0.5, -0.25, 0.5, 1.5, 1.75, 3});
  return {
      {"add", [](X x) { return x[0] + x[1]; }, {in({2, 3}), in({2, 3})}},
      {"add/broadcast", [](X x) { return x[0] + x[1]; }, {in({2, 1, 3}), in({4, 1})}},
      {"add/scalar", [](X x) { return x[0] + x[1]; }, {in({}), in({2, 3})}},
      {"sub", [](X x) { return x[0] - x[1]; }, {in({2, 3}), in({2, 3})}},
      {"sub/broadcast", [](X x) { return x[0] - x[1]; }, {in({3}), in({2, 3})}},
      {"mul", [](X x) { return x[0] * x[1]; }, {in({2, 3}), in({2, 3})}},
      {"mul/broadcast", [](X x) { return x[0] * x[1]; }, {in({2, 1, 3}), in({4, 1})}},
      {"mul/column", [](X x) { return x[0] * x[1]; }, {in({3, 4}), in({3, 1})}},
      {"div", [](X x) { return x[0] / x[1]; }, {in({2, 3}), positive({2, 3})}},
      {"div/broadcast", [](X x) { return x[0] / x[1]; }, {in({2, 3}), positive({2, 1})}},
      {"operators",
       [](X x) {
         const Tensor y = (2 - x[0]) * 3 / (x[0] + 4) - 1 / (x[0] + 3);
         return y - (5 + x[0] * 2) / 7 + (x[0] - 0.5);
       },
       {in({2, 3})}},
      {"neg", [](X x) { return -x[0]; }, {in({2, 3})}},
      {"pow", [](X x) { return pow(x[0], x[1]); }, {positive({2, 3}), in({2, 3})}},
      {"pow/broadcast", [](X x) { return pow(x[0], x[1]); }, {positive({2, 3}), in({3})}},
      {"pow/number", [](X x) { return pow(x[0], 3); }, {zero_to_four}},
      {"pow/of_number", [](X x) { return pow(2, x[0]); }, {in({2, 3})}},
      {"pow/zero_exponent", [](X x) { return pow(x[0], 0); }, {zero_to_four}},
      {"pow/zero_base", [](X x) { return pow(x[0], x[1]); }, {given({4}, {0, 0, 1.5, 2}), given({4}, {2, 1, 3, 0})},
       Smooth::kink},
      {"pow/exponents_with_zero", [](X x) { return pow(x[0], x[1]); }, {given({4}, {0.5, 2, 3, 1}), given({4}, {0, 0, 1, 0})},
       Smooth::twice, [](Numbers x) { return std::pow(x[0], x[1]); }},
      {"square", [](X x) { return square(x[0]); }, {in({2, 3})}},
      {"rsqrt", [](X x) { return rsqrt(x[0]); }, {positive({2, 3})}},
      {"abs", [](X x) { return abs(x[0]); }, {in({2, 3})}},
      {"abs/zero", [](X x) { return abs(x[0]); }, {given({3}, {-1, 0, 2})}, Smooth::kink},
      {"sign", [](X x) { return sign(x[0]); }, {given({3}, {-1, 0, 2})}, Smooth::none},
      {"maximum", [](X x) { return maximum(x[0], x[1]); }, {in({2, 3}), in({3})}},
      {"maximum/ties", [](X x) { return maximum(x[0], x[1]); }, {up, tied}, Smooth::kink},
      {"maximum/number", [](X x) { return maximum(x[0], 0.5); }, {in({2, 3})}},
      {"minimum", [](X x) { return minimum(x[0], x[1]); }, {in({2, 3}), in({3})}},
      {"minimum/ties", [](X x) { return minimum(x[0], x[1]); }, {up, tied}, Smooth::kink},
      {"minimum/number", [](X x) { return minimum(0.5, x[0]); }, {in({2, 3})}},
      {"floor", [](X x) { return floor(x[0]); }, {halves}, Smooth::none},
      {"round", [](X x) { return round(x[0]); }, {halves}, Smooth::none},
      {"clamp", [](X x) { return clamp(x[0], -1, 1); }, {in({3, 4})}},
      {"clamp/ends", [](X x) { return clamp(x[0], -1, 1); }, {given({5}, {-2, -1, 0.5, 1, 2})}, Smooth::kink},
  };
}

Rows elementary_rows() {
  return {
      {"exp", [](X x) { return exp(x[0]); }, {in({2, 3})}},
      {"expm1", [](X x) { return expm1(x[0]); }, {in({2, 3})}},
      {"log", [](X x) { return log(x[0]); }, {in({2, 3}, 0.1, 3)}},
      {"log1p", [](X x) { return log1p(x[0]); }, {in({2, 3}, -0.8, 3)}},
      {"sqrt", [](X x) { return sqrt(x[0]); }, {in({2, 3}, 0.1, 3)}},
      {"sin", [](X x) { return sin(x[0]); }, {in({2, 3}, -6, 6)}},
      {"cos", [](X x) { return cos(x[0]); }, {in({2, 3}, -6, 6)}},
      {"tanh", [](X x) { return tanh(x[0]); }, {in({2, 3}, -3, 3)}},
      {"sigmoid", [](X x) { return sigmoid(x[0]); }, {in({2, 3}, -6, 6)}},
      {"erf", [](X x) { return erf(x[0]); }, {in({2, 3})}},
      {"relu", [](X x) { return relu(x[0]); }, {in({2, 3})}},
      {"relu/zero", [](X x) { return relu(x[0]); }, {given({3}, {-1, 0, 2})}, Smooth::kink},
      {"cast", [](X x) { return cast(x[0], DType::f64); }, {in({2, 3})}},
      {"in_f32", [](X x) { return in_f32({x[0]}, [](X wide) { return square(wide[0]); }); }, {in({2, 3})}, Smooth::twice,
       [](Numbers x) { return x[0] * x[0]; }},
  };
}

Rows select_rows() {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  const Input up = given({3}, {1, 2, 3}), twos = given({3}, {2, 2, 2}), special = given({5}, {nan, inf, -inf, 0, 1});
  const Input left = given({4}, {0, 0, 2, -1}), right = given({4}, {0, 1, 0, 3});
  return {
      {"eq", [](X x) { return eq(x[0], x[1]); }, {up, twos}, Smooth::none},
      {"ne", [](X x) { return ne(x[0], x[1]); }, {up, twos}, Smooth::none},
      {"lt", [](X x) { return lt(x[0], x[1]); }, {up, twos}, Smooth::none},
      {"le", [](X x) { return le(x[0], x[1]); }, {up, twos}, Smooth::none},
      {"gt", [](X x) { return gt(x[0], x[1]); }, {up, twos}, Smooth::none},
      {"ge", [](X x) { return ge(x[0], x[1]); }, {up, twos}, Smooth::none},
      {"logical_and", [](X x) { return logical_and(x[0], x[1]); }, {left, right}, Smooth::none},
      {"logical_or", [](X x) { return logical_or(x[0], x[1]); }, {left, right}, Smooth::none},
      {"logical_not", [](X x) { return logical_not(x[0]); }, {left}, Smooth::none},
      {"isnan", [](X x) { return isnan(x[0]); }, {special}, Smooth::none},
      {"isinf", [](X x) { return isinf(x[0]); }, {special}, Smooth::none},
      {"isfinite", [](X x) { return isfinite(x[0]); }, {special}, Smooth::none},
      {"where", [](X x) { return where(mask(), x[0], x[1]); }, {in({2, 3}), in({2, 3})}},
      {"where/broadcast", [](X x) { return where(mask(), x[0], x[1]); }, {in({2, 1}), in({})}},
      {"where/number", [](X x) { return where(mask(), x[0], 0.5); }, {in({2, 3})}},
      {"masked_fill", [](X x) { return masked_fill(x[0], mask(), -7); }, {in({2, 3})}},
      {"masked_select", [](X x) { return masked_select(x[0], mask()); }, {in({2, 3})}},
      {"masked_select/brackets", [](X x) { return x[0][ids({1, 0})]; }, {in({2, 3})}},
      {"nonzero", [](X x) { return nonzero(x[0]); }, {given({2, 3}, {0, 2, 0, -1, 0, 0.5})}, Smooth::none},
      {"tril", [](X x) { return tril(x[0]); }, {in({3, 4})}},
      {"tril/below", [](X x) { return tril(x[0], -1); }, {in({2, 3, 3})}},
      {"triu", [](X x) { return triu(x[0]); }, {in({3, 4})}},
      {"triu/above", [](X x) { return triu(x[0], 1); }, {in({2, 3, 3})}},
  };
}

Rows reduce_rows() {
  return {
      {"sum", [](X x) { return sum(x[0]); }, {in({2, 3})}},
      {"sum/axis", [](X x) { return sum(x[0], 0); }, {in({2, 3})}},
      {"sum/keepdim", [](X x) { return sum(x[0], -1, true); }, {in({2, 3})}},
      {"sum/middle", [](X x) { return sum(x[0], 1); }, {in({2, 3, 4})}},
      {"sum/apart", [](X x) { return sum(x[0], {0, -1}); }, {in({2, 3, 4})}},
      {"mean", [](X x) { return mean(x[0]); }, {in({2, 3})}},
      {"mean/axis", [](X x) { return mean(x[0], -2, true); }, {in({2, 3, 4})}},
      {"centered", [](X x) { return centered(x[0]); }, {in({2, 3})}},
      {"centered/axis", [](X x) { return centered(x[0], 1); }, {in({2, 3, 4})}},
      {"var", [](X x) { return var(x[0]); }, {in({2, 3})}},
      {"var/population", [](X x) { return var(x[0], -1, 0); }, {in({2, 5})}},
      {"var/axes", [](X x) { return var(x[0], {0, 2}, 1, true); }, {in({2, 3, 4})}},
      {"stddev", [](X x) { return stddev(x[0], -1); }, {in({2, 5})}},
      {"stddev/population", [](X x) { return stddev(x[0], 0, 0, true); }, {in({5, 2})}},
      {"prod", [](X x) { return prod(x[0]); }, {in({2, 3})}},
      {"prod/axis", [](X x) { return prod(x[0], 0, true); }, {in({5, 2})}},
      {"prod/one_zero", [](X x) { return prod(x[0], -1); }, {given({2, 3}, {2, 0, -3, 1, 2, 4})}},
      {"prod/two_zeros", [](X x) { return prod(x[0], -1); }, {given({2, 3}, {2, 0, 0, 1, 2, 4})}},
      {"cumprod", [](X x) { return cumprod(x[0], -1); }, {in({2, 5})}},
      {"cumprod/first", [](X x) { return cumprod(x[0], 0); }, {in({4, 2, 2})}},
      {"cumprod/zero", [](X x) { return cumprod(x[0], 0); }, {given({4}, {2, 0, -3, 0.5})}},
      {"norm", [](X x) { return norm(x[0]); }, {in({2, 3})}},
      {"norm/axis", [](X x) { return norm(x[0], -1, true); }, {in({2, 3})}},
      {"norm/zero", [](X x) { return norm(x[0], -1); }, {given({2, 2}, {0, 0, 3, 4})}, Smooth::kink},
      {"median", [](X x) { return median(x[0], -1); }, {in({2, 5})}},
      {"median/all", [](X x) { return median(x[0]); }, {in({2, 3})}},
      {"median/even", [](X x) { return median(x[0], 0, true); }, {in({4, 3})}},
      {"any", [](X x) { return any(x[0], -1); }, {given({3, 2}, {0, 0, 0, 2, 1, -1})}, Smooth::none},
      {"all", [](X x) { return all(x[0], -1); }, {given({3, 2}, {0, 0, 0, 2, 1, -1})}, Smooth::none},
      {"max", [](X x) { return max(x[0]); }, {in({2, 3})}},
      {"max/axis", [](X x) { return max(x[0], 0); }, {in({4, 3})}},
      {"max/keepdim", [](X x) { return max(x[0], {-1, 0}, true); }, {in({2, 3, 4})}},
      {"max/ties", [](X x) { return max(x[0], -1); }, {given({2, 3}, {1, 3, 3, 2, 2, 2})}, Smooth::kink},
      {"min", [](X x) { return min(x[0]); }, {in({2, 3})}},
      {"min/axis", [](X x) { return min(x[0], -1); }, {in({4, 3})}},
      {"min/ties", [](X x) { return min(x[0], -1); }, {given({2, 3}, {1, 1, 3, 2, 2, 2})}, Smooth::kink},
      {"argmax", [](X x) { return argmax(x[0]); }, {in({4, 5})}, Smooth::none},
      {"argmax/first", [](X x) { return argmax(x[0], 0, true); }, {in({4, 5})}, Smooth::none},
      {"argmin", [](X x) { return argmin(x[0]); }, {in({4, 5})}, Smooth::none},
      {"logsumexp", [](X x) { return logsumexp(x[0]); }, {in({2, 3})}},
      {"logsumexp/axis", [](X x) { return logsumexp(x[0], -1, true); }, {in({2, 5}, -50, 50)}},
      {"cumsum", [](X x) { return cumsum(x[0], -1); }, {in({2, 5})}},
      {"cumsum/first", [](X x) { return cumsum(x[0], 0); }, {in({4, 2, 2})}},
  };
}

Rows matmul_rows() {
  const auto plain = [](X x) { return matmul(x[0], x[1]); };
  const auto left = [](X x) { return matmul(x[0], x[1], {.transpose_a = true}); };
  const auto right = [](X x) { return matmul(x[0], x[1], {.transpose_b = true}); };
  const auto both = [](X x) { return matmul(x[0], x[1], {.transpose_a = true, .transpose_b = true}); };
  return {
      {"matmul", plain, {in({3, 4}), in({4, 2})}},
      {"matmul/transpose_a", left, {in({4, 3}), in({4, 2})}},
      {"matmul/transpose_b", right, {in({3, 4}), in({2, 4})}},
      {"matmul/transpose_both", both, {in({4, 3}), in({2, 4})}},
      {"matmul/batched", plain, {in({2, 3, 4}), in({2, 4, 2})}},
      {"matmul/batched_transposed", both, {in({2, 4, 3}), in({2, 2, 4})}},
      {"matmul/tall", plain, {in({2, 3, 4}), in({4, 2})}},
      {"matmul/tall_transpose_b", right, {in({2, 3, 4}), in({2, 4})}},
      {"matmul/wide", plain, {in({3, 4}), in({2, 4, 2})}},
      {"matmul/broadcast", plain, {in({2, 1, 3, 4}), in({5, 4, 2})}},
      {"matmul/broadcast_transposed", both, {in({2, 1, 4, 3}), in({5, 2, 4})}},
      {"matmul/row", plain, {in({4}), in({2, 4, 3})}},
      {"matmul/column", plain, {in({2, 3, 4}), in({4})}},
      {"matmul/vectors", plain, {in({4}), in({4})}},
      {"dot", [](X x) { return dot(x[0], x[1]); }, {in({4}), in({4})}},
      {"outer", [](X x) { return outer(x[0], x[1]); }, {in({3}), in({4})}},
      {"einsum", [](X x) { return einsum("bik,bkj->bij", {x[0], x[1]}); }, {in({2, 3, 4}), in({2, 4, 2})}},
      {"einsum/heads", [](X x) { return einsum("bthd,bshd->bhts", {x[0], x[1]}); }, {in({2, 3, 2, 4}), in({2, 2, 2, 4})}},
      {"einsum/turned", [](X x) { return einsum("ij->ji", {x[0]}); }, {in({2, 3})}},
      {"einsum/implicit", [](X x) { return einsum("ij,jk", {x[0], x[1]}); }, {in({2, 3}), in({3, 2})}},
      {"einsum/three", [](X x) { return einsum("i,ij,j->", {x[0], x[1], x[2]}); }, {in({2}), in({2, 3}), in({3})}},
  };
}

Rows layout_rows() {
  return {
      {"expand", [](X x) { return expand(x[0], {4, 2, 3}); }, {in({2, 1})}},
      {"expand/stays", [](X x) { return expand(x[0], std::vector<int64_t>{4, -1, 3}); }, {in({2, 1})}},
      {"sum_to", [](X x) { return sum_to(x[0], {2, 1}); }, {in({4, 2, 3})}},
      {"clone", [](X x) { return clone(x[0]); }, {in({2, 3})}, Smooth::twice, [](Numbers x) { return x[0]; }},
      {"reshape", [](X x) { return reshape(x[0], {3, -1}); }, {in({2, 3, 2})}},
      {"repeat", [](X x) { return repeat(x[0], {2, 3}); }, {in({2, 2})}},
      {"repeat/new_axis", [](X x) { return repeat(x[0], {2, 1}); }, {in({3})}},
      {"permute", [](X x) { return permute(x[0], {2, 0, 1}); }, {in({2, 3, 4})}},
      {"permute/four", [](X x) { return permute(x[0], {0, 2, 1, 3}); }, {in({2, 3, 2, 2})}},
      {"transpose", [](X x) { return transpose(x[0]); }, {in({2, 3, 4})}},
      {"transpose/axes", [](X x) { return transpose(x[0], 0, -1); }, {in({2, 3, 4})}},
      {"squeeze", [](X x) { return squeeze(x[0]); }, {in({1, 3, 1})}},
      {"squeeze/axis", [](X x) { return squeeze(x[0], -1); }, {in({1, 3, 1})}},
      {"unsqueeze", [](X x) { return unsqueeze(x[0], -1); }, {in({2, 3})}},
      {"flatten", [](X x) { return flatten(x[0]); }, {in({2, 3, 2})}},
      {"flatten/tail", [](X x) { return flatten(x[0], 1); }, {in({2, 3, 2})}},
      {"cat", [](X x) { return cat({x[0], x[1], x[2]}, 0); }, {in({2, 3}), in({1, 3}), in({2, 3})}},
      {"cat/last", [](X x) { return cat({x[0], x[1]}, -1); }, {in({2, 3}), in({2, 1})}},
      {"cat/twice", [](X x) { return cat({x[0], x[0]}, 0); }, {in({2, 3})}},
      {"stack", [](X x) { return stack({x[0], x[1]}); }, {in({2, 3}), in({2, 3})}},
      {"stack/last", [](X x) { return stack({x[0], x[1]}, -1); }, {in({2, 3}), in({2, 3})}},
      {"split", [](X x) { return split(x[0], 2, 1)[0] * split(x[0], 2, 1)[1]; }, {in({2, 5})}},
      {"split/sizes", [](X x) { return split(x[0], {1, 4}, -1)[1]; }, {in({2, 5})}},
      {"chunk", [](X x) { return chunk(x[0], 2, 1)[1]; }, {in({2, 5})}},
      {"slice", [](X x) { return slice(x[0], 1, 1, 3); }, {in({2, 5})}},
      {"slice/step", [](X x) { return slice(x[0], 1, 0, 5, 2); }, {in({2, 5})}},
      {"slice/negative", [](X x) { return slice(x[0], 0, -3, -1); }, {in({4, 2})}},
      {"slice/clipped", [](X x) { return slice(x[0], 0, 2, 99); }, {in({4, 2})}},
      {"select", [](X x) { return select(x[0], 1, -2); }, {in({2, 5})}},
      {"flip", [](X x) { return flip(x[0], 1); }, {in({2, 3})}},
      {"flip/two", [](X x) { return flip(x[0], {0, -1}); }, {in({2, 3, 2})}},
      {"roll", [](X x) { return roll(x[0], 2, -1); }, {in({2, 5})}},
      {"roll/back", [](X x) { return roll(x[0], -7, 0); }, {in({5, 2})}},
      {"pad", [](X x) { return pad(x[0], {{1, 3}, {2, 0}}); }, {in({2, 3})}},
      {"pad/value", [](X x) { return pad(x[0], {{2, 0}, {0, 1}}, -1.5); }, {in({2, 3})}},
  };
}

Rows index_rows() {
  const auto three = [] { return ids({3, 0, 3}); };
  return {
      {"gather", [](X x) { return gather(x[0], 1, gather_ids()); }, {in({2, 4})}},
      {"gather/first", [](X x) { return gather(x[0], 0, gather_ids()); }, {in({4, 3})}},
      {"scatter_add", [](X x) { return scatter_add(x[0], 1, gather_ids(), x[1]); }, {in({2, 4}), in({2, 3})}},
      {"scatter_add/first", [](X x) { return scatter_add(x[0], 0, gather_ids(), x[1]); }, {in({4, 3}), in({2, 3})}},
      {"scatter", [](X x) { return scatter(x[0], 1, ids({{0, 2}, {3, 1}}), x[1]); }, {in({2, 4}), in({2, 2})}},
      {"index_select", [=](X x) { return index_select(x[0], 0, three()); }, {in({4, 2})}},
      {"index_select/last", [=](X x) { return index_select(x[0], -1, three()); }, {in({2, 4})}},
      {"index_add", [=](X x) { return index_add(x[0], 0, three(), x[1]); }, {in({4, 2}), in({3, 2})}},
      {"index_add/last", [=](X x) { return index_add(x[0], -1, three(), x[1]); }, {in({2, 4}), in({2, 3})}},
      {"take", [](X x) { return take(x[0], gather_ids()); }, {in({2, 2})}},
      {"one_hot", [](X x) { return one_hot(cast(x[0], DType::i64), 3, x[0].dtype()); }, {given({3}, {2, 0, 1})},
       Smooth::none},
      {"argsort", [](X x) { return argsort(x[0]); }, {in({2, 5})}, Smooth::none},
      {"argsort/descending", [](X x) { return argsort(x[0], 0, true); }, {in({5, 2})}, Smooth::none},
      {"sort", [](X x) { return sort(x[0]).values; }, {in({2, 5})}},
      {"sort/descending", [](X x) { return sort(x[0], 0, true).values; }, {in({5, 2})}},
      {"topk", [](X x) { return topk(x[0], 2).values; }, {in({3, 5})}},
      {"topk/first", [](X x) { return topk(x[0], 3, 0).values; }, {in({5, 2})}},
  };
}

// clang-format on

// Seeded by the name, so that a new row changes no other row's numbers.
Generator generator_for(const OpRow& row) {
  std::uint64_t seed = 0;
  for (char letter : row.name) seed = seed * 31 + static_cast<unsigned char>(letter);
  return Generator(seed);
}

Tensor draw(const Shape& shape, double low, double high, Generator& generator) {
  return cast(cast(uniform(shape, low, high, DType::f64, generator), DType::f16), DType::f64);
}

}  // namespace

const std::vector<OpRow>& op_table() {
  static const Rows table = [] {
    Rows all;
    for (const Rows& family :
         {arithmetic_rows(), elementary_rows(), select_rows(), reduce_rows(), matmul_rows(), layout_rows(), index_rows()}) {
      all.insert(all.end(), family.begin(), family.end());
    }
    return all;
  }();
  return table;
}

Tensors make_inputs(const OpRow& row, DType dtype, bool requires_grad) {
  Generator generator = generator_for(row);
  Tensors inputs;
  for (const Input& input : row.inputs) {
    const Tensor wide = input.values.empty() ? draw(input.shape, input.low, input.high, generator) : from_vector(input.values, input.shape);
    inputs.push_back(cast(wide, dtype).set_requires_grad(requires_grad));
  }
  return inputs;
}

Tensor make_cotangent(const OpRow& row, const Tensor& output) {
  Generator generator = generator_for(row);
  generator.advance(std::uint64_t{1} << 32);
  return cast(draw(output.shape(), -1, 1, generator), output.dtype());
}

}  // namespace gradus::test
