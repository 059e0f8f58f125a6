// Dropout: in training, zeroes each value with probability p and divides the others by 1 - p, so that the mean stays;
// otherwise the identity (Srivastava et al., 2014; the inverted form).
#pragma once

#include "nn/module.h"

namespace gradus::nn {

// y = x ⊙ m / (1 - p), each m 1 with probability 1 - p, else 0      dL/dx = dL/dy ⊙ m / (1 - p)
// ValueError unless 0 <= p < 1.
Tensor dropout(const Tensor& x, double p);

class Dropout : public Layer {
 public:
  explicit Dropout(double p);  // ValueError unless 0 <= p < 1

  Tensor forward(const Tensor& x) override { return training() ? dropout(x, p_) : x; }
  void members(Members&) override {}
  std::string describe() const override { return fmt::format("Dropout({})", p_); }

 private:
  double p_;
};

}  // namespace gradus::nn
