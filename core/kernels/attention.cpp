// Attention by tiles: 64 queries at a time meet only the keys they may see, so the scores of one tile, [64, T], are
// all that is ever held, and a causal mask skips half of the work. Nothing but log Σ e^score is kept for backward,
// which computes the probabilities again. Each (batch, head) pair is one thread's.
#include "core/kernels/attention.h"

#include <vector>

#include "core/kernels/gemm.h"
#include "core/kernels/rows.h"

namespace gradus::kernels {
namespace {

constexpr int64_t kTile = 64;

struct Sizes {
  int64_t batch, queries, keys, heads, width;
  int64_t stride() const { return heads * width; }  // from one position to the next
};

// One head of one sample: a matrix [T, d] inside [B, T, H, d].
template <typename T> struct Head {
  int64_t b, h;
  Sizes s;
  T* of(T* data, int64_t length) const { return data + b * length * s.stride() + h * s.width; }
  const T* of(const T* data, int64_t length) const { return data + b * length * s.stride() + h * s.width; }
};

template <typename T, typename Body> void for_each_head(const Sizes& s, const Body& body) {
  const int64_t work = s.queries * s.keys * s.width;  // products a head; few are not worth a team of threads
  parallel_for(s.batch * s.heads, kGrain / std::max<int64_t>(work, 1) + 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) body(Head<T>{i / s.heads, i % s.heads, s});
  });
}

// The queries first … first+rows of a tile, and how many keys the last of them may see. With fewer queries than
// keys, as when a cache holds the past, the queries are the last positions.
struct Tile {
  Tile(const Sizes& s, int64_t start, bool causal)
      : first(start), rows(std::min(kTile, s.queries - start)), past(s.keys - s.queries),
        keys(causal ? past + first + rows : s.keys), is_causal(causal) {}
  int64_t visible(int64_t row) const { return is_causal ? past + first + row + 1 : keys; }
  int64_t first, rows, past, keys;
  bool is_causal;
};

// scores[row, :] = scale · q kᵀ for a tile.
template <typename T> void tile_scores(const Tile& tile, const Sizes& s, T scale, const T* q, const T* k, T* scores) {
  gemm(tile.rows, tile.keys, s.width, scale, {q + tile.first * s.stride(), s.stride()}, {k, s.stride(), true}, T(0),
       scores, tile.keys);
}

Sizes sizes_of(const Tensor& q, const Tensor& k) { return {q.size(0), q.size(1), k.size(1), q.size(2), q.size(3)}; }

template <typename T>
void forward_head(const Head<T>& head, const T* q_all, const T* k_all, const T* v_all, T scale, bool causal, T* y_all,
                  T* log_sums) {
  const Sizes& s = head.s;
  const T *q = head.of(q_all, s.queries), *k = head.of(k_all, s.keys), *v = head.of(v_all, s.keys);
  T* y = head.of(y_all, s.queries);
  T* log_sum = log_sums + (head.b * s.heads + head.h) * s.queries;
  std::vector<T> buffer(static_cast<std::size_t>(kTile * s.keys));
  for (int64_t start = 0; start < s.queries; start += kTile) {
    const Tile tile(s, start, causal);
    T* scores = buffer.data();
    tile_scores(tile, s, scale, q, k, scores);
    for (int64_t i = 0; i < tile.rows; ++i) {
      T* row = scores + i * tile.keys;
      const int64_t seen = tile.visible(i);
      const T most = row_max(row, seen);
      exp_row(row, row, seen, most);
      const T sum = row_sum(row, seen);
      for (int64_t j = 0; j < seen; ++j) row[j] /= sum;
      std::fill(row + seen, row + tile.keys, T(0));
      log_sum[tile.first + i] = most + std::log(sum);
    }
    gemm(tile.rows, s.width, tile.keys, T(1), {scores, tile.keys}, {v, s.stride()}, T(0), y + tile.first * s.stride(),
         s.stride());
  }
}

// With P = softmax(S), S = scale · q kᵀ and D_i = Σ_j P_ij (g_i · v_j) = g_i · y_i:
//   dv += Pᵀ g      dP = g vᵀ      dS = P ⊙ (dP - D)      dq = scale · dS k      dk += scale · dSᵀ q
template <typename T> struct BackwardPointers {
  const T *g, *q, *k, *v, *y, *log_sum;
  T *dq, *dk, *dv;
};

template <typename T> void backward_head(const Head<T>& head, const BackwardPointers<T>& all, T scale, bool causal) {
  const Sizes& s = head.s;
  const T *g = head.of(all.g, s.queries), *q = head.of(all.q, s.queries), *y = head.of(all.y, s.queries);
  const T *k = head.of(all.k, s.keys), *v = head.of(all.v, s.keys);
  T *dq = head.of(all.dq, s.queries), *dk = head.of(all.dk, s.keys), *dv = head.of(all.dv, s.keys);
  const T* log_sum = all.log_sum + (head.b * s.heads + head.h) * s.queries;
  std::vector<T> buffer(static_cast<std::size_t>(2 * kTile * s.keys));
  const int64_t stride = s.stride();
  for (int64_t start = 0; start < s.queries; start += kTile) {
    const Tile tile(s, start, causal);
    T *p = buffer.data(), *ds = p + kTile * s.keys;
    const Matrix<T> tile_g{g + tile.first * stride, stride};
    tile_scores(tile, s, scale, q, k, p);
    gemm(tile.rows, tile.keys, s.width, T(1), tile_g, {v, stride, true}, T(0), ds, tile.keys);
    for (int64_t i = 0; i < tile.rows; ++i) {
      const int64_t at = tile.first + i, seen = tile.visible(i);
      T *row = p + i * tile.keys, *row_ds = ds + i * tile.keys;
      exp_row(row, row, seen, log_sum[at]);
      const T along = row_dot(g + at * stride, y + at * stride, s.width);
      for (int64_t j = 0; j < seen; ++j) row_ds[j] = row[j] * (row_ds[j] - along);
      std::fill(row + seen, row + tile.keys, T(0));
      std::fill(row_ds + seen, row_ds + tile.keys, T(0));
    }
    const Matrix<T> p_transposed{p, tile.keys, true}, ds_transposed{ds, tile.keys, true};
    gemm(tile.keys, s.width, tile.rows, T(1), p_transposed, tile_g, T(1), dv, stride);
    gemm(tile.keys, s.width, tile.rows, scale, ds_transposed, {q + tile.first * stride, stride}, T(1), dk, stride);
    gemm(tile.rows, s.width, tile.keys, scale, {ds, tile.keys}, {k, stride}, T(0), dq + tile.first * stride, stride);
  }
}

Tensor wide(const Tensor& x) { return x.dtype() == DType::f16 ? cast(x, DType::f32) : x; }

}  // namespace

Attention attention(const Tensor& q, const Tensor& k, const Tensor& v, double scale, bool causal) {
  if (q.dtype() == DType::f16) {
    const Attention result = attention(wide(q), wide(k), wide(v), scale, causal);
    return {cast(result.y, DType::f16), result.log_sum};
  }
  const Sizes s = sizes_of(q, k);
  Attention result{Tensor(q.shape(), q.dtype()), Tensor(Shape{s.batch, s.heads, s.queries}, q.dtype())};
  dispatch_real("attention", q.dtype(), [&]<typename T>() {
    const T *from_q = q.data<T>(), *from_k = k.data<T>(), *from_v = v.data<T>();
    T *to_y = result.y.mutable_data<T>(), *to_log_sum = result.log_sum.mutable_data<T>();
    for_each_head<T>(s, [=](const Head<T>& head) {
      forward_head(head, from_q, from_k, from_v, static_cast<T>(scale), causal, to_y, to_log_sum);
    });
  });
  return result;
}

AttentionGradients attention_backward(const Tensor& grad, const Tensor& q, const Tensor& k, const Tensor& v,
                                      const Attention& forward, double scale, bool causal) {
  if (q.dtype() == DType::f16) {
    const auto d = attention_backward(wide(grad), wide(q), wide(k), wide(v), {wide(forward.y), forward.log_sum}, scale, causal);
    return {cast(d.q, DType::f16), cast(d.k, DType::f16), cast(d.v, DType::f16)};
  }
  const Sizes s = sizes_of(q, k);
  AttentionGradients d{Tensor(q.shape(), q.dtype()), Tensor(k.shape(), k.dtype()), Tensor(v.shape(), v.dtype())};
  dispatch_real("attention", q.dtype(), [&]<typename T>() {
    d.k.fill(0);
    d.v.fill(0);
    const BackwardPointers<T> all{grad.data<T>(),         q.data<T>(),
                                  k.data<T>(),            v.data<T>(),
                                  forward.y.data<T>(),    forward.log_sum.data<T>(),
                                  d.q.mutable_data<T>(),  d.k.mutable_data<T>(),
                                  d.v.mutable_data<T>()};
    for_each_head<T>(s, [&](const Head<T>& head) { backward_head(head, all, static_cast<T>(scale), causal); });
  });
  return d;
}

}  // namespace gradus::kernels
