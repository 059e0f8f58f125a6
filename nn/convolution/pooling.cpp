#include "nn/convolution/pooling.h"

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

// #region model-average-pool
Tensor avg_pool2d(const Tensor& x, Size2d kernel, const AvgPool2dOptions& options) {
  const Window window = pooling_window(kernel, options.stride, options.padding);
  check_image(x, window);
  check_pixels(x);
  return in_f32({x}, [&](const Tensors& in) {
    const Tensor seen = windows(in[0], window);  // [N, C, taps, H', W']
    if (options.count_padding) return mean(seen, 2);
    const Tensor pixels = ones({1, 1, x.size(2), x.size(3)}, in[0].dtype());
    return sum(seen, 2) / sum(windows(pixels, window), 2);  // by the number of taps within the image
  });
}
// #endregion model-average-pool

AvgPool2d::AvgPool2d(Size2d kernel, const AvgPool2dOptions& options)
    : options_(options), window_(pooling_window(kernel, options.stride, options.padding)) {}

Tensor AvgPool2d::forward(const Tensor& x) { return avg_pool2d(x, window_.kernel, options_); }

std::string AvgPool2d::describe() const {
  return fmt::format("AvgPool2d({}{}{})", nn::describe(window_.kernel), nn::describe(window_, window_.kernel),
                     options_.count_padding ? "" : ", padding not counted");
}

}  // namespace gradus::nn
