// The sigmoid and its kin: curves that saturate.
#pragma once

#include "nn/activation/activation.h"

namespace gradus::nn {

namespace formula {
Tensor sigmoid(const Tensor& x);
Tensor tanh(const Tensor& x);
Tensor hardsigmoid(const Tensor& x);
Tensor softplus(const Tensor& x);
}  // namespace formula

// y = σ(x) = 1 / (1 + e^-x), between 0 and 1, not centred on 0      dy/dx = y(1 - y) <= ¼, that is σ(x)σ(-x)
// The op gradus::sigmoid is the fast path.
class Sigmoid : public Activation {
 public:
  Sigmoid() : Activation("Sigmoid", [](const Tensor& x) { return gradus::sigmoid(x); }) {}
};

// y = (e^x - e^-x) / (e^x + e^-x) = 2σ(2x) - 1, between -1 and 1      dy/dx = 1 - y²
// The op gradus::tanh is the fast path.
class Tanh : public Activation {
 public:
  Tanh() : Activation("Tanh", [](const Tensor& x) { return gradus::tanh(x); }) {}
};

// y = min(max(0, x + 3), 6) / 6      dy/dx = [-3 < x < 3] / 6: 0 at both kinks      (Howard et al., 2019)
Tensor hardsigmoid(const Tensor& x);

class Hardsigmoid : public Activation {
 public:
  Hardsigmoid() : Activation("Hardsigmoid", hardsigmoid) {}
};

// y = log(1 + e^x), a smooth max(0, x): y = x for large x, e^x for large negative x      dy/dx = σ(x)
// (Dugas et al., 2001)
Tensor softplus(const Tensor& x);

class Softplus : public Activation {
 public:
  Softplus() : Activation("Softplus", softplus) {}
};

}  // namespace gradus::nn
