// Products of f32 whose operands are rounded to bf16: by oneDNN where the processor multiplies bf16, else by products of f32.
#include <algorithm>
#include <bit>
#include <map>
#include <type_traits>

#include "core/kernels/bf16.h"
#include "core/kernels/gemm.h"
#include "core/kernels/scratch.h"
#include "core/machine/parallel.h"

#if GRADUS_BLAS
#include <oneapi/dnnl/dnnl.hpp>
#endif

namespace gradus::kernels {
namespace {

// #region inside-bf16
// x to the nearest bf16, ties to even: as the upper half of an f32, or as an f32 whose lower half is 0. A NaN stays one.
template <typename T> T to_bf16(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t nearest = x == x ? bits + 0x7FFF + (bits >> 16 & 1) : bits | 0x40'0000;
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(nearest & 0xFFFF'0000);
  else return static_cast<T>(nearest >> 16);
}
// #endregion inside-bf16

using Bf16 = std::uint16_t;

// factor · op(A) [rows, columns], rounded to bf16, and stored as A is.
template <typename T> class Rounded {
 public:
  Rounded(int64_t rows, int64_t columns, float factor, Matrix<float> a)
      : numbers_(rows * columns), matrix_{numbers_.data(), a.transposed ? rows : columns, a.transposed} {
    const int64_t length = matrix_.row_stride;
    parallel_for(a.transposed ? columns : rows, kGrain / length + 1, [=, to = numbers_.data()](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        for (int64_t j = 0; j < length; ++j) to[i * length + j] = to_bf16<T>(factor * a.data[i * a.row_stride + j]);
      }
    });
  }
  Matrix<T> matrix() const { return matrix_; }

 private:
  Scratch<T> numbers_;
  Matrix<T> matrix_;
};

#if GRADUS_BLAS
// op(B) [k, n], rounded, in the layout that oneDNN calls BA16a64b2a: blocks of 64 columns, in which the numbers of each two rows
// alternate. Zeros fill up the last block, and the rows to a multiple of 32.
class Packed {
 public:
  Packed(int64_t k, int64_t n, Matrix<float> b) : numbers_(up(k, kRows) * up(n, kWidth)) {
    const int64_t strips = up(k, kRows) / kRows, blocks = up(n, kWidth) / kWidth;
    for_each(blocks * strips, kRows * kWidth, [=, to = numbers_.data()](int64_t i) {
      const int64_t row = i % strips * kRows, column = i / strips * kWidth;
      pack(std::min(kRows, k - row), std::min(kWidth, n - column), from(b, row, column), to + i * kRows * kWidth);
    });
  }
  Bf16* data() { return numbers_.data(); }

 private:
  static constexpr int64_t kWidth = 64, kRows = 32;

  static int64_t up(int64_t size, int64_t multiple) { return (size + multiple - 1) / multiple * multiple; }

  // One strip of one block.
  static void pack(int64_t rows, int64_t columns, Matrix<float> b, Bf16* to) {
    float strip[kRows][kWidth] = {};
    for (int64_t i = 0; i < rows; ++i) {
      for (int64_t j = 0; j < columns; ++j) strip[i][j] = *from(b, i, j).data;
    }
    for (int64_t i = 0; i < kRows; i += 2, to += 2 * kWidth) {
      for (int64_t j = 0; j < kWidth; ++j) {
        to[2 * j] = to_bf16<Bf16>(strip[i][j]);
        to[2 * j + 1] = to_bf16<Bf16>(strip[i + 1][j]);
      }
    }
  }

  Scratch<Bf16> numbers_;
};

// A product of bf16 as oneDNN takes it: A [m, k] dense, B packed, C [m, n] dense.
struct Plan {
  int64_t m, n, k;
  bool a_transposed, added;
  auto operator<=>(const Plan&) const = default;
};

// What oneDNN prepares for it, and where its matrices are.
struct Planned {
  dnnl::memory a, b, c;
  dnnl::matmul product;
};

const dnnl::engine& processor() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

Planned prepared(const Plan& p) {
  using Number = dnnl::memory::data_type;
  using Tag = dnnl::memory::format_tag;
  const auto matrix = [](int64_t rows, int64_t columns, Number type, Tag order) {
    return dnnl::memory({{rows, columns}, type, order}, processor(), nullptr);
  };
  const dnnl::memory a = matrix(p.m, p.k, Number::bf16, p.a_transposed ? Tag::ba : Tag::ab);
  const dnnl::memory b = matrix(p.k, p.n, Number::bf16, Tag::BA16a64b2a);
  const dnnl::memory c = matrix(p.m, p.n, Number::f32, Tag::ab);
  dnnl::post_ops after;
  if (p.added) after.append_sum(1);
  dnnl::primitive_attr attributes;
  attributes.set_post_ops(after);
#if DNNL_VERSION_MAJOR < 3
  return {a, b, c, dnnl::matmul({{a.get_desc(), b.get_desc(), c.get_desc()}, attributes, processor()})};
#else
  return {a, b, c, dnnl::matmul({processor(), a.get_desc(), b.get_desc(), c.get_desc(), attributes})};
#endif
}

// One product, on one thread. What oneDNN prepared is kept: to prepare takes as long as a small product.
void product_of(const Plan& plan, const Bf16* a, Bf16* b, float* c) {
  constexpr std::size_t most = 100;  // a model has some dozens, of up to a megabyte
  thread_local std::map<Plan, Planned> known;
  thread_local dnnl::stream stream(processor());
  const LibraryAlone alone;  // how a product is prepared depends on the number of threads, and with it the last bits
  if (known.size() > most) known.clear();
  auto found = known.find(plan);
  if (found == known.end()) found = known.emplace(plan, prepared(plan)).first;
  Planned& p = found->second;
  p.a.set_data_handle(const_cast<Bf16*>(a));
  p.b.set_data_handle(b);
  p.c.set_data_handle(c);
  p.product.execute(stream, {{DNNL_ARG_SRC, p.a}, {DNNL_ARG_WEIGHTS, p.b}, {DNNL_ARG_DST, p.c}});
}

// B is packed once. Then each thread rounds a few rows of A and multiplies them: so few that they and their rows of C stay in its cache.
void multiply_bf16(int64_t m, int64_t n, int64_t k, float alpha, Matrix<float> a, Matrix<float> b, Product<float> c) {
  constexpr int64_t cache = 128 << 10, fewest = 32, enough = 4;
  Packed right(k, n, b);
  const int64_t most = m / fewest + 1, bytes = m * (k * int64_t{sizeof(Bf16)} + n * int64_t{sizeof(float)});
  const Cut rows{m, std::clamp(bytes / cache, std::min(enough, most), most)};
  for_each(rows.parts, kGrain, [=, &right](int64_t part) {
    const int64_t first = rows.begin(part), count = rows.length(part);
    const Rounded<Bf16> left(count, k, alpha, from(a, first, 0));
    product_of({count, n, k, a.transposed, c.added}, left.matrix().data, right.data(), c.data + first * n);
  });
}
#endif

// The same values by products of f32.
void multiply_rounded(int64_t m, int64_t n, int64_t k, float alpha, Matrix<float> a, Matrix<float> b, Product<float> c, bool whole) {
  const Rounded<float> left(m, k, alpha, a), right(k, n, 1, b);
  gemm_f32(m, n, k, 1, left.matrix(), right.matrix(), c, whole);
}

}  // namespace

void gemm_bf16(int64_t m, int64_t n, int64_t k, float alpha, Matrix<float> a, Matrix<float> b, Product<float> c, bool whole) {
#if GRADUS_BLAS
  if (Bf16Products::are_fast() && c.row_stride == n) return multiply_bf16(m, n, k, alpha, a, b, c);
#endif
  multiply_rounded(m, n, k, alpha, a, b, c, whole);
}

}  // namespace gradus::kernels

bool gradus::Bf16Products::are_fast() {
#if GRADUS_BLAS
  static const bool has = [] {
    constexpr auto wanted = static_cast<unsigned>(dnnl::cpu_isa::avx512_core_bf16);
    return (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & wanted) == wanted;
  }();
  return has;
#else
  return false;
#endif
}
