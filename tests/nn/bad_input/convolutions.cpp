#include "tests/nn/bad_input/tables.h"

namespace gradus::test {

BadCalls convolution_calls() {
  const Tensor image = f32({1, 2, 4, 4}), none;
  const auto windowed = [=](const std::string& who, const auto& f) {
    return by(who, {
                       REFUSED(graph, f(none, 2, 1, 0), "x is undefined"),
                       REFUSED(shape, f(f32({2, 4, 4}), 2, 1, 0), "expected x [N, C, H, W], got [2, 4, 4]"),
                       REFUSED(dtype, f(i64({1, 2, 4, 4}), 2, 1, 0), "needs a floating dtype, got i64"),
                       REFUSED(shape, f(image, 5, 1, 0), "a window of 5 × 5 is larger than"),
                       REFUSED(value, f(image, {0, 2}, 1, 0), "the kernel must be positive, got 0 × 2"),
                       REFUSED(value, f(image, 2, -1, 0), "the stride must be positive, got -1 × -1"),
                       REFUSED(value, f(image, 2, INT64_MAX, 0), "the stride must be at most"),
                       REFUSED(value, f(image, 2, 1, -1), "the padding must not be negative"),
                       REFUSED(value, f(image, 2, 1, INT64_MAX), "the padding must be at most"),
                   });
  };
  const auto kernels = [](const std::string& who, const std::function<void(Size2d)>& make) {
    return by(who, {REFUSED(value, make({3, 0}), "the kernel must be positive, got 3 × 0"),
                    REFUSED(value, make(-2), "the kernel must be positive, got -2 × -2"),
                    REFUSED(value, make({INT64_MAX, 1}), "the kernel must be at most"),
                    REFUSED(value, make({1025, 1024}), "the kernel must have at most 1048576 taps")});
  };
#define WINDOWED(call) [](const Tensor& x, Size2d kernel, Size2d stride, Size2d padding) { call; }
  return {
      windowed("conv2d", WINDOWED(conv2d(x, f32({1, 2, kernel.height, kernel.width}), {}, {.stride = stride, .padding = padding}))),
      windowed("max_pool2d", WINDOWED(max_pool2d(x, kernel, {.stride = stride, .padding = padding}))),
      windowed("avg_pool2d", WINDOWED(avg_pool2d(x, kernel, {.stride = stride, .padding = padding}))),
      kernels("MaxPool2d", [](Size2d kernel) { MaxPool2d{kernel}; }),
      kernels("AvgPool2d", [](Size2d kernel) { AvgPool2d{kernel}; }),
      kernels("Conv2d", [](Size2d kernel) { Conv2d(1, 1, kernel); }),
      REFUSED(shape, max_pool2d(f32({1, 1, 0, 2}), 2, {.padding = 1}), "max_pool2d: x [1, 1, 0, 2] has no pixels"),
      REFUSED(shape, avg_pool2d(f32({1, 1, 2, 0}), 2, {.padding = 1, .count_padding = false}), "avg_pool2d: x [1, 1, 2, 0] has no pixels"),
      REFUSED(value, max_pool2d(image, 2, {.padding = 2}), "at most half of the kernel"),
      REFUSED(value, AvgPool2d(2, {.padding = {0, 2}}), "at most half of the kernel"),
      REFUSED(value, Conv2d(0, 4, 3), "Conv2d: both numbers of channels must be positive, got 0 -> 4"),
      REFUSED(value, Conv2d(4, -1, 3), "Conv2d: both numbers of channels must be positive, got 4 -> -1"),
      REFUSED(value, Conv2d(INT64_MAX, 4, 3), "Conv2d: the number of channels must be at most"),
      REFUSED(value, Conv2d(1, 1, 3, {.dilation = 0}), "Conv2d: the dilation must be positive"),
      REFUSED(value, Conv2d(1, 4, 1, {.standardise = true}), "Conv2d: a filter of one weight has no variance"),
      REFUSED(graph, Conv2d(2, 1, 3)({}), "x is undefined"),
      REFUSED(dtype, Conv2d(2, 1, 3)(f64({1, 2, 4, 4})), "x is f64, but weight is f32"),
      REFUSED(graph, conv2d(image, none), "conv2d: weight is undefined"),
      REFUSED(shape, conv2d(f32({1, 1, 1023, 1023}), f32({0, 1, 1024, 1024}), {}, {.padding = 1 << 20}), "conv2d: shape [1048576, "),
      REFUSED(shape, conv2d(image, f32({2, 2})), "conv2d: expected a weight [out, C, height, width]"),
      REFUSED(shape, conv2d(image, f32({1, 3, 2, 2})), "but the weight [1, 3, 2, 2] takes 3"),
      REFUSED(shape, conv2d(image, f32({1, 2, 2, 2}), f32({2})), "needs a bias of shape [1]"),
      REFUSED(dtype, conv2d(image, f64({1, 2, 2, 2})), "conv2d: x is f32, but weight is f64"),
      REFUSED(graph, windows({}, {2}), "windows: x is undefined"),
      REFUSED(shape, windows(f32({4}), {2}), "windows: expected x [N, C, H, W], got [4]"),
      REFUSED(value, windows(image, {2, 0}), "windows: the stride must be positive"),
  };
#undef WINDOWED
}

}  // namespace gradus::test
