// One product for each group of neighbouring rows. Its bits depend on its sizes alone, so the groups may be shared among threads.
#include <algorithm>

#include "core/kernels/gemm.h"
#include "core/kernels/kernels.h"
#include "nn/feed_forward/grouped_linear.h"
#include "nn/row_kernels.h"

namespace gradus::nn {
namespace {

using namespace kernels;

// Inputs x [M, in], ends [E], W_e [out, in], and b_e [out] or none.
class GroupedLinearKernel final : public FastPath {
 public:
  Tensor forward(const Tensors& in) override;
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor& y) const override;
};

// Calls body(e, first row, rows) for each group.
template <typename Body> void for_groups(const Tensor& ends, const Body& body) {
  const int64_t* end = ends.data<int64_t>();
  for (int64_t e = 0; e < ends.numel(); ++e) {
    const int64_t begin = e == 0 ? 0 : end[e - 1];
    body(static_cast<std::size_t>(e), begin, end[e] - begin);
  }
}

Tensor GroupedLinearKernel::forward(const Tensors& in) {
  const Tensor &x = in[0], &ends = in[1];
  const int64_t inner = x.size(1), outer = in[2].size(0);
  const auto groups = static_cast<std::size_t>(ends.numel());
  Tensor y({x.size(0), outer}, x.dtype());
  dispatch_real(x.dtype(), "grouped_linear", [&]<typename T>() {
    const T* from = x.data<T>();
    T* to = y.mutable_data<T>();
    for_groups(ends, [&](std::size_t e, int64_t first, int64_t rows) {
      const T *w = in[2 + e].data<T>(), *b = data_or_null<T>(in[2 + groups + e]);
      T* own = to + first * outer;
      for (int64_t i = 0; b != nullptr && i < rows; ++i) std::copy_n(b, outer, own + i * outer);
      // #region ffn-moe-grouped.kernel
      gemm(rows, outer, inner, T(1), {from + first * inner, inner}, {w, inner, true}, {own, outer, b != nullptr});
      // #endregion ffn-moe-grouped.kernel
    });
  });
  return y;
}

Tensors GroupedLinearKernel::backward(const Tensor& grad, const Tensors& in, const Tensor&) const {
  const Tensor &x = in[0], &ends = in[1];
  const int64_t inner = x.size(1), outer = in[2].size(0);
  const auto groups = static_cast<std::size_t>(ends.numel());
  Tensors found(in.size());
  found[0] = Tensor(x.shape(), x.dtype());
  dispatch_real(x.dtype(), "grouped_linear", [&]<typename T>() {
    const T *g = grad.data<T>(), *from = x.data<T>();
    T* dx = found[0].mutable_data<T>();
    for_groups(ends, [&](std::size_t e, int64_t first, int64_t rows) {
      const T *own_g = g + first * outer, *w = in[2 + e].data<T>();
      Tensor& dw = found[2 + e] = Tensor(in[2 + e].shape(), x.dtype());
      // #region ffn-moe-grouped.kernel.backward
      gemm(rows, inner, outer, T(1), {own_g, outer}, {w, inner}, {dx + first * inner, inner});
      gemm(outer, inner, rows, T(1), {own_g, outer, true}, {from + first * inner, inner}, {dw.mutable_data<T>(), inner});
      // #endregion ffn-moe-grouped.kernel.backward
      if (!in[2 + groups + e].defined()) return;
      const auto add = [=](int64_t begin, int64_t end, T* sums) {
        for (int64_t i = begin; i < end; ++i) {
          for (int64_t j = 0; j < outer; ++j) sums[j] += own_g[i * outer + j];
        }
      };
      found[2 + groups + e] = from_sums(sum_over_rows<T>(rows, outer, outer, add).data(), {outer});
    });
  });
  return found;
}

}  // namespace

std::unique_ptr<FastPath> fast::grouped_linear() { return std::make_unique<GroupedLinearKernel>(); }

}  // namespace gradus::nn
