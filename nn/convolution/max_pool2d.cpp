#include "nn/convolution/max_pool2d.h"

#include <limits>

namespace gradus::nn {
namespace {

Window window_of(const char* op, Size2d kernel, const MaxPool2dOptions& options) {
  return pooling_window(op, kernel, options.stride, options.padding);
}

}  // namespace

// #region model-max-pool
Tensor max_pool2d(const Tensor& x, Size2d kernel, const MaxPool2dOptions& options) {
  const Window window = window_of("max_pool2d", kernel, options);
  check_image("max_pool2d", x, window);
  check_pixels("max_pool2d", x);
  const Tensor seen = windows(x, window, -std::numeric_limits<double>::infinity());  // [N, C, taps, H', W']
  return max(seen, 2);
}
// #endregion model-max-pool

MaxPool2d::MaxPool2d(Size2d kernel, const MaxPool2dOptions& options) : kernel_(kernel), options_(options) {
  window_of("MaxPool2d", kernel, options);
}

Tensor MaxPool2d::forward(const Tensor& x) { return max_pool2d(x, kernel_, options_); }

std::string MaxPool2d::describe() const {
  return fmt::format("MaxPool2d({}{})", nn::describe(kernel_),
                     nn::describe(window_of("MaxPool2d", kernel_, options_), kernel_));
}

}  // namespace gradus::nn
