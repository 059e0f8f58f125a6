// ReLU and its kin: piecewise linear, or the square of that.
#pragma once

#include "nn/activation/activation.h"

namespace gradus::nn {

namespace formula {
Tensor relu(const Tensor& x);
Tensor leaky_relu(const Tensor& x, double slope);
Tensor prelu(const Tensor& x, const Tensor& slope);
Tensor relu2(const Tensor& x);

Tensor lower_branch(const Tensor& x);  // min(0, x), whose derivative at 0 is 1: it is the lower branch's
}  // namespace formula

namespace act {

// y = max(0, x)      dy/dx = [x > 0]: 0 at the kink
// It is the op gradus::relu. A unit that is negative on every input gets no gradient and stops learning, a "dying ReLU".
// (Nair and Hinton, 2010)
extern const Activation relu;

// y = x > 0 ? x : αx      dy/dx = x > 0 ? 1 : α: α at the kink
// ValueError for α < 0. For α <= 1 it is max(αx, x). (Maas, Hannun and Ng, 2013)
Activation leaky_relu(double slope = 0.01);

// y = max(0, x)²      dy/dx = 2 max(0, x): continuous, 0 at 0      (So et al., 2021)
extern const Activation relu2;

}  // namespace act

// y = x > 0 ? x : α ⊙ x, α learned      dy/dx = x > 0 ? 1 : α: α at the kink      dL/dα = Σ g ⊙ min(0, x)
// α broadcasts to x's shape (ShapeError). (He et al., 2015)
Tensor prelu(const Tensor& x, const Tensor& slope);

struct PReLUOptions {
  int64_t channels = 1;  // 1: one α for all
  double slope = 0.25;   // where α starts
  int axis = 1;          // of the channels; -1 in [B, T, C]
};
class PReLU : public Layer {
 public:
  explicit PReLU(PReLUOptions options = {});  // ValueError unless channels > 0

  Tensor forward(const Tensor& x) override;  // ShapeError unless x has that many channels
  void members(Members& m) override { m.parameter("slope", slope, Role::other); }
  std::string describe() const override { return fmt::format("PReLU({})", slope.size(0)); }

  Parameter slope;  // α [channels]

 private:
  int axis_;
};

}  // namespace gradus::nn
