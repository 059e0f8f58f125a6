// Conv2d: one small linear map at every place of an image (LeCun et al., 1989).
#pragma once

#include "core/autograd/fused.h"
#include "nn/convolution/windows.h"
#include "nn/module.h"

namespace gradus::nn {

namespace formula {
// `window` with the kernel of the weight.
Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias, const Window& window);
}  // namespace formula
namespace fast {  // conv2d_kernel.cpp
std::unique_ptr<FastPath> conv2d(const Window& window);
}

struct Steps2d {
  Size2d stride = 1;    // pixels from one window to the next
  Size2d padding = 0;   // zeros at each side of the image
  Size2d dilation = 1;  // pixels from one tap of a window to the next
};

// y[n, o, h, w] = b[o] + Σ_c Σ_i Σ_j W[o, c, i, j] x[n, c, h·stride + i·dilation - padding,
//                                                     w·stride + j·dilation - padding]
//
// x [N, C, H, W] and W [out, C, height, width] to y [N, out, H', W'], H' = ⌊(H + 2 padding - dilation (height - 1) - 1) /
// stride⌋ + 1 and W' likewise; b [out] or undefined. The kernel is not flipped: what is called convolution here is
// correlation elsewhere. With X[n] the columns [C·height·width, H'·W'] of what each window of x[n] sees:
//   y[n] = W X[n] + b      dL/dW = Σ_n g[n] X[n]ᵀ      dL/dX[n] = Wᵀ g[n]      dL/db = Σ g
// and dL/dx adds up what each pixel gets as a part of several windows.
// ShapeError when they do not fit, or a window is larger than the padded image; ValueError for a stride or dilation that
// is not positive, or a negative padding.
Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, const Steps2d& steps = {});

struct Conv2dOptions {
  Size2d stride = 1, padding = 0, dilation = 1;
  bool bias = true;
};

class Conv2d : public Layer {
 public:
  // Starts as PyTorch's: weight and bias uniform in ±1/√fan_in, fan_in = in·height·width, which for the weight is Kaiming
  // uniform with a gain of 1/√3. ValueError unless both numbers of channels and the kernel are positive.
  Conv2d(int64_t in, int64_t out, Size2d kernel, const Conv2dOptions& options = {});

  Tensor forward(const Tensor& x) override;
  void members(Members& m) override;
  std::string describe() const override;

  Parameter weight;  // [out, in, height, width]
  Parameter bias;    // [out]; undefined without

 private:
  Steps2d steps_;
};

}  // namespace gradus::nn
