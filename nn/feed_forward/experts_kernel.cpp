// The experts of a mixture, tile by tile of their rows: what an expert makes of a tile is used while it is in the cache. Threads share
// the experts, and the tiles depend on the sizes alone, so the bits do not depend on the number of threads.
#include <algorithm>

#include "core/kernels/gemm.h"
#include "core/kernels/scratch.h"
#include "nn/activation/curve_kernels.h"
#include "nn/feed_forward/grouped_linear.h"
#include "nn/row_kernels.h"

namespace gradus::nn {
namespace {

using namespace kernels;

// The inputs of formula::experts and their sizes: M rows of `width` numbers, `hidden` units in each expert.
struct ExpertsInputs {
  explicit ExpertsInputs(const Tensors& all)
      : in(all), experts(all[4].numel()), rows(all[2].numel()), width(all[0].size(1)), hidden(all[5].size(0)) {}

  enum Map { first, third, second };  // W₁, W₃, W₂
  std::size_t weight(Map map, int64_t e) const { return static_cast<std::size_t>(5 + map * experts + e); }
  std::size_t bias(Map map, int64_t e) const { return weight(map, e) + static_cast<std::size_t>(3 * experts); }

  const Tensors& in;
  int64_t experts, rows, width, hidden;
};

struct Tile {
  int64_t expert, first, count;
  bool continued;
};

// Calls body(tile) for the tiles of each expert's rows in their order, of equal heights; for no rows one of height 0.
template <typename Body> void for_tiles(const ExpertsInputs& of, const Body& body) {
  constexpr int64_t height = 384;
  const int64_t* end = of.in[4].data<int64_t>();
  for_each(of.experts, of.rows / of.experts * of.hidden, [&](int64_t e) {
    const int64_t begin = e == 0 ? 0 : end[e - 1], rows = end[e] - begin, parts = std::max<int64_t>((rows + height / 2) / height, 1);
    for (int64_t i = 0; i < parts; ++i) {
      const int64_t first = begin + rows * i / parts;
      body(Tile{e, first, begin + rows * (i + 1) / parts - first, i > 0});
    }
  });
}

// y = x Wᵀ + b
template <typename T> void map_rows(const ExpertsInputs& of, ExpertsInputs::Map map, const Tile& tile, const T* x, T* y) {
  const Tensor& w = of.in[of.weight(map, tile.expert)];
  const T* b = data_or_null<T>(of.in[of.bias(map, tile.expert)]);
  const int64_t out = w.size(0), inner = w.size(1);
  for (int64_t i = 0; b != nullptr && i < tile.count; ++i) std::copy_n(b, out, y + i * out);
  gemm_exact(tile.count, out, inner, T(1), {x, inner}, {w.data<T>(), inner, true}, {y, out, b != nullptr});
}

// dL/dW = Σ g xᵀ and dL/db = Σ g over the expert's rows, added tile by tile
template <typename T>
void add_gradients(const ExpertsInputs& of, ExpertsInputs::Map map, const Tile& tile, const T* g, const T* x, Tensors& found) {
  Tensor& dw = found[of.weight(map, tile.expert)];
  const int64_t out = dw.size(0), inner = dw.size(1);
  gemm_exact(out, inner, tile.count, T(1), {g, out, true}, {x, inner}, {dw.mutable_data<T>(), inner, tile.continued});
  Tensor& db = found[of.bias(map, tile.expert)];
  if (!db.defined()) return;
  T* sums = db.mutable_data<T>();
  for (int64_t i = 0; i < tile.count; ++i) {
    for (int64_t j = 0; j < out; ++j) sums[j] += g[i * out + j];
  }
}

// y_t = Σ w_r x_r over the rows r of token t, in the order of its choices; without weights, w = 1
template <typename T> Tensor sum_by_token(const ExpertsInputs& of, const T* x, const T* weights) {
  const int64_t tokens = of.in[0].size(0), per_token = of.in[1].size(1), width = of.width;
  std::vector<int64_t> row_of(static_cast<std::size_t>(tokens * per_token), -1);  // of each choice; -1: dropped
  for (int64_t r = 0; r < of.rows; ++r) row_of[static_cast<std::size_t>(of.in[3].data<int64_t>()[r])] = r;
  Tensor y(of.in[0].shape(), dtype_of<T>);
  T* to = y.mutable_data<T>();
  for_each(tokens, per_token * width, [&, to](int64_t t) {
    T* sum = to + t * width;
    std::fill_n(sum, width, T(0));
    for (int64_t choice = t * per_token; choice < (t + 1) * per_token; ++choice) {
      const int64_t r = row_of[static_cast<std::size_t>(choice)];
      const T w = weights == nullptr ? T(1) : weights[choice];
      for (int64_t j = 0; r >= 0 && j < width; ++j) sum[j] += w * x[r * width + j];
    }
  });
  return y;
}

class ExpertsKernel final : public FastPath {
 public:
  Tensor forward(const Tensors& in) override;
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor& y) const override;

 private:
  Tensor a_, u_;    // W₁ x + b₁ and W₃ x + b₃ of each row, [M, d_ff]
  Tensor results_;  // E_e(x) of each row, [M, width]
};

Tensor ExpertsKernel::forward(const Tensors& in) {
  const ExpertsInputs of(in);
  const int64_t width = of.width, hidden = of.hidden;
  const DType dtype = in[0].dtype();
  a_ = Tensor({of.rows, hidden}, dtype), u_ = Tensor({of.rows, hidden}, dtype), results_ = Tensor({of.rows, width}, dtype);
  Tensor y;
  dispatch_real(dtype, "experts", [&]<typename T>() {
    const T* from = in[0].data<T>();
    const int64_t* token = in[2].data<int64_t>();
    T *all_a = a_.mutable_data<T>(), *all_u = u_.mutable_data<T>(), *results = results_.mutable_data<T>();
    for_tiles(of, [&](const Tile& tile) {
      Scratch<T> x(tile.count * width), h(tile.count * hidden);
      T *a = all_a + tile.first * hidden, *u = all_u + tile.first * hidden;
      for (int64_t i = 0; i < tile.count; ++i) std::copy_n(from + token[tile.first + i] * width, width, x.data() + i * width);
      // #region ffn-moe.kernel
      map_rows(of, ExpertsInputs::first, tile, x.data(), a);
      map_rows(of, ExpertsInputs::third, tile, x.data(), u);
      for_vectors<T>(tile.count * hidden, [&](auto load, auto store) {
        const auto v = load(a);
        store(h.data(), curve::strong_zero_product(v, curve::logistic(v)) * load(u));
      });
      map_rows(of, ExpertsInputs::second, tile, h.data(), results + tile.first * width);
      // #endregion ffn-moe.kernel
    });
    y = sum_by_token(of, results, in[1].data<T>());
  });
  return y;
}

Tensors ExpertsKernel::backward(const Tensor& grad, const Tensors& in, const Tensor&) const {
  const ExpertsInputs of(in);
  const int64_t width = of.width, hidden = of.hidden;
  Tensors found(in.size());
  found[1] = zeroed(in[1].shape(), grad.dtype());
  for (std::size_t i = 5; i < in.size(); ++i) {
    if (in[i].defined()) found[i] = in[i].rank() == 1 ? zeroed(in[i].shape(), grad.dtype()) : Tensor(in[i].shape(), grad.dtype());
  }
  dispatch_real(grad.dtype(), "experts", [&]<typename T>() {
    const T *g = grad.data<T>(), *from = in[0].data<T>(), *weights = in[1].data<T>(), *results = results_.data<T>();
    const T *all_a = a_.data<T>(), *all_u = u_.data<T>();
    const int64_t *token = in[2].data<int64_t>(), *choice = in[3].data<int64_t>();
    T* dw = found[1].mutable_data<T>();
    Scratch<T> all_dx(of.rows * width);
    for_tiles(of, [&](const Tile& tile) {
      const int64_t rows = tile.count;
      Scratch<T> x(rows * width), wg(rows * width), h(rows * hidden), da(rows * hidden), du(rows * hidden);
      for (int64_t i = 0; i < rows; ++i) {
        const int64_t t = token[tile.first + i], c = choice[tile.first + i];
        std::copy_n(from + t * width, width, x.data() + i * width);
        for (int64_t j = 0; j < width; ++j) wg.data()[i * width + j] = weights[c] * g[t * width + j];
        dw[c] = row_dot(g + t * width, results + (tile.first + i) * width, width);
      }
      const T *a = all_a + tile.first * hidden, *u = all_u + tile.first * hidden;
      const auto weight = [&](ExpertsInputs::Map map) { return in[of.weight(map, tile.expert)].template data<T>(); };
      T* dh = h.data();  // then h
      // #region ffn-moe.kernel.backward
      gemm_exact(rows, hidden, width, T(1), {wg.data(), width}, {weight(ExpertsInputs::second), hidden}, {dh, hidden});
      for_vectors<T>(rows * hidden, [&](auto load, auto store) {
        const auto v = load(a), other = load(u), g_h = load(dh), s = curve::logistic(v), silu = curve::strong_zero_product(v, s);
        store(h.data(), silu * other);
        store(da.data(), g_h * other * (s + curve::strong_zero_product(v, s * (decltype(s)(1) - s))));
        store(du.data(), g_h * silu);
      });
      T* dx = all_dx.data() + tile.first * width;
      gemm_exact(rows, width, hidden, T(1), {da.data(), hidden}, {weight(ExpertsInputs::first), width}, {dx, width});
      gemm_exact(rows, width, hidden, T(1), {du.data(), hidden}, {weight(ExpertsInputs::third), width}, added_to(dx, width));
      add_gradients<T>(of, ExpertsInputs::first, tile, da.data(), x.data(), found);
      add_gradients<T>(of, ExpertsInputs::third, tile, du.data(), x.data(), found);
      add_gradients<T>(of, ExpertsInputs::second, tile, wg.data(), h.data(), found);
      // #endregion ffn-moe.kernel.backward
    });
    found[0] = sum_by_token<T>(of, all_dx.data(), nullptr);
  });
  return found;
}

}  // namespace

std::unique_ptr<FastPath> fast::experts() { return std::make_unique<ExpertsKernel>(); }

}  // namespace gradus::nn
