// Weight standardisation: each row of a weight centred and scaled to variance 1 (Qiao et al., 2019).
#pragma once

#include "nn/linear.h"

namespace gradus::nn {

namespace formula {
Tensor weight_standard(const Tensor& weight, double eps);
}

// Row by row, over all that feeds one output, n numbers with mean μ and biased variance σ²:
//   w = (W - μ) / √(σ² + ε)
//   dL/dW = (G - mean(G) - w mean(G ⊙ w)) / √(σ² + ε), with G = dL/dw
// It is layer norm of the rows, so dL/dW has mean 0 and, for ε = 0, stands at a right angle to W. W = `weight` [out, in, …], as a
// linear map or a convolution has it. ShapeError unless a row has two numbers or more; ValueError for a negative or infinite ε.
// convention-weight-standard-deviation: the authors' code divides by the unbiased σ + ε, which is larger by √(n/(n-1)).
Tensor weight_standard(const Tensor& weight, double eps = 1e-5);

// A linear layer, y = x wᵀ + b, with w the weight_standard of W, times a trained gain per row (Brock, De and Smith, 2021):
//   w = γ (W - μ) / √(σ² + ε)
// W starts as Linear's weight, and γ at 1/√in, so that w keeps the size of x.
class WeightStandardLinear : public Layer {
 public:
  WeightStandardLinear(int64_t in, int64_t out, LinearOptions options = {});  // ValueError unless out > 0 and in > 1

  void members(Members& m) override;
  std::string describe() const override { return describe_map("WeightStandardLinear", weight, bias); }

  Parameter weight;  // W [out, in]
  Parameter gain;    // γ [out]
  Parameter bias;    // b [out]; undefined without

 private:
  Tensor forward(const Tensor& x) override;

  Role role_;  // of W
};

}  // namespace gradus::nn
