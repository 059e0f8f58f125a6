#include "nn/convolution/avg_pool2d.h"

namespace gradus::nn {
namespace {

Window window_of(const char* op, Size2d kernel, const AvgPool2dOptions& options) {
  return pooling_window(op, kernel, options.stride, options.padding);
}

}  // namespace

// #region model-average-pool
Tensor avg_pool2d(const Tensor& x, Size2d kernel, const AvgPool2dOptions& options) {
  const Window window = window_of("avg_pool2d", kernel, options);
  check_image("avg_pool2d", x, window);
  check_pixels("avg_pool2d", x);
  return in_f32({x}, [&](const Tensors& in) {
    const Tensor seen = windows(in[0], window);  // [N, C, taps, H', W']
    if (options.count_padding) return mean(seen, 2);
    const Tensor inside =
        windows(ones({1, 1, x.size(2), x.size(3)}, in[0].dtype()), window);  // 1 where a tap sees a pixel
    return sum(seen, 2) / sum(inside, 2);
  });
}
// #endregion model-average-pool

AvgPool2d::AvgPool2d(Size2d kernel, const AvgPool2dOptions& options) : kernel_(kernel), options_(options) {
  window_of("AvgPool2d", kernel, options);
}

Tensor AvgPool2d::forward(const Tensor& x) { return avg_pool2d(x, kernel_, options_); }

std::string AvgPool2d::describe() const {
  return fmt::format("AvgPool2d({}{}{})", nn::describe(kernel_),
                     nn::describe(window_of("AvgPool2d", kernel_, options_), kernel_),
                     options_.count_padding ? "" : ", padding not counted");
}

}  // namespace gradus::nn
