// Matrix products in bf16.
#pragma once

#include <atomic>

namespace gradus {

//   C_ij = Σ_p r(A_ip) r(B_pj)      r(x): x to 8 significant bits, ties to even
//
// While one lives, matrix products of f32, and of f16, which are computed in f32, round both operands to bf16, in all threads of the
// process: 8 significant bits instead of 24, and the same range (Kalamkar et al., 2019). Sums stay f32, and so do values, gradients
// and parameters. A fast path of many small products may multiply them in f32; its formula rounds. Products of f64 do not change.
// Processors with AMX multiply bf16 several times as fast as f32, those with AVX-512 BF16 at most twice; others gain nothing, and
// keep numbers below 1e-38, which these take as 0. Scopes nest, but must not overlap on two threads.
class Bf16Products {
 public:
  explicit Bf16Products(bool on = true) : before_(on_.exchange(on)) {}
  ~Bf16Products() { on_ = before_; }
  Bf16Products(const Bf16Products&) = delete;
  Bf16Products& operator=(const Bf16Products&) = delete;

  static bool on() { return on_.load(std::memory_order_relaxed); }
  static bool are_fast();  // does this processor multiply bf16?

 private:
  inline static constinit std::atomic<bool> on_ = false;
  const bool before_;
};

}  // namespace gradus
