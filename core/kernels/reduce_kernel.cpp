// Reductions. Neighbouring axes are merged, so each pass sees x as [outer, n, inner] and reduces the middle.
// Sums add short blocks first and then the blocks' sums, in an order that does not depend on the number of threads.
#include <algorithm>
#include <numeric>
#include <vector>

#include "core/kernels/elementwise.h"
#include "core/kernels/rows.h"

namespace gradus::kernels {
namespace {

// #region op-sum.kernel
struct Sum {
  template <typename V> static V identity() { return V(0); }
  template <typename V> static V combine(V total, V value) { return plus(total, value); }
  template <typename T> using Long = std::conditional_t<std::is_same_v<T, float>, double, T>;  // of a long row, rounded once
  template <typename V, typename T> static V row(const T* x, int64_t n) {
    return static_cast<V>(sum_of<Wrapping<V>>(0, n, [=](int64_t j) { return static_cast<Wrapping<V>>(x[j]); }));
  }
};
// #endregion op-sum.kernel

// A minimum is the maximum in the opposite order (~v = -1 - v, because i64 has no -INT64_MIN), which is its own inverse.
template <bool opposite, typename V> V ordered(V value) {
  if constexpr (!opposite) return value;
  else if constexpr (std::is_integral_v<V>) return ~value;
  else return -value;
}

// The largest in this order; NaN if any is.
template <bool opposite> struct Extreme {
  template <typename V> static V identity() {
    using Limits = std::numeric_limits<V>;
    return ordered<opposite>(Limits::has_infinity ? -Limits::infinity() : Limits::lowest());
  }
  // Once NaN, always NaN: neither test is true for a later number.
  template <typename V> static V combine(V most, V value) {
    return value != value || ordered<opposite>(value) > ordered<opposite>(most) ? value : most;
  }
  // The test for NaN apart from the maximum: each alone vectorises, combine() does not. (Inlined, it takes 1.5 times as long.)
  template <typename T> using Long = T;
  template <typename, typename T> [[gnu::noinline]] static T row(const T* x, int64_t n) {
    auto most = ordered<opposite>(identity<T>());
    int nans = 0;
#pragma omp simd reduction(max : most) reduction(| : nans)
    for (int64_t i = 0; i < n; ++i) {
      const auto value = ordered<opposite>(x[i]);
      most = value > most ? value : most;
      nans |= value != value ? 1 : 0;
    }
    // clang begins at the lowest finite number, which is not there if all are -∞.
    constexpr auto lowest = std::numeric_limits<T>::lowest();
    if (most == lowest && std::find(x, x + n, ordered<opposite>(lowest)) == x + n) most = ordered<opposite>(identity<T>());
    return nans != 0 ? std::numeric_limits<T>::quiet_NaN() : ordered<opposite>(most);
  }
};

// Columns side by side, 256 at a time, through blocks of √n rows, at least 64: the error of a sum then grows with √n, not with n.
template <typename Op, typename T> void reduce_columns(const T* x, T* y, const Extents& e) {
  constexpr int64_t width = 256;
  const auto height = std::max<int64_t>(64, std::llround(std::sqrt(static_cast<double>(e.n))));
  const int64_t strips = (e.inner + width - 1) / width;
  for_each(e.outer * strips, e.n * std::min(width, e.inner), [=](int64_t item) {
    const int64_t o = item / strips, first = item % strips * width, columns = std::min(width, e.inner - first);
    const T* from = x + o * e.n * e.inner + first;
    T total[width], part[width];
    std::fill(total, total + columns, Op::template identity<T>());
    for (int64_t top = 0; top < e.n; top += height) {
      std::fill(part, part + columns, Op::template identity<T>());
      for (int64_t k = top; k < std::min(top + height, e.n); ++k) {
        for (int64_t j = 0; j < columns; ++j) part[j] = Op::combine(part[j], from[k * e.inner + j]);
      }
      for (int64_t j = 0; j < columns; ++j) total[j] = Op::combine(total[j], part[j]);
    }
    std::copy(total, total + columns, y + o * e.inner + first);
  });
}

template <typename Op> Tensor reduce_group(const Tensor& x, int first, int last) {
  const Extents e = extents_around(x.shape(), first, last);
  Shape shape = x.shape();
  for (int axis = first; axis < last; ++axis) shape[axis] = 1;
  Tensor y(shape, x.dtype());
  dispatch_wide(x.dtype(), [&]<typename T>() {
    const T* from = x.data<T>();
    T* to = y.mutable_data<T>();
    if (e.inner != 1) return reduce_columns<Op>(from, to, e);
    constexpr int64_t block = 4096;  // a longer single row: blocks of it are reduced in parallel, then their results
    const auto row = [=](int64_t i) { to[i] = Op::template row<T>(from + i * e.n, e.n); };
    if (e.outer != 1 || e.n <= block) return for_each(e.outer, e.n, row);
    using Long = typename Op::template Long<T>;
    std::vector<Long> parts(static_cast<std::size_t>((e.n + block - 1) / block));
    for_each(std::ssize(parts), block,
             [=, part = parts.data()](int64_t i) { part[i] = Op::template row<Long>(from + i * block, std::min(block, e.n - i * block)); });
    *to = static_cast<T>(Op::template row<Long>(parts.data(), std::ssize(parts)));
  });
  return y;
}

// Groups of neighbouring axes, the last group first: what is left to do shrinks fastest.
template <typename Op> Tensor reduce(const Tensor& x, const Axes& axes) {
  if (axes.empty()) return x.detached_copy();
  if (x.dtype() == DType::f16) return rounded(reduce<Op>(wide(x), axes));
  Tensor y = x;
  for (std::size_t last = axes.size(); last > 0;) {
    std::size_t first = last - 1;
    while (first > 0 && axes[first - 1] == axes[first] - 1) --first;
    y = reduce_group<Op>(y, axes[first], axes[last - 1] + 1);
    last = first;
  }
  return y;
}

// y of shape `shape`, of x's dtype or i64: calls line(x, y, stride, n) for every line of x along `axis`, and the line or the number
// of y there.
template <typename Y, typename Line>
Tensor of_lines(const Tensor& x, const Shape& shape, int axis, const Line& line, OpName op = {}) {
  Tensor y(shape, std::is_void_v<Y> ? x.dtype() : DType::i64, op);
  if (x.numel() == 0) return y;  // which may have any number of empty lines
  const Extents e = extents_around(x.shape(), axis, axis + 1);
  const int64_t n_y = shape[axis];
  dispatch(x.dtype(), [&]<typename T>() {
    const T* from = x.data<T>();
    auto* to = y.mutable_data<Result<Y, T>>();
    for_each(e.outer * e.inner, e.n, [&](int64_t item) {
      line(from + item / e.inner * e.n * e.inner + item % e.inner, to + item / e.inner * n_y * e.inner + item % e.inner, e.inner, e.n);
    });
  });
  return y;
}

// NaN counts as larger than every number, as in maximum.
constexpr auto larger = [](auto a, auto b) { return a > b || (a != a && b == b); };

// The position of the first of the largest in this order.
template <bool opposite> Tensor position_of_extreme(const Tensor& x, int axis, OpName op = {}) {
  return of_lines<int64_t>(
      x, reduced_shape(x.shape(), axis, true), axis,
      [](const auto* line, int64_t* best, int64_t stride, int64_t n) {
        *best = 0;
        for (int64_t k = 1; k < n; ++k) {
          if (larger(ordered<opposite>(load(line[k * stride])), ordered<opposite>(load(line[*best * stride])))) *best = k;
        }
      },
      op);
}

}  // namespace

Tensor sum(const Tensor& x, const Axes& axes) { return reduce<Sum>(x, axes); }
Tensor max(const Tensor& x, const Axes& axes) { return reduce<Extreme<false>>(x, axes); }
Tensor min(const Tensor& x, const Axes& axes) { return reduce<Extreme<true>>(x, axes); }
Tensor argmax(const Tensor& x, int axis) { return position_of_extreme<false>(x, axis); }
Tensor argmin(const Tensor& x, int axis) { return position_of_extreme<true>(x, axis); }

// Floating numbers are added in f64: an f32 total that has grown loses what each further number adds.
Tensor cumsum(const Tensor& x, int axis) {
  return of_lines<void>(x, x.shape(), axis, []<typename T>(const T* line, T* sums, int64_t stride, int64_t n) {
    std::conditional_t<std::is_same_v<T, int64_t>, int64_t, double> total = 0;
    for (int64_t k = 0; k < n; ++k) {
      total = plus(total, static_cast<decltype(total)>(load(line[k * stride])));
      sums[k * stride] = convert<T>(total);
    }
  });
}

Tensor argsort(const Tensor& x, int axis, bool descending) {
  return of_lines<int64_t>(x, x.shape(), axis, [=](const auto* line, int64_t* indices, int64_t stride, int64_t n) {
    std::vector<int64_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), int64_t{0});
    std::sort(order.begin(), order.end(), [=](int64_t a, int64_t b) {  // stable by the places, and asks for no memory
      const auto u = load(line[(descending ? a : b) * stride]), v = load(line[(descending ? b : a) * stride]);
      return larger(u, v) || (!larger(v, u) && a < b);
    });
    for (int64_t k = 0; k < n; ++k) indices[k * stride] = order[static_cast<std::size_t>(k)];
  });
}

}  // namespace gradus::kernels
