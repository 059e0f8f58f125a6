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
      {"max_pool2d of no rows", [] { nn::max_pool2d(f32({1, 1, 0, 2}), 2, {.padding = 1}); }, Raises::shape, "max_pool2d: x [1, 1, 0, 2] has no pixels"},
      {"avg_pool2d of no columns", [] { nn::avg_pool2d(f32({1, 1, 2, 0}), 2, {.padding = 1, .count_padding = false}); }, Raises::shape,
       "avg_pool2d: x [1, 1, 2, 0] has no pixels"},
      {"max_pool2d padded by its kernel", [=] { nn::max_pool2d(image, 2, {.padding = 2}); }, Raises::value, "at most half of the kernel"},
      {"AvgPool2d padded by its kernel", [] { nn::AvgPool2d(2, {.padding = {0, 2}}); }, Raises::value, "at most half of the kernel"},
      {"Conv2d(0, 4, 3)", [] { nn::Conv2d(0, 4, 3); }, Raises::value, "Conv2d: both numbers of channels must be positive, got 0 -> 4"},
      {"Conv2d(4, -1, 3)", [] { nn::Conv2d(4, -1, 3); }, Raises::value, "Conv2d: both numbers of channels must be positive, got 4 -> -1"},
      {"Conv2d(INT64_MAX, 4, 3)", [] { nn::Conv2d(INT64_MAX, 4, 3); }, Raises::value, "Conv2d: the number of channels must be at most"},
      {"Conv2d with a dilation of 0", [] { nn::Conv2d(1, 1, 3, {.dilation = 0}); }, Raises::value, "Conv2d: the dilation must be positive"},
      {"Conv2d of nothing", [] { nn::Conv2d(2, 1, 3)({}); }, Raises::graph, "Conv2d: x is undefined"},
      {"Conv2d of f64", [] { nn::Conv2d(2, 1, 3)(f64({1, 2, 4, 4})); }, Raises::dtype, "Conv2d: x is f64, but weight is f32"},
      {"conv2d without a weight", [=] { nn::conv2d(image, none); }, Raises::graph, "conv2d: weight is undefined"},
      {"conv2d of windows that no memory holds",
       [] { nn::conv2d(zeros({1, 1, 1023, 1023}), zeros({0, 1, 1024, 1024}), {}, {.stride = {1, 1}, .padding = {1 << 20, 1 << 20}}); },
       Raises::shape, "conv2d: shape [1048576, "},
      {"conv2d by a matrix", [=] { nn::conv2d(image, f32({2, 2})); }, Raises::shape, "conv2d: expected a weight [out, C, height, width]"},
      {"conv2d of other channels", [=] { nn::conv2d(image, f32({1, 3, 2, 2})); }, Raises::shape, "but the weight [1, 3, 2, 2] takes 3"},
      {"conv2d with a bias of 2", [=] { nn::conv2d(image, f32({1, 2, 2, 2}), f32({2})); }, Raises::shape, "needs a bias of shape [1]"},
      {"conv2d of two dtypes", [=] { nn::conv2d(image, f64({1, 2, 2, 2})); }, Raises::dtype, "conv2d: x is f32, but weight is f64"},
      {"windows of nothing", [] { nn::windows({}, {2}); }, Raises::graph, "windows: x is undefined"},
      {"windows of a vector", [] { nn::windows(f32({4}), {2}); }, Raises::shape, "windows: expected x [N, C, H, W], got [4]"},
      {"windows with a stride of 0", [=] { nn::windows(image, {2, 0}); }, Raises::value, "windows: the stride must be positive"},
  };
  return rows;
}

}  // namespace gradus::test
