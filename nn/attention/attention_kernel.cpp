// Attention by tiles: 32 or 64 queries at a time meet only the keys they may see, so only one tile's scores are held, [64, S], and
// a causal mask halves the work. Backward computes the probabilities again, from m = max score and S = Σ e^(score - m), which are
// kept apart: m + log S would be rounded to a large m. Each (batch, group) pair is one thread's: the heads that share keys and
// values add to the same gradients.
#include "nn/attention/attention.h"

#include "core/kernels/kernels.h"
#include "core/kernels/scratch.h"
#include "nn/attention/small_products.h"
#include "nn/row_kernels.h"

namespace gradus::nn {
namespace {

using namespace kernels;

// The queries are the last T of the S positions; each sees at least its own (T <= S, unless all see all).
struct AttentionView {
  double scale;
  bool causal;     // no key after the query's own position
  int64_t window;  // if > 0, only keys nearer than this
};

// Inputs q [B, T, H, d], k [B, S, G, d] and v [B, S, G, e], G > 0 dividing H; and the sink [H], or none.
class AttentionKernel final : public FastPath {
 public:
  explicit AttentionKernel(const AttentionView& view) : view_(view) {}
  Tensor forward(const Tensors& in) override;
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor& y) const override;

 private:
  AttentionView view_;
  Tensor max_, sum_;  // m and S of each query, [B, H, T]; the sink's score is among them
};

struct Sizes {
  int64_t batch, queries, keys, heads, groups, width, value_width;  // B, T, S, H, G, d, e
  int64_t tile() const { return tile_height(queries, keys); }
  int64_t copied() const { return are_transposed(queries, keys) ? std::max(width, value_width) : 0; }  // rows of a transposed copy
  // From one position to the next.
  int64_t q_stride() const { return heads * width; }
  int64_t k_stride() const { return groups * width; }
  int64_t v_stride() const { return groups * value_width; }
  int64_t y_stride() const { return heads * value_width; }
};

// One head of one sample: a matrix [T, d] inside q [B, T, H, d], [S, d] inside k [B, S, G, d], [S, e] inside v, [T, e] inside y.
template <typename T> struct Head {
  int64_t b, h;
  Sizes s;
  int64_t group() const { return h / (s.heads / s.groups); }
  int64_t first_row() const { return (b * s.heads + h) * s.queries; }  // among the rows of scores, [B, H, T]
  template <typename U> U* of_q(U* data) const { return data + b * s.queries * s.q_stride() + h * s.width; }
  template <typename U> U* of_k(U* data) const { return data + b * s.keys * s.k_stride() + group() * s.width; }
  template <typename U> U* of_v(U* data) const { return data + b * s.keys * s.v_stride() + group() * s.value_width; }
  template <typename U> U* of_y(U* data) const { return data + b * s.queries * s.y_stride() + h * s.value_width; }
};

// Calls body(head, scratch) for every head; `tiles` tiles of scores and as many matrices xᵀ fit into the scratch of its thread.
template <typename T, typename Body> void for_each_head(const Sizes& s, int64_t tiles, const Body& body) {
  const int64_t shared = s.heads / s.groups;
  const int64_t work = s.queries * s.keys * s.width * shared;  // products a group; few are not worth a team of threads
  parallel_for(s.batch * s.groups, kGrain / std::max<int64_t>(work, 1) + 1, [&](int64_t begin, int64_t end) {
    Scratch<T> scratch(tiles * (s.tile() + s.copied()) * padded(s.keys));
    for (int64_t i = begin * shared; i < end * shared; ++i) body(Head<T>{i / s.heads, i % s.heads, s}, scratch.data());
  });
}

// The queries first … first+rows-1 and the keys from … from+keys-1, all that any of them may see. Columns count from
// `from`: row i sees those from begin(i) to before end(i); the vectors that hold them are `length(i)` columns from `left(i)` on.
struct Tile {
  Tile(const Sizes& s, int64_t start, const AttentionView& the_view)
      : view(the_view),
        first(start),
        rows(std::min(s.tile(), s.queries - start)),
        past(s.keys - s.queries),
        all(s.keys),
        from(first_seen(0)),
        keys(after_seen(rows - 1) - from),
        stride(padded(keys)) {}
  int64_t begin(int64_t row) const { return first_seen(row) - from; }
  int64_t end(int64_t row) const { return after_seen(row) - from; }
  int64_t left(int64_t row) const { return begin(row) / kVector * kVector; }
  int64_t length(int64_t row) const { return padded(end(row)) - left(row); }

  AttentionView view;
  int64_t first, rows, past, all, from, keys;
  int64_t stride;  // from one row of scores to the next

 private:
  int64_t first_seen(int64_t row) const { return view.window > 0 ? std::max<int64_t>(past + first + row - view.window + 1, 0) : 0; }
  int64_t after_seen(int64_t row) const {
    const int64_t own = past + first + row;
    if (view.causal) return own + 1;
    return view.window > 0 ? std::min(own + view.window, all) : all;
  }
};

// `value` in the columns of a row that are not seen.
template <typename T> void hide(const Tile& tile, int64_t row, T* columns, T value) {
  std::fill(columns, columns + tile.begin(row), value);
  std::fill(columns + tile.end(row), columns + tile.stride, value);
}

template <typename T> constexpr T kHidden = -std::numeric_limits<T>::infinity();  // e^-∞ = 0

// A window as wide as all keys hides none.
AttentionView within(AttentionView view, const Sizes& s) {
  if (view.window >= s.keys) view.window = 0;
  return view;
}

Sizes sizes_of(const Tensor& q, const Tensor& k, const Tensor& v) {
  return {q.size(0), q.size(1), k.size(1), q.size(2), k.size(2), q.size(3), v.size(3)};
}

// The score of the head's sink: e^-∞ = 0 without one.
template <typename T> T sink_of(const Tensor& sink, int64_t head) { return sink.defined() ? sink.data<T>()[head] : kHidden<T>; }

template <typename T> struct ForwardPointers {
  const T *q, *k, *v;
  T *y, *max, *sum;
};

template <typename T>
void forward_head(const Head<T>& head, const ForwardPointers<T>& all, const AttentionView& view, T sink, T* scores) {
  const Sizes& s = head.s;
  const T *q = head.of_q(all.q), *k = head.of_k(all.k), *v = head.of_v(all.v);
  T* y = head.of_y(all.y);
  T *maxs = all.max + head.first_row(), *sums = all.sum + head.first_row();
  const Matrix<T> k_transposed = transposed(s.queries, s.keys, s.width, k, s.k_stride(), scores + s.tile() * padded(s.keys));
  for (int64_t start = 0; start < s.queries; start += s.tile()) {
    const Tile tile(s, start, view);
    // #region attn-scaled-dot.kernel
    small_product(tile.rows, tile.keys, s.width, static_cast<T>(view.scale), {q + tile.first * s.q_stride(), s.q_stride()},
                  from(k_transposed, 0, tile.from), {scores, tile.stride});
    for (int64_t i = 0; i < tile.rows; ++i) {
      hide(tile, i, scores + i * tile.stride, kHidden<T>);
      T* row = scores + i * tile.stride + tile.left(i);
      const int64_t n = tile.length(i);
      const T max = maxs[tile.first + i] = std::max(row_max(row, n), sink);
      for (int64_t j = 0; j < n; ++j) row[j] -= max;
    }
    exp_row(scores, scores, tile.rows * tile.stride, T(0));  // of all rows at once: a row is too short to fill the processor
    for (int64_t i = 0; i < tile.rows; ++i) {
      T* row = scores + i * tile.stride + tile.left(i);
      const int64_t n = tile.length(i);
      const T sum = sums[tile.first + i] = row_sum(row, n) + std::exp(sink - maxs[tile.first + i]), inverse = T(1) / sum;
      for (int64_t j = 0; j < n; ++j) row[j] *= inverse;
    }
    small_product(tile.rows, s.value_width, tile.keys, T(1), {scores, tile.stride}, {v + tile.from * s.v_stride(), s.v_stride()},
                  {y + tile.first * s.y_stride(), s.y_stride()});
    // #endregion attn-scaled-dot.kernel
  }
}

// With P = softmax(S), S = scale · q kᵀ and D_i = Σ_j P_ij (g_i · v_j) = g_i · y_i:
//   dv += Pᵀ g      dP = g vᵀ      dS = P ⊙ (dP - D)      dq = scale · dS k      dk += scale · dSᵀ q
// and of the sink, whose dP is 0: ds = -Σ_i P_i,sink D_i, by sample.
template <typename T> struct BackwardPointers {
  const T *g, *q, *k, *v, *y, *max, *sum;
  T *dq, *dk, *dv, *dsink;
};

// The first head that shares its keys and values begins their gradients.
template <typename T> void begin_gradients(const Head<T>& head, T* dk, T* dv) {
  const Sizes& s = head.s;
  if (head.h % (s.heads / s.groups) != 0) return;
  for (int64_t j = 0; j < s.keys; ++j) {
    std::fill_n(dk + j * s.k_stride(), s.width, T(0));
    std::fill_n(dv + j * s.v_stride(), s.value_width, T(0));
  }
}

template <typename T>
void backward_head(const Head<T>& head, const BackwardPointers<T>& all, const AttentionView& view, T sink, T* scratch) {
  const Sizes& s = head.s;
  const T *g = head.of_y(all.g), *q = head.of_q(all.q), *y = head.of_y(all.y);
  const T *k_all = head.of_k(all.k), *v_all = head.of_v(all.v);
  T *dq = head.of_q(all.dq), *dk_all = head.of_k(all.dk), *dv_all = head.of_v(all.dv);
  const T *maxs = all.max + head.first_row(), *sums = all.sum + head.first_row();
  const int64_t q_stride = s.q_stride(), k_stride = s.k_stride(), v_stride = s.v_stride(), y_stride = s.y_stride();
  const T scale = static_cast<T>(view.scale);
  T dsink = 0;
  begin_gradients(head, dk_all, dv_all);
  T *p = scratch, *ds = p + s.tile() * padded(s.keys), *rest = ds + s.tile() * padded(s.keys);
  const Matrix<T> k_transposed = transposed(s.queries, s.keys, s.width, k_all, k_stride, rest);
  const Matrix<T> v_transposed = transposed(s.queries, s.keys, s.value_width, v_all, v_stride, rest + s.copied() * padded(s.keys));
  for (int64_t start = 0; start < s.queries; start += s.tile()) {
    const Tile tile(s, start, view);
    const T* k = k_all + tile.from * k_stride;
    T *dk = dk_all + tile.from * k_stride, *dv = dv_all + tile.from * v_stride;
    const Matrix<T> tile_q{q + tile.first * q_stride, q_stride}, tile_g{g + tile.first * y_stride, y_stride};
    // #region attn-scaled-dot.kernel.backward
    small_product(tile.rows, tile.keys, s.width, scale, tile_q, from(k_transposed, 0, tile.from), {p, tile.stride});
    small_product(tile.rows, tile.keys, s.value_width, T(1), tile_g, from(v_transposed, 0, tile.from), {ds, tile.stride});
    for (int64_t i = 0; i < tile.rows; ++i) {
      const int64_t at = tile.first + i, n = tile.length(i);
      T *row = p + i * tile.stride + tile.left(i), *row_ds = ds + i * tile.stride + tile.left(i);
      exp_row(row, row, n, maxs[at]);
      const T inverse = T(1) / sums[at], d = row_dot(g + at * y_stride, y + at * y_stride, s.value_width);
      dsink -= std::exp(sink - maxs[at]) * inverse * d;
      for (int64_t j = 0; j < n; ++j) {
        row[j] *= inverse;
        row_ds[j] = row[j] * (row_ds[j] - d);
      }
      for (T* rows : {p, ds}) hide(tile, i, rows + i * tile.stride, T(0));
    }
    const Matrix<T> p_transposed{p, tile.stride, true}, ds_transposed{ds, tile.stride, true};
    small_product(tile.keys, s.value_width, tile.rows, T(1), p_transposed, tile_g, added_to(dv, v_stride));
    small_product(tile.keys, s.width, tile.rows, scale, ds_transposed, tile_q, added_to(dk, k_stride));
    small_product(tile.rows, s.width, tile.keys, scale, {ds, tile.stride}, {k, k_stride}, {dq + tile.first * q_stride, q_stride});
    // #endregion attn-scaled-dot.kernel.backward
  }
  all.dsink[head.b * s.heads + head.h] = dsink;
}

Tensor AttentionKernel::forward(const Tensors& in) {
  const Tensor &q = in[0], &k = in[1], &v = in[2], &sink = in[3];
  const Sizes s = sizes_of(q, k, v);
  const AttentionView seen = within(view_, s);
  Tensor y(Shape{s.batch, s.queries, s.heads, s.value_width}, q.dtype());
  for (Tensor* saved : {&max_, &sum_}) *saved = Tensor(Shape{s.batch, s.heads, s.queries}, q.dtype());
  dispatch_real(q.dtype(), "attention", [&]<typename T>() {
    const auto to = [](Tensor& x) { return x.mutable_data<T>(); };
    const ForwardPointers<T> all{q.data<T>(), k.data<T>(), v.data<T>(), to(y), to(max_), to(sum_)};
    for_each_head<T>(s, 1, [&](const Head<T>& head, T* scratch) { forward_head(head, all, seen, sink_of<T>(sink, head.h), scratch); });
  });
  return y;
}

Tensors AttentionKernel::backward(const Tensor& g, const Tensors& in, const Tensor& y) const {
  const Tensor &q = in[0], &k = in[1], &v = in[2], &sink = in[3];
  const Sizes s = sizes_of(q, k, v);
  const AttentionView seen = within(view_, s);
  Tensor dsink({s.batch, s.heads}, q.dtype());
  const auto of_sink = [&] { return sink.defined() ? kernels::sum(dsink, {0}).detach(sink.shape()) : Tensor(); };
  if (s.heads == 0) return {zeros_like(q), zeros_like(k), zeros_like(v), of_sink()};
  Tensor dq(q.shape(), q.dtype()), dk(k.shape(), k.dtype()), dv(v.shape(), v.dtype());
  dispatch_real(q.dtype(), "attention", [&]<typename T>() {
    const auto of = [](const Tensor& x) { return x.data<T>(); };
    const auto to = [](Tensor& x) { return x.mutable_data<T>(); };
    const BackwardPointers<T> all{of(g), of(q), of(k), of(v), of(y), of(max_), of(sum_), to(dq), to(dk), to(dv), to(dsink)};
    for_each_head<T>(s, 2, [&](const Head<T>& head, T* scratch) { backward_head(head, all, seen, sink_of<T>(sink, head.h), scratch); });
  });
  return {dq, dk, dv, of_sink()};
}

}  // namespace

std::unique_ptr<FastPath> fast::attention(double scale, bool causal, int64_t window) {
  return std::make_unique<AttentionKernel>(AttentionView{scale, causal, window});
}

}  // namespace gradus::nn
