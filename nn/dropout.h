// Dropout: in training, some values are replaced at random, and the others adjusted so that the mean stays; otherwise the
// identity.
#pragma once

#include "nn/module.h"

namespace gradus::nn {

// y = x ⊙ m / (1 - p), each m 1 with probability 1 - p, else 0      dL/dx = dL/dy ⊙ m / (1 - p)
// ValueError unless 0 <= p < 1. (Srivastava et al., 2014; the inverted form)
Tensor dropout(const Tensor& x, double p);

// y = a (x ⊙ m + α'(1 - m)) + b, m as above, α' = -λα, what SELU gives at -∞      dL/dx = a dL/dy ⊙ m
// a = ((1 - p)(1 + p α'²))^(-1/2) and b = -a p α' keep mean 0 and variance 1, as plain dropout, which has variance
// 1 / (1 - p), does not. ValueError unless 0 <= p < 1. (Klambauer et al., 2017)
Tensor alpha_dropout(const Tensor& x, double p);

// p. ValueError, beginning with `who`, unless 0 <= p < 1.
double checked_probability(const char* who, double p);

class Dropout : public Layer {
 public:
  explicit Dropout(double p);  // ValueError unless 0 <= p < 1

  Tensor forward(const Tensor& x) override { return training() ? dropout(x, p_) : x; }
  void members(Members&) override {}
  std::string describe() const override { return fmt::format("Dropout({})", p_); }

 private:
  double p_;
};

// For self-normalising networks: Sequential{Linear, act::selu, AlphaDropout, …}. A Transformer has no place for it: what
// its dropouts act on does not have SELU's mean and variance, and its norms set both anew.
class AlphaDropout : public Layer {
 public:
  explicit AlphaDropout(double p);  // ValueError unless 0 <= p < 1

  Tensor forward(const Tensor& x) override { return training() ? alpha_dropout(x, p_) : x; }
  void members(Members&) override {}
  std::string describe() const override { return fmt::format("AlphaDropout({})", p_); }

 private:
  double p_;
};

}  // namespace gradus::nn
