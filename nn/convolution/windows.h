// Windows: the small rectangles of an image, at regular steps, that a convolution or a pooling layer sees.
#pragma once

#include "core/composites/composites.h"

namespace gradus::nn {

// A number of pixels down and across; one number stands for both.
struct Size2d {
  Size2d(int64_t both) : height(both), width(both) {}
  Size2d(int64_t down, int64_t across) : height(down), width(across) {}
  int64_t height, width;
};

// kernel.height × kernel.width taps, `dilation` pixels apart, at every `stride`-th pixel of an image that has `padding`
// more pixels at each side.
struct Window {
  Size2d kernel, stride = 1, padding = 0, dilation = 1;
  int64_t taps() const { return kernel.height * kernel.width; }
};

// How many windows stand in x [N, C, H, W], down (H') and across (W', by the same formula):
//   H' = ⌊(H + 2 padding - dilation (kernel - 1) - 1) / stride⌋ + 1
Size2d count_windows(const Tensor& x, const Window& window);

// ValueError, for `op`, unless kernel, stride and dilation are positive, padding >= 0, all at most 2³⁰, and taps at most 2²⁰.
void check_window(const Window& window, OpName op = {});
// The window of a pooling layer; stride 0 means the kernel's size. ValueError as of check_window, and unless
// padding <= kernel/2, so that every window sees a pixel.
Window pooling_window(Size2d kernel, Size2d stride, Size2d padding, OpName op = {});
// For `op`: ShapeError unless x is [N, C, H, W] and a window fits into the padded image; DTypeError unless it is floating.
void check_image(const Tensor& x, const Window& window, OpName op = {});
void check_pixels(const Tensor& x, OpName op = {});  // ShapeError, for `op`, if the images x have no rows or columns

std::string describe(Size2d size);  // "3 × 3"
// ", stride 2 × 2, padding 1 × 1": the settings that differ from `usual_stride`, no padding and no dilation.
std::string describe(const Window& window, Size2d usual_stride);

// What each tap of each window of x [N, C, H, W] sees, as [N, C, taps, H', W']:
//   y[n, c, i·kernel.width + j, h, w] = x[n, c, h·stride + i·dilation - padding, w·stride + j·dilation - padding]
// A tap beyond the image sees `outside`. H' and W' as of count_windows; errors as of check_window and check_image.
Tensor windows(const Tensor& x, const Window& window, double outside = 0);

}  // namespace gradus::nn
