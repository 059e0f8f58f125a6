// Comparisons and selections. A mask is an i64 tensor of zeros and ones. What reads its operands in step is said in xtensor, part
// by part, as fast as in a loop; comparisons broadcast, which takes xtensor 25 times as long as zip.
#include <cmath>

#include "core/kernels/elementwise.h"
#include "core/kernels/kernels.h"
#include "core/tensor/xtensor.h"

#if __has_include(<xtensor/core/xmath.hpp>)  // xtensor 0.26 and later
#include <xtensor/core/xmath.hpp>
#else
#include <xtensor/xmath.hpp>
#endif

namespace gradus::kernels {
namespace {

// x[begin … end) as an array of xtensor's.
template <typename T> auto part(T* x, int64_t begin, int64_t end) {
  const auto count = static_cast<std::size_t>(end - begin);
  return xt::adapt(x + begin, count, xt::no_ownership(), std::array<std::size_t, 1>{count});
}

// y = f(x…), an xtensor expression of arrays of one size.
template <typename Y, typename F, typename... X> void assign(Tensor& y, const F& f, const X*... x) {
  Y* to = y.mutable_data<Y>();
  parallel_for(y.numel(), kGrain, [=](int64_t begin, int64_t end) { part(to, begin, end).assign(f(part(x, begin, end)...)); });
}

template <typename F> Tensor test(const char* op, const Tensor& x, F f) {
  check_defined(op, {{"x", x}});
  Tensor y(x.shape(), DType::i64, op);
  dispatch(x.dtype(), [&]<typename T>() { assign<int64_t>(y, f, x.data<T>()); });
  return y;
}

template <typename F> bool any(const Tensor& x, F f) {  // xt::any takes 50 times as long
  return dispatch(x.dtype(), [&]<typename T>() {
    const T* first = x.data<T>();
    return std::any_of(first, first + x.numel(), [&](const T& value) { return f(static_cast<double>(value)); });
  });
}

}  // namespace

bool has_nan(const Tensor& x) { return any(x, [](double v) { return std::isnan(v); }); }
bool has_inf(const Tensor& x) { return any(x, [](double v) { return std::isinf(v); }); }

Tensor isnan(const Tensor& x) { return test("isnan", x, [](const auto& v) { return xt::isnan(v); }); }
Tensor isinf(const Tensor& x) { return test("isinf", x, [](const auto& v) { return xt::isinf(v); }); }
Tensor logical_not(const Tensor& x) { return test("logical_not", x, [](const auto& v) { return xt::equal(v, 0); }); }

Tensor equal(const Tensor& a, const Tensor& b) { return zip<int64_t>("eq", a, b, [](auto u, auto v) { return u == v; }); }
Tensor less(const Tensor& a, const Tensor& b) { return zip<int64_t>("lt", a, b, [](auto u, auto v) { return u < v; }); }
Tensor less_equal(const Tensor& a, const Tensor& b) { return zip<int64_t>("le", a, b, [](auto u, auto v) { return u <= v; }); }
Tensor logical_and(const Tensor& a, const Tensor& b) {
  return zip<int64_t>("logical_and", a, b, [](auto u, auto v) { return u != 0 && v != 0; });
}
Tensor logical_or(const Tensor& a, const Tensor& b) {
  return zip<int64_t>("logical_or", a, b, [](auto u, auto v) { return u != 0 || v != 0; });
}

void check_choice(const char* op, const Tensor& mask, const Tensor& a, const Tensor& b) {
  check_defined(op, {{"mask", mask}, {"a", a}, {"b", b}});
  check<DTypeError>(mask.dtype() == DType::i64, "{}: the mask must be i64, got {}", op, mask.dtype());
  check_dtypes(op, a, b);
}

Tensor where(const Tensor& mask, const Tensor& left, const Tensor& right) {
  check_choice("where", mask, left, right);
  Tensor a = left, b = right;
  promote("where", a, b);
  Tensor y(broadcast_shapes("where", mask.shape(), broadcast_shapes("where", a.shape(), b.shape())), a.dtype(), "where");
  const auto wide = [&](const Tensor& x) { return x.shape() == y.shape() ? x : expand(x, y.shape()); };
  const Tensor c = wide(mask), u = wide(a), v = wide(b);
  dispatch(y.dtype(), [&]<typename T>() {
    const auto choice = [](const auto& chosen, const auto& yes, const auto& no) { return xt::where(xt::cast<bool>(chosen), yes, no); };
    assign<T>(y, choice, c.data<int64_t>(), u.data<T>(), v.data<T>());
  });
  return y;
}

}  // namespace gradus::kernels
