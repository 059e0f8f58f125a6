#include "nn/activation/sigmoid.h"

#include "core/options/range.h"
#include "nn/activation/curve_kernels.h"
#include "nn/activation/relu.h"

namespace gradus::nn {

// #region act-sigmoid
Tensor formula::sigmoid(const Tensor& x) { return 1 / (1 + exp(-x)); }
// #endregion act-sigmoid

// #region act-tanh
Tensor formula::tanh(const Tensor& x) { return (exp(x) - exp(-x)) / (exp(x) + exp(-x)); }
// #endregion act-tanh

// #region act-softplus
// log(1 + e^x) = x + log(1 + e^-x), where e^x may overflow
Tensor formula::softplus(const Tensor& x) { return where(x > 0, x + log1p(exp(-gradus::relu(x))), log1p(exp(lower_branch(x)))); }
// #endregion act-softplus

Tensor formula::softplus_beta(const Tensor& x, double beta) {
  return where(x > 0, x + log1p(exp(-beta * gradus::relu(x))) / beta, log1p(exp(beta * lower_branch(x))) / beta);
}

// #region act-log-sigmoid
Tensor formula::log_sigmoid(const Tensor& x) { return -softplus(-x); }
// #endregion act-log-sigmoid

// #region act-softsign
Tensor formula::softsign(const Tensor& x) { return x / (1 + abs(x)); }
// #endregion act-softsign

namespace {

using namespace curve;

// #region act-sigmoid.kernel
struct SigmoidCurve {
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    const V s = logistic(x);
    return {s, s * (V(1) - s)};
  }
};
// #endregion act-sigmoid.kernel

// #region act-tanh.kernel
struct TanhCurve {
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    using std::tanh;
    const V t = tanh(x);
    return {t, V(1) - t * t};
  }
};
// #endregion act-tanh.kernel

// #region act-softplus.kernel
// log(1 + e^x) = max(0, x) + log(1 + e^-|x|)
struct SoftplusCurve {
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    using std::abs;
    using std::exp;
    using std::log1p;
    return {select(x > V(0), x, V(0)) + log1p(exp(-abs(x))), logistic(x)};
  }
};
// #endregion act-softplus.kernel

// #region act-log-sigmoid.kernel
struct LogSigmoidCurve {
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    const auto [value, derivative] = SoftplusCurve{}(-x);
    return {-value, derivative};
  }
};
// #endregion act-log-sigmoid.kernel

// #region act-softsign.kernel
struct SoftsignCurve {
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    using std::abs;
    const V size = abs(x), shrink = V(1) / (V(1) + size);
    const V end = select(x < V(0), V(-1), V(1));  // at ±∞, where x / (1 + |x|) is ∞/∞
    return {select(size == splat<V>(range::infinity), end, x / (V(1) + size)), shrink * shrink};
  }
};
// #endregion act-softsign.kernel

// log(1 + e^(βx)) / β = max(0, x) + log(1 + e^-|βx|) / β, which does not overflow with βx
struct SoftplusBetaCurve {
  double beta;
  template <typename V> ValueAndDerivative<V> operator()(V x) const {
    using std::abs;
    using std::exp;
    using std::log1p;
    const V b = splat<V>(beta), scaled = b * x;
    return {select(x > V(0), x, V(0)) + log1p(exp(-abs(scaled))) / b, logistic(scaled)};
  }
};

}  // namespace

constinit const Activation act::sigmoid{"sigmoid", "Sigmoid", gradus::sigmoid, gate_kernel<SigmoidCurve>()};
constinit const Activation act::tanh{"tanh", "Tanh", gradus::tanh, gate_kernel<TanhCurve>()};
constinit const Activation act::softplus{"softplus", "Softplus", formula::softplus, curve_kernels<SoftplusCurve>()};
constinit const Activation act::log_sigmoid{"log_sigmoid", "LogSigmoid", formula::log_sigmoid, curve_kernels<LogSigmoidCurve>()};
constinit const Activation act::softsign{"softsign", "Softsign", formula::softsign, curve_kernels<SoftsignCurve>()};

Activation act::softplus_beta(double beta) {
  check_range("beta", beta, {0x1p-126, 0x1p126});
  return {"softplus", "Softplus", formula::softplus_beta, curve_kernels<SoftplusBetaCurve>(), beta};
}

}  // namespace gradus::nn
