// Windows: what a convolution and a pooling layer see of an image: one small rectangle after the other, at regular steps.
#pragma once

#include "core/ops/ops.h"

namespace gradus::nn {

// Pixels down and across; one number is both.
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

// [H', W'], how many windows stand in x [N, C, H, W]: H' = ⌊(H + 2 padding - dilation (kernel - 1) - 1) / stride⌋ + 1, and
// W' likewise.
Size2d count_windows(const Tensor& x, const Window& window);

// ValueError, naming `op`, unless kernel, stride and dilation are positive and padding >= 0.
void check_window(const char* op, const Window& window);
// That of pooling, where a stride of 0 is the kernel's size. ValueError as above, and unless padding <= kernel/2: a window
// in the padding alone would have nothing to pool.
Window pooling_window(const char* op, Size2d kernel, Size2d stride, Size2d padding);
// ShapeError unless x is [N, C, H, W] and a window fits into the padded image; DTypeError unless it is floating.
void check_image(const char* op, const Tensor& x, const Window& window);

std::string describe(Size2d size);  // "3 × 3"
// ", stride 2 × 2, padding 1 × 1": whatever is not as it is by default.
std::string describe(const Window& window, Size2d usual_stride);

// [N, C, taps, H', W'] of x [N, C, H, W]: what each tap of each window sees,
//   y[n, c, i·kernel.width + j, h, w] = x[n, c, h·stride + i·dilation - padding, w·stride + j·dilation - padding]
// and `outside` beyond the image.
Tensor windows(const Tensor& x, const Window& window, double outside = 0);

}  // namespace gradus::nn
