#include "nn/convolution/max_pool2d.h"

#include <limits>

namespace gradus::nn {

// #region model-max-pool
Tensor max_pool2d(const Tensor& x, Size2d kernel, const MaxPool2dOptions& options) {
  const Window window = pooling_window(kernel, options.stride, options.padding);
  check_image(x, window);
  check_pixels(x);
  const Tensor seen = windows(x, window, -std::numeric_limits<double>::infinity());  // [N, C, taps, H', W']
  return max(seen, 2);
}
// #endregion model-max-pool

MaxPool2d::MaxPool2d(Size2d kernel, const MaxPool2dOptions& options)
    : options_(options), window_(pooling_window(kernel, options.stride, options.padding)) {}

Tensor MaxPool2d::forward(const Tensor& x) { return max_pool2d(x, window_.kernel, options_); }

std::string MaxPool2d::describe() const {
  return fmt::format("MaxPool2d({}{})", nn::describe(window_.kernel), nn::describe(window_, window_.kernel));
}

}  // namespace gradus::nn
