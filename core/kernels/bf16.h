// Matrix products in bf16.
#pragma once

#include <atomic>

namespace gradus {

//   C_ij = Σ_p r(A_ip) r(B_pj)      r(x): x to 8 significant bits, ties to even
//
// While it lives, matrix products of f32 round their operands to bf16, in all threads of the process: 8 significant bits instead of
// 24, and the same range (Kalamkar et al., 2019). What is added up stays f32, and so does all else: values, gradients, parameters, and all sums that are no
// product's. Processors with AVX-512 BF16 or AMX multiply several times as fast; others give the same values and gain nothing.
// Products of f64 are not touched. Scopes nest.
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
