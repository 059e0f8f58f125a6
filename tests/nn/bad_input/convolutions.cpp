#include "tests/nn/bad_input/tables.h"

namespace gradus::test {
namespace {

// A function that sees windows of an image, with its settings, and whether it is a convolution.
using Windowed = std::function<void(const Tensor& x, nn::Size2d kernel, nn::Size2d stride, nn::Size2d padding)>;
struct Words {
  const char* who;
  Windowed f;
};
const std::vector<Words> kFunctions{
    {"conv2d",
     [](const Tensor& x, nn::Size2d kernel, nn::Size2d stride, nn::Size2d padding) {
       nn::conv2d(x, zeros({1, 2, kernel.height, kernel.width}), {}, {.stride = stride, .padding = padding});
     }},
    {"max_pool2d",
     [](const Tensor& x, nn::Size2d kernel, nn::Size2d stride, nn::Size2d padding) {
       nn::max_pool2d(x, kernel, {.stride = stride, .padding = padding});
     }},
    {"avg_pool2d",
     [](const Tensor& x, nn::Size2d kernel, nn::Size2d stride, nn::Size2d padding) {
       nn::avg_pool2d(x, kernel, {.stride = stride, .padding = padding});
     }},
};

}  // namespace

BadCalls convolution_calls() {
  BadCalls rows;
  const Tensor image = f32({1, 2, 4, 4}), none;
  for (const Words& words : kFunctions) {
    const std::string who = words.who;
    const auto f = words.f;
    rows += {
        {who + " of nothing", [=] { f(none, 2, 1, 0); }, Raises::graph, who + ": x is undefined"},
        {who + " of one image", [=] { f(f32({2, 4, 4}), 2, 1, 0); }, Raises::shape, who + ": expected x [N, C, H, W], got [2, 4, 4]"},
        {who + " of i64", [=] { f(i64({1, 2, 4, 4}), 2, 1, 0); }, Raises::dtype, who + ": needs a floating dtype, got i64"},
        {who + " with a large window", [=] { f(image, 5, 1, 0); }, Raises::shape, who + ": a window of 5 × 5 is larger than"},
        {who + " with a kernel of 0", [=] { f(image, {0, 2}, 1, 0); }, Raises::value, who + ": the kernel must be positive, got 0 × 2"},
        {who + " with a stride of -1", [=] { f(image, 2, -1, 0); }, Raises::value, who + ": the stride must be positive, got -1 × -1"},
        {who + " with a huge stride", [=] { f(image, 2, INT64_MAX, 0); }, Raises::value, who + ": the stride must be at most"},
        {who + " with a padding of -1", [=] { f(image, 2, 1, -1); }, Raises::value, who + ": the padding must not be negative"},
        {who + " with a huge padding", [=] { f(image, 2, 1, INT64_MAX); }, Raises::value, who + ": the padding must be at most"},
    };
  }
  const auto kernels = [](const std::string& who, const std::function<void(nn::Size2d)>& make) -> BadCalls {
    return {{who + " with a kernel of 0", [=] { make({3, 0}); }, Raises::value, who + ": the kernel must be positive, got 3 × 0"},
            {who + " with a kernel of -2", [=] { make(-2); }, Raises::value, who + ": the kernel must be positive, got -2 × -2"},
            {who + " with a huge kernel", [=] { make({INT64_MAX, 1}); }, Raises::value, who + ": the kernel must be at most"},
            {who + " with too many taps", [=] { make({1025, 1024}); }, Raises::value, who + ": the kernel must have at most 1048576 taps"}};
  };
  rows += kernels("MaxPool2d", [](nn::Size2d kernel) { nn::MaxPool2d{kernel}; });
  rows += kernels("AvgPool2d", [](nn::Size2d kernel) { nn::AvgPool2d{kernel}; });
  rows += kernels("Conv2d", [](nn::Size2d kernel) { nn::Conv2d(1, 1, kernel); });
  rows += {
      REFUSED(shape, nn::max_pool2d(f32({1, 1, 0, 2}), 2, {.padding = 1}), "max_pool2d: x [1, 1, 0, 2] has no pixels"),
      REFUSED(shape, nn::avg_pool2d(f32({1, 1, 2, 0}), 2, {.padding = 1, .count_padding = false}),
              "avg_pool2d: x [1, 1, 2, 0] has no pixels"),
      REFUSED(value, nn::max_pool2d(image, 2, {.padding = 2}), "at most half of the kernel"),
      REFUSED(value, nn::AvgPool2d(2, {.padding = {0, 2}}), "at most half of the kernel"),
      REFUSED(value, nn::Conv2d(0, 4, 3), "Conv2d: both numbers of channels must be positive, got 0 -> 4"),
      REFUSED(value, nn::Conv2d(4, -1, 3), "Conv2d: both numbers of channels must be positive, got 4 -> -1"),
      REFUSED(value, nn::Conv2d(INT64_MAX, 4, 3), "Conv2d: the number of channels must be at most"),
      REFUSED(value, nn::Conv2d(1, 1, 3, {.dilation = 0}), "Conv2d: the dilation must be positive"),
      REFUSED(graph, nn::Conv2d(2, 1, 3)({}), "Conv2d: x is undefined"),
      REFUSED(dtype, nn::Conv2d(2, 1, 3)(f64({1, 2, 4, 4})), "Conv2d: x is f64, but weight is f32"),
      REFUSED(graph, nn::conv2d(image, none), "conv2d: weight is undefined"),
      REFUSED(shape, nn::conv2d(zeros({1, 1, 1023, 1023}), zeros({0, 1, 1024, 1024}), {}, {.stride = {1, 1}, .padding = {1 << 20, 1 << 20}}),
              "conv2d: shape [1048576, "),
      REFUSED(shape, nn::conv2d(image, f32({2, 2})), "conv2d: expected a weight [out, C, height, width]"),
      REFUSED(shape, nn::conv2d(image, f32({1, 3, 2, 2})), "but the weight [1, 3, 2, 2] takes 3"),
      REFUSED(shape, nn::conv2d(image, f32({1, 2, 2, 2}), f32({2})), "needs a bias of shape [1]"),
      REFUSED(dtype, nn::conv2d(image, f64({1, 2, 2, 2})), "conv2d: x is f32, but weight is f64"),
      REFUSED(graph, nn::windows({}, {2}), "windows: x is undefined"),
      REFUSED(shape, nn::windows(f32({4}), {2}), "windows: expected x [N, C, H, W], got [4]"),
      REFUSED(value, nn::windows(image, {2, 0}), "windows: the stride must be positive"),
  };
  return rows;
}

}  // namespace gradus::test
