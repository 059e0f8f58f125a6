// Pooling: the greatest value of each window (Weng, Ahuja and Huang, 1992; in networks, Riesenhuber and Poggio, 1999), or the mean
// (LeCun et al., 1989).
#pragma once

#include "nn/convolution/windows.h"
#include "nn/layer.h"

namespace gradus::nn {

struct MaxPool2dOptions {
  Size2d stride = 0;   // 0: the kernel's size, so that windows do not overlap
  Size2d padding = 0;  // -∞ at each side; at most half of the kernel, so that each window sees a pixel
};

// The greatest value of each window:
//   y[n, c, h, w] = max over i, j of x[n, c, h·stride + i - padding, w·stride + j - padding]
// x [N, C, H, W] to y [N, C, H', W'], with H' and W' as in conv2d. NaN where a window has one. dL/dx hands dL/dy to the
// greatest of each window; equal ones share it, as in max(). (PyTorch gives all to the first.) ShapeError unless x is
// [N, C, H, W] and a window fits; ValueError unless kernel and stride are positive and 0 <= padding <= kernel/2.
Tensor max_pool2d(const Tensor& x, Size2d kernel, const MaxPool2dOptions& options = {});

// max_pool2d as a layer, without parameters.
class MaxPool2d : public Layer {
 public:
  explicit MaxPool2d(Size2d kernel, const MaxPool2dOptions& options = {});  // ValueError as in max_pool2d

  void members(Members&) override {}
  std::string describe() const override;

 private:
  Tensor forward(const Tensor& x) override;

  MaxPool2dOptions options_;
  Window window_;
};

struct AvgPool2dOptions {
  Size2d stride = 0;          // 0: the kernel's size, so that windows do not overlap
  Size2d padding = 0;         // zeros at each side; at most half of the kernel, so that each window sees a pixel
  bool count_padding = true;  // are those zeros averaged too (PyTorch), or only pixels (TensorFlow)?
};

// The mean of each window of m taps, those in the padding left out with count_padding off:
//   y[n, c, h, w] = 1/m Σ_i Σ_j x[n, c, h·stride + i - padding, w·stride + j - padding]
// Shapes and errors as in max_pool2d. In dL/dx a pixel gets dL/dy / m of every window that sees it.
Tensor avg_pool2d(const Tensor& x, Size2d kernel, const AvgPool2dOptions& options = {});

// avg_pool2d as a layer, without parameters.
class AvgPool2d : public Layer {
 public:
  explicit AvgPool2d(Size2d kernel, const AvgPool2dOptions& options = {});  // ValueError as in avg_pool2d

  void members(Members&) override {}
  std::string describe() const override;

 private:
  Tensor forward(const Tensor& x) override;

  AvgPool2dOptions options_;
  Window window_;
};

}  // namespace gradus::nn
