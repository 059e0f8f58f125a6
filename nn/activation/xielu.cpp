#include "nn/activation/xielu.h"

#include <cmath>

#include "core/options/range.h"
#include "nn/activation/relu.h"
#include "nn/activation/sigmoid.h"
#include "nn/check_inputs.h"

namespace gradus::nn {

// #region act-xielu
Tensor formula::xielu(const Tensor& x, const Tensor& right, const Tensor& left, double beta) {
  const Tensor u = gradus::relu(x), m = lower_branch(x);  // x = u + m
  return right * u * u + beta * u + left * gradus::expm1(m) - (left - beta) * m;
}
// #endregion act-xielu

Tensor xielu(const Tensor& x, const Tensor& right, const Tensor& left, double beta) {
  check_inputs({{"x", x}, {"right", right}, {"left", left}});
  for (const Tensor& alpha : {right, left}) {
    check<ShapeError>(alpha.rank() == 0, "xielu: right and left are one number each, of shape [], got {}", alpha.shape());
  }
  check_range("beta", beta, range::finite);
  return in_f32({x, right, left}, [beta](const Tensors& in) { return formula::xielu(in[0], in[1], in[2], beta); });
}

XIELU::XIELU(const XIELUOptions& o) : beta_(check_range("beta", o.beta, range::finite)) {
  check<ValueError>(o.left > o.beta, "XIELU: left must be above beta, {}, got {}", o.beta, o.left);
  const auto before_softplus = [](const char* name, double alpha) {
    return full({}, std::log(std::expm1(check_range(name, alpha, range::positive, "XIELU"))));
  };
  right = before_softplus("right", o.right);
  left = before_softplus("left", o.left - o.beta);
}

Tensor XIELU::forward(const Tensor& x) { return xielu(x, act::softplus(right), beta_ + act::softplus(left), beta_); }

void XIELU::members(Members& m) {
  m.parameter("right", right, Role::other);
  m.parameter("left", left, Role::other);
}

}  // namespace gradus::nn
