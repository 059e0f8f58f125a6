#include "nn/feed_forward/grouped_linear.h"

#include "core/composites/composites.h"
#include "core/kernels/check_operands.h"
#include "nn/activation/swish.h"
#include "nn/linear.h"

namespace gradus::nn {
namespace {

void check_ends(const Tensor& ends, int64_t groups, int64_t rows, OpName op) {
  check<DTypeError>(ends.dtype() == DType::i64, "{}: ends must be i64, got {}", op, ends.dtype());
  check<ShapeError>(ends.shape() == Shape{groups} && groups > 0, "{}: expected an end for each of {} groups, got {}", op, groups,
                    ends.shape());
  int64_t begin = 0;
  for (const double end : to_vector(ends)) {
    check<ValueError>(end >= static_cast<double>(begin) && end <= static_cast<double>(rows),
                      "{}: the ends must rise to the {} rows, got {} after {}", op, rows, end, begin);
    begin = static_cast<int64_t>(end);
  }
  check<ValueError>(begin == rows, "{}: the last group ends at {}, and there are {} rows", op, begin, rows);
}

}  // namespace

// #region ffn-moe-grouped
// y_i = x_i W_eᵀ + b_e, e the group of row i
// dL/dx_i = g_i W_e      dL/dW_e = Σ g_iᵀ x_i      dL/db_e = Σ g_i over the rows of the group, g = dL/dy
Tensor grouped_linear(const Tensor& x, const Tensor& ends, const Tensors& weights, const Tensors& biases) {
  check_defined({{"x", x}, {"ends", ends}}, "grouped_linear");
  check<ShapeError>(x.rank() == 2 && biases.size() == weights.size(),
                    "grouped_linear: expected x [M, in] and a bias, perhaps undefined, for each of {} weights; got x {} and {} biases",
                    weights.size(), x.shape(), biases.size());
  check_ends(ends, std::ssize(weights), x.size(0), "grouped_linear");
  Tensors y;
  int64_t begin = 0;
  for (std::size_t e = 0; e < weights.size(); ++e) {
    const int64_t end = ends.data<int64_t>()[e];
    y.push_back(linear(slice(x, 0, begin, end), weights[e], biases[e]));
    begin = end;
  }
  return cat(y, 0);
}
// #endregion ffn-moe-grouped

// #region ffn-moe
// y_t = Σ_e w_te W₂ᵉ h_te, h_te = silu(W₁ᵉ x_t) ⊙ W₃ᵉ x_t
// dL/dw_te = g_t · W₂ᵉ h_te      dL/dh_te = w_te W₂ᵉᵀ g_t      dL/dW₂ᵉ = Σ_t w_te g_t h_teᵀ, g = dL/dy; before h as in the dense layer
Tensor formula::experts(const Tensors& in, Layer* norm) {
  const Tensor &x = in[0], &weights = in[1], &tokens = in[2], &choices = in[3], &ends = in[4];
  const auto of_experts = [&](int64_t i) { return Tensors(in.begin() + 5 + i * ends.numel(), in.begin() + 5 + (i + 1) * ends.numel()); };
  const Tensors w1 = of_experts(0), w3 = of_experts(1), w2 = of_experts(2), b1 = of_experts(3), b3 = of_experts(4), b2 = of_experts(5);
  const Tensor rows = index_select(x, 0, tokens);
  const Tensor hidden = act::silu.by_formula(grouped_linear(rows, ends, w1, b1)) * grouped_linear(rows, ends, w3, b3);
  const Tensor results = grouped_linear(norm != nullptr ? (*norm)(hidden) : hidden, ends, w2, b2);
  return index_add(zeros_like(x), 0, tokens, results * unsqueeze(take(weights, choices), 1));
}
// #endregion ffn-moe

Tensor experts(const Tensors& inputs) {
  constexpr const char* op = "experts";
  check<ShapeError>(inputs.size() > 5, "experts: {} inputs are too few", inputs.size());
  for (std::size_t i = 0; i < 6; ++i) check_defined({{"an input", inputs[i]}}, op);
  const Tensor &x = inputs[0], &weights = inputs[1], &tokens = inputs[2], &choices = inputs[3], &ends = inputs[4];
  const int64_t experts = ends.numel(), hidden = inputs[5].rank() == 0 ? 0 : inputs[5].size(0);
  check<ShapeError>(std::ssize(inputs) == 5 + 6 * experts && x.rank() == 2 && weights.rank() == 2 && weights.size(0) == x.size(0),
                    "experts: expected x [N, width], weights [N, k] and 6 inputs for each of {} experts, got {}, {} and {} inputs in all",
                    experts, x.shape(), weights.shape(), inputs.size());
  for (int64_t i = 0; i < 6 * experts; ++i) {
    const Tensor& p = inputs[static_cast<std::size_t>(5 + i)];
    const int64_t map = i / experts % 3, width = x.size(1);
    const Shape weight = map == 2 ? Shape{width, hidden} : Shape{hidden, width}, bias{weight[0]};
    check<ShapeError>(p.defined() ? p.shape() == (i < 3 * experts ? weight : bias) : i >= 3 * experts,
                      "experts: of {} hidden units for rows of {}, the {}th parameter is {}", hidden, width, i,
                      p.defined() ? p.shape() : Shape{});
  }
  check_ends(ends, experts, choices.numel(), op);
  check<ShapeError>(tokens.shape() == choices.shape(), "experts: {} tokens for {} choices", tokens.numel(), choices.numel());
  check_indices(tokens, x.size(0), op);
  check_indices(choices, weights.numel(), op);
  for (int64_t r = 0; r < choices.numel(); ++r) {
    const int64_t token = choices.data<int64_t>()[r] / weights.size(1);
    check<ValueError>(tokens.data<int64_t>()[r] == token, "experts: choice {} is of token {}", r, token);
  }
  return fused("experts", inputs, [](const Tensors& in) { return formula::experts(in); }, fast::experts());
}

}  // namespace gradus::nn
