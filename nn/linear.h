// Linear: y = x Wᵀ + b.
#pragma once

#include "nn/layer.h"

namespace gradus::nn {

// With g = dL/dy, and all leading axes taken as one:
//   y = x Wᵀ + b      dL/dx = g W      dL/dW = gᵀ x      dL/db = Σ g
// x [..., in] to y [..., out]; weight W [out, in], bias b [out] or undefined. ShapeError or DTypeError when they do not fit.
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias = {});

struct LinearOptions {
  bool bias = true;
  Role role = Role::weight;  // of the weight: what the map is for
};

// linear() with a trained weight and bias, x [..., in] to [..., out].
class Linear : public Layer {
 public:
  // The weight starts Xavier uniform, the bias at 0. ValueError unless both sizes are positive.
  Linear(int64_t in, int64_t out, LinearOptions options = {});

  void members(Members& m) override;
  std::string describe() const override;

  Parameter weight;  // [out, in]
  Parameter bias;    // [out]; undefined without

 private:
  Tensor forward(const Tensor& x) override;

  Role role_;
};

// --- for the classes of linear maps ----------------------------------------------------------------------------
// ValueError, beginning with `op`, unless both sizes are positive and at most 2⁴⁰.
void check_map_sizes(int64_t in, int64_t out, OpName op = {});
std::string describe_map(const char* type, const Tensor& weight, const Tensor& bias);  // "Linear(4 -> 8, no bias)"

}  // namespace gradus::nn
