// ReLU and its kin: piecewise linear, or the square of that.
#pragma once

#include "nn/activation/activation.h"

namespace gradus::nn {

namespace formula {
Tensor relu(const Tensor& x);
Tensor leaky_relu(const Tensor& x, double slope);
Tensor prelu(const Tensor& x, const Tensor& slope);
Tensor relu2(const Tensor& x);

Tensor lower_branch(const Tensor& x);  // min(0, x) with the derivative 1 at 0
}  // namespace formula

namespace act {

// y = max(0, x)      dy/dx = [x > 0]
// The op gradus::relu; dy/dx is 0 at the kink x = 0. A unit that is negative on every input stops learning (Nair and Hinton, 2010).
extern const Activation relu;

// y = x > 0 ? x : αx      dy/dx = x > 0 ? 1 : α
// α = `slope`, also dy/dx at the kink x = 0 (Maas, Hannun and Ng, 2013). ValueError unless α is finite and not negative.
Activation leaky_relu(double slope = 0.01);

// y = max(0, x)²      dy/dx = 2 max(0, x)
// dy/dx is continuous at 0. (So et al., 2021)
extern const Activation relu2;

}  // namespace act

// y = x > 0 ? x : α ⊙ x      dy/dx = x > 0 ? 1 : α      dL/dα = Σ g ⊙ min(0, x)
// leaky_relu with a learned α = `slope`, which broadcasts to x's shape (ShapeError). g = dL/dy. (He et al., 2015)
Tensor prelu(const Tensor& x, const Tensor& slope);

struct PReLUOptions {
  int64_t channels = 1;  // 1: one α for all
  double slope = 0.25;   // where α starts
  int axis = 1;          // the channels' axis; -1 for x [B, T, C]
};

// prelu with one α for each channel, or one for all.
class PReLU : public Layer {
 public:
  explicit PReLU(PReLUOptions options = {});  // ValueError unless channels > 0 and slope is finite

  void members(Members& m) override { m.parameter("slope", slope, Role::other); }
  std::string describe() const override { return fmt::format("PReLU({})", slope.size(0)); }

  Parameter slope;  // α [channels]

 private:
  Tensor forward(const Tensor& x) override;  // ShapeError unless x has that many channels

  int axis_;
};

}  // namespace gradus::nn
