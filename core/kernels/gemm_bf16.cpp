// Products of f32 whose operands are rounded to bf16: by oneDNN where the processor multiplies bf16, else by products of f32.
#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>

#include "core/kernels/bf16.h"
#include "core/kernels/gemm.h"
#include "core/kernels/scratch.h"
#include "core/machine/parallel.h"

#if GRADUS_BLAS
#include <oneapi/dnnl/dnnl.hpp>
#endif

namespace gradus::kernels {
namespace {

using Bf16 = std::uint16_t;

#if GRADUS_BLAS
// How oneDNN rounds a matrix of f32 to bf16: stored as it was, with another stride, or with a stride of 0 packed as the B of a product.
// Packed are blocks of 64 columns, in which the numbers of each two rows alternate, since the processor adds two products at once.
struct Rounding {
  int64_t rows, columns, from_stride, to_stride;
  bool transposed;
  auto operator<=>(const Rounding&) const = default;
};

// A product of bf16 as oneDNN takes it: A [m, k] dense, B packed, C [m, n] dense.
struct Multiplication {
  int64_t m, n, k;
  bool a_transposed, added;
  auto operator<=>(const Multiplication&) const = default;
};

// What oneDNN does, and with which matrices.
struct Prepared {
  dnnl::primitive primitive;
  std::unordered_map<int, dnnl::memory> matrices;
};

using Number = dnnl::memory::data_type;
using Order = dnnl::memory::format_tag;
constexpr Order kPacked = Order::BA16a64b2a;

const dnnl::engine& processor() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

template <typename Layout> dnnl::memory matrix(int64_t rows, int64_t columns, Number number, const Layout& layout) {
  return dnnl::memory({{rows, columns}, number, layout}, processor(), nullptr);
}

Prepared prepare(const Rounding& r) {
  const auto stored = [&](Number number, int64_t stride) {
    return matrix(r.rows, r.columns, number, r.transposed ? dnnl::memory::dims{1, stride} : dnnl::memory::dims{stride, 1});
  };
  const auto x = stored(Number::f32, r.from_stride);
  const auto y = r.to_stride > 0 ? stored(Number::bf16, r.to_stride) : matrix(r.rows, r.columns, Number::bf16, kPacked);
  return {dnnl::reorder(x, y), {{DNNL_ARG_FROM, x}, {DNNL_ARG_TO, y}}};
}

Prepared prepare(const Multiplication& p) {
  const auto a = matrix(p.m, p.k, Number::bf16, p.a_transposed ? Order::ba : Order::ab);
  const auto b = matrix(p.k, p.n, Number::bf16, kPacked);
  const auto c = matrix(p.m, p.n, Number::f32, Order::ab);
  dnnl::post_ops after;
  if (p.added) after.append_sum(1);
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(after);
#if DNNL_VERSION_MAJOR < 3
  const dnnl::matmul::primitive_desc how({a.get_desc(), b.get_desc(), c.get_desc()}, attributes, processor());
#else
  const dnnl::matmul::primitive_desc how(processor(), a.get_desc(), b.get_desc(), c.get_desc(), attributes);
#endif
  return {dnnl::matmul(how), {{DNNL_ARG_SRC, a}, {DNNL_ARG_WEIGHTS, b}, {DNNL_ARG_DST, c}}};
}

// Does it, on one thread. What oneDNN prepared is kept: to prepare takes as long as a small product.
template <typename Plan> void run(const Plan& plan, const std::unordered_map<int, const void*>& data) {
  constexpr std::size_t most = 100;  // a model has some dozens; one can take a megabyte
  thread_local std::map<Plan, Prepared> known;
  thread_local dnnl::stream stream(processor());
  const LibraryAlone alone;  // how a product is prepared depends on the number of threads, and with it the last bits
  if (known.size() > most) known.clear();
  auto found = known.find(plan);
  if (found == known.end()) found = known.emplace(plan, prepare(plan)).first;
  auto& [primitive, matrices] = found->second;
  for (auto& [role, memory] : matrices) memory.set_data_handle(const_cast<void*>(data.at(role)));
  primitive.execute(stream, matrices);
}

void round_to(Bf16* y, int64_t stride, int64_t rows, int64_t columns, Matrix<float> x) {
  run(Rounding{rows, columns, x.row_stride, stride, x.transposed}, {{DNNL_ARG_FROM, x.data}, {DNNL_ARG_TO, y}});
}

// B is packed once. Then each thread rounds a few rows of A and multiplies them: so few that they and their rows of C stay in its cache.
// Zeros fill up k to a multiple of 32. Without, oneDNN 3.7 reads on into the next row of A (its issue 5717), and 2.6 dies at k = 63 (1661).
void multiply_bf16(int64_t m, int64_t n, int64_t k, Matrix<float> a, Matrix<float> b, Product<float> c) {
  constexpr int64_t width = 64, multiple = 32, height = 16 * multiple, cache = 128 << 10, fewest = 32, enough = 4;
  const auto parts_of = [](int64_t size, int64_t part) { return (size + part - 1) / part; };
  const int64_t blocks = parts_of(n, width), strips = parts_of(k, height), full = parts_of(k, multiple) * multiple;
  Scratch<Bf16> packed(full * blocks * width);
  Bf16* const right = packed.data();
  for_each(blocks * strips, kGrain, [=](int64_t i) {
    const int64_t row = i % strips * height, column = i / strips * width;
    round_to(right + column * full + row * width, 0, std::min(height, k - row), std::min(width, n - column), from(b, row, column));
  });
  const int64_t most = m / fewest + 1, bytes = m * (k * int64_t{sizeof(Bf16)} + n * int64_t{sizeof(float)});
  const Cut rows{m, std::clamp(bytes / cache, std::min(enough, most), most)};
  for_each(rows.parts, kGrain, [=](int64_t part) {
    const int64_t first = rows.begin(part), count = rows.length(part);
    Scratch<Bf16> left(count * full);
    if (full > k) std::fill_n(left.data(), count * full, Bf16{0});
    round_to(left.data(), a.transposed ? count : full, count, k, from(a, first, 0));
    run(Multiplication{count, n, full, a.transposed, c.added},
        {{DNNL_ARG_SRC, left.data()}, {DNNL_ARG_WEIGHTS, right}, {DNNL_ARG_DST, c.data + first * n}});
  });
}
#endif

// #region inside-bf16
// x to the nearest bf16, ties to even: an f32 whose lower half is 0. A NaN stays one.
float to_bf16(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t nearest = x == x ? bits + 0x7FFF + (bits >> 16 & 1) : bits | 0x40'0000;
  return std::bit_cast<float>(nearest & 0xFFFF'0000);
}
// #endregion inside-bf16

// op(A) [rows, columns], rounded to bf16, in f32, and stored as A is.
Matrix<float> rounded(float* y, int64_t rows, int64_t columns, Matrix<float> a) {
  const int64_t length = a.transposed ? rows : columns;
  for_each(rows * columns / length, length, [=](int64_t i) {
    for (int64_t j = 0; j < length; ++j) y[i * length + j] = to_bf16(a.data[i * a.row_stride + j]);
  });
  return {y, length, a.transposed};
}

// The same values by a product of f32.
void multiply_rounded(int64_t m, int64_t n, int64_t k, float alpha, Matrix<float> a, Matrix<float> b, Product<float> c) {
  Scratch<float> left(m * k), right(k * n);
  gemm_f32(m, n, k, alpha, rounded(left.data(), m, k, a), rounded(right.data(), k, n, b), c);
}

}  // namespace

void gemm_bf16(int64_t m, int64_t n, int64_t k, float alpha, Matrix<float> a, Matrix<float> b, Product<float> c) {
#if GRADUS_BLAS
  if (Bf16Products::are_fast() && alpha == 1 && c.row_stride == n) return multiply_bf16(m, n, k, a, b, c);
#endif
  multiply_rounded(m, n, k, alpha, a, b, c);
}

}  // namespace gradus::kernels

bool gradus::Bf16Products::are_fast() {
#if GRADUS_BLAS
  constexpr auto wanted = static_cast<unsigned>(dnnl::cpu_isa::avx512_core_bf16);
  static const bool has = (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & wanted) == wanted;
  return has;
#else
  return false;
#endif
}
