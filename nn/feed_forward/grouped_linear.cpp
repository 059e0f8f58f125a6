#include "nn/feed_forward/grouped_linear.h"

#include "core/composites/composites.h"
#include "nn/linear.h"

namespace gradus::nn {

// #region ffn-moe-grouped
// y_i = x_i W_eᵀ + b_e, e the group of row i
// dL/dx_i = g_i W_e      dL/dW_e = Σ g_iᵀ x_i      dL/db_e = Σ g_i over the rows of the group, g = dL/dy
Tensor formula::grouped_linear(const Tensors& in) {
  const Tensor &x = in[0], &ends = in[1];
  const auto groups = static_cast<std::size_t>(ends.numel());
  Tensors y;
  int64_t begin = 0;
  for (std::size_t e = 0; e < groups; ++e) {
    const int64_t end = ends.data<int64_t>()[e];
    y.push_back(linear(slice(x, 0, begin, end), in[2 + e], in[2 + groups + e]));
    begin = end;
  }
  return cat(y, 0);
}
// #endregion ffn-moe-grouped

Tensor grouped_linear(const Tensor& x, const Tensor& ends, const Tensors& weights, const Tensors& biases) {
  check_defined({{"x", x}, {"ends", ends}}, "grouped_linear");
  check<DTypeError>(ends.dtype() == DType::i64, "grouped_linear: ends must be i64, got {}", ends.dtype());
  check<ShapeError>(
      x.rank() == 2 && ends.shape() == Shape{static_cast<int64_t>(weights.size())} && !weights.empty() && biases.size() == weights.size(),
      "grouped_linear: expected x [M, in] and an end, a weight and a bias, perhaps undefined, of each group; got x {}, ends "
      "{}, {} weights and {} biases",
      x.shape(), ends.shape(), weights.size(), biases.size());
  int64_t begin = 0;
  for (const double end : to_vector(ends)) {
    check<ValueError>(end >= static_cast<double>(begin) && end <= static_cast<double>(x.size(0)),
                      "grouped_linear: the ends must rise to the {} rows, got {} after {}", x.size(0), end, begin);
    begin = static_cast<int64_t>(end);
  }
  check<ValueError>(begin == x.size(0), "grouped_linear: the last group ends at {}, and x has {} rows", begin, x.size(0));
  Tensors inputs{x, ends};
  for (std::size_t e = 0; e < weights.size(); ++e) {
    check_defined({{"a weight", weights[e]}}, "grouped_linear");
    check<ShapeError>(weights[e].shape() == Shape{weights[0].size(0), x.size(1)} && biases[e].defined() == biases[0].defined() &&
                          (!biases[e].defined() || biases[e].shape() == Shape{weights[0].size(0)}),
                      "grouped_linear: weights must be [out, {}] and biases [out] or undefined, all alike; weight {} is {}", x.size(1), e,
                      weights[e].shape());
    inputs.push_back(weights[e]);
  }
  inputs.insert(inputs.end(), biases.begin(), biases.end());
  return fused("grouped_linear", inputs, formula::grouped_linear, fast::grouped_linear());
}

}  // namespace gradus::nn
