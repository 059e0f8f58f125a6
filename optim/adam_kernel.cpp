// Adam and AdamW in one pass over a parameter: most training uses these two, so they alone have a kernel.
#include <cmath>

#include "core/kernels/elementwise.h"
#include "optim/adam.h"

namespace gradus::optim {

using namespace kernels;

// Each value by itself, named as in formula::adam. What all values share is computed once: lr m̂ = rate m and √v̂ = inverse_root √v.
void fast::adam(Tensor& parameter, Tensor& first, Tensor& second, const AdamStep& step, Tensor largest) {
  const double correction1 = 1 - std::pow(step.beta1, step.t), correction2 = 1 - std::pow(step.beta2, step.t);
  const double root = std::sqrt(correction2);
  dispatch_real(parameter.dtype(), "adam", [&]<typename T>() {
    T *theta = parameter.mutable_data<T>(), *m = first.mutable_data<T>(), *v = second.mutable_data<T>();
    const T* gradient = parameter.grad().data<T>();
    const T beta1 = static_cast<T>(step.beta1), beta2 = static_cast<T>(step.beta2);
    const T eps = static_cast<T>(step.eps_before_correction ? step.eps / root : step.eps);
    const T l2 = static_cast<T>(step.l2), keep = static_cast<T>(1 - step.lr * step.decay);
    const T rate = static_cast<T>(step.lr / correction1), inverse_root = static_cast<T>(1 / root);
    // corrected_from(i, vᵢ) is what v̂ᵢ is made of: vᵢ, or v̄ᵢ. `simd` promises that the arrays do not overlap.
    const auto pass = [&](auto corrected_from) {
      parallel_for(parameter.numel(), kMathGrain, [=](int64_t begin, int64_t end) {
#pragma omp simd
        for (int64_t i = begin; i < end; ++i) {
          const T g = gradient[i] + l2 * theta[i], decayed = keep * theta[i];
          m[i] = beta1 * m[i] + (T(1) - beta1) * g;
          v[i] = beta2 * v[i] + (T(1) - beta2) * g * g;
          const T lr_m_hat = rate * m[i], root_v_hat = inverse_root * std::sqrt(corrected_from(i, v[i]));
          theta[i] = decayed - lr_m_hat / (root_v_hat + eps);
        }
      });
    };
    if (!largest.defined()) return pass([](int64_t, T v_i) { return v_i; });
    T* v_bar = largest.mutable_data<T>();
    pass([=](int64_t i, T v_i) { return v_bar[i] = v_bar[i] > v_i ? v_bar[i] : v_i; });
  });
}

}  // namespace gradus::optim
