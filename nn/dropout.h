// Dropout: in training, random values are replaced, and the others adjusted so that the mean stays.
#pragma once

#include "nn/layer.h"

namespace gradus::nn {

//   y = x ⊙ m / (1 - p)      dL/dx = dL/dy ⊙ m / (1 - p)
// where each element of m is 1 with probability 1 - p, else 0 (Srivastava et al., 2014). ValueError unless 0 <= p < 1.
Tensor dropout(const Tensor& x, double p);

// Dropout that goes with SELU (Klambauer et al., 2017):
//   y = a (x ⊙ m + α'(1 - m)) + b      dL/dx = a dL/dy ⊙ m
// where each element of m is 1 with probability 1 - p, else 0, and α' = -λα is SELU's value at -∞.
// a = ((1 - p)(1 + p α'²))^(-1/2) and b = -a p α' keep mean 0 and variance 1. ValueError unless 0 <= p < 1.
Tensor alpha_dropout(const Tensor& x, double p);

// dropout(x, p) in training, otherwise x itself.
class Dropout : public Layer {
 public:
  explicit Dropout(double p);  // ValueError unless 0 <= p < 1

  void members(Members&) override {}
  std::string describe() const override { return fmt::format("Dropout({})", p_); }

 private:
  Tensor forward(const Tensor& x) override { return training() ? dropout(x, p_) : x; }

  double p_;
};

// alpha_dropout(x, p) in training, otherwise x itself: for self-normalising networks, Sequential{Linear, act::selu,
// AlphaDropout, …}.
class AlphaDropout : public Layer {
 public:
  explicit AlphaDropout(double p);  // ValueError unless 0 <= p < 1

  void members(Members&) override {}
  std::string describe() const override { return fmt::format("AlphaDropout({})", p_); }

 private:
  Tensor forward(const Tensor& x) override { return training() ? alpha_dropout(x, p_) : x; }

  double p_;
};

}  // namespace gradus::nn
