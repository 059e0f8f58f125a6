// Conv2d: one small linear map at every place of an image (LeCun et al., 1989).
#pragma once

#include "core/autograd/fused.h"
#include "nn/convolution/windows.h"
#include "nn/layer.h"

namespace gradus::nn {

namespace formula {
// x [N, C, H, W], weight [out, C, height, width], bias [out] or undefined; the kernel of `window` must be height × width.
Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias, const Window& window);
}  // namespace formula
namespace fast {
// Takes x, the weight and perhaps a bias: conv2d_kernel.cpp.
std::unique_ptr<FastPath> conv2d(const Window& window);
}  // namespace fast

// How the windows of a convolution stand on the image.
struct Steps2d {
  Size2d stride = 1;    // pixels from one window to the next
  Size2d padding = 0;   // zeros at each side of the image
  Size2d dilation = 1;  // pixels from one tap of a window to the next
};

// A linear map W of each window, without flipping the kernel, which elsewhere is called correlation:
//   y[n, o, h, w] = b[o] + Σ_c Σ_i Σ_j W[o, c, i, j] x[n, c, h', w']
//   h' = h·stride + i·dilation - padding      w' = w·stride + j·dilation - padding
// x [N, C, H, W] and W [out, C, height, width] to y [N, out, H', W'], b [out] or undefined, and W' like
//   H' = ⌊(H + 2 padding - dilation (height - 1) - 1) / stride⌋ + 1
// With g = dL/dy, and X[n] [C·height·width, H'·W'], whose columns are what the windows of x[n] see:
//   y[n] = W X[n] + b      dL/dW = Σ_n g[n] X[n]ᵀ      dL/dX[n] = Wᵀ g[n]      dL/db = Σ g
// dL/dx sums what a pixel gets from every window that it is in. ShapeError when they do not fit, or a window is larger than
// the padded image; ValueError unless stride and dilation are positive, and for a negative padding.
Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias = {}, const Steps2d& steps = {});

struct Conv2dOptions {
  Size2d stride = 1, padding = 0, dilation = 1;
  bool bias = true;
  bool standardise = false;  // the map is weight_standard of the weight (Qiao et al., 2019); a norm should follow
};

// conv2d of x [N, in, H, W] with a trained weight and bias.
class Conv2d : public Layer {
 public:
  // Weight and bias start uniform in ±1/√fan_in, as PyTorch's, with fan_in = in·height·width. ValueError unless both numbers
  // of channels and the kernel are positive, and for a standardised filter of one weight.
  Conv2d(int64_t in, int64_t out, Size2d kernel, const Conv2dOptions& options = {});

  void members(Members& m) override;
  std::string describe() const override;

  Parameter weight;  // [out, in, height, width]
  Parameter bias;    // [out]; undefined without

 private:
  Tensor forward(const Tensor& x) override;

  Steps2d steps_;
  bool standardise_;
};

}  // namespace gradus::nn
