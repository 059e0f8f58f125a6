#include "nn/convolution/conv2d.h"

#include <cmath>

#include "core/options/range.h"
#include "nn/check_inputs.h"
#include "nn/init.h"
#include "nn/norm/weight_standard.h"

namespace gradus::nn {
namespace {

Window window_of(const Tensor& weight, const Steps2d& steps) {
  return {{weight.size(2), weight.size(3)}, steps.stride, steps.padding, steps.dilation};
}

}  // namespace

// #region model-conv2d
// y = weight @ windows of x + bias, a filter to each row of weight      dL/dweight = dL/dy @ windowsᵀ      dL/dbias = Σ dL/dy
Tensor formula::conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias, const Window& window) {
  const int64_t samples = x.size(0), out = weight.size(0);
  const auto [height, width] = count_windows(x, window);
  const Tensor seen = windows(x, window);                     // [N, C, taps, H', W']
  const Tensor columns = flatten(flatten(seen, 3, 4), 1, 2);  // [N, C·taps, H'·W']: a column for each window
  const Tensor rows = flatten(weight, 1);                     // [out, C·taps]: a row for each filter
  const Tensor y = reshape(matmul(rows, columns), {samples, out, height, width});
  return bias.defined() ? y + reshape(bias, {out, 1, 1}) : y;
}
// #endregion model-conv2d

Tensor conv2d(const Tensor& x, const Tensor& weight, const Tensor& bias, const Steps2d& steps) {
  check_inputs({{"x", x}, {"weight", weight}}, {{"bias", bias}});
  check<ShapeError>(weight.rank() == 4, "conv2d: expected a weight [out, C, height, width], got {}", weight.shape());
  const Window window = window_of(weight, steps);
  check_window(window);
  check_image(x, window);
  check<ShapeError>(x.size(1) == weight.size(1), "conv2d: x {} has {} channels, but the weight {} takes {}", x.shape(), x.size(1),
                    weight.shape(), weight.size(1));
  check<ShapeError>(!bias.defined() || bias.shape() == Shape{weight.size(0)}, "conv2d: the weight {} needs a bias of shape [{}], got {}",
                    weight.shape(), weight.size(0), bias.defined() ? bias.shape() : Shape{});
  return fused(
      "conv2d", {x, weight, bias}, [=](const Tensors& in) { return formula::conv2d(in[0], in[1], in[2], window); }, fast::conv2d(window));
}

Conv2d::Conv2d(int64_t in, int64_t out, Size2d kernel, const Conv2dOptions& options)
    : steps_{options.stride, options.padding, options.dilation}, standardise_(options.standardise) {
  check<ValueError>(in > 0 && out > 0, "Conv2d: both numbers of channels must be positive, got {} -> {}", in, out);
  check_size("the number of channels", in);
  check_size("the number of channels", out);
  check_window({kernel, steps_.stride, steps_.padding, steps_.dilation});
  const int64_t fan_in = in * kernel.height * kernel.width;
  check<ValueError>(!standardise_ || fan_in > 1, "Conv2d: a filter of one weight has no variance; take more channels, or a larger kernel");
  Tensor rows(Shape{out, fan_in}, DType::f32);
  init_kaiming_uniform(rows, {.gain = 1 / std::sqrt(3.0)});
  weight = rows.detach({out, in, kernel.height, kernel.width});
  const double bound = 1 / std::sqrt(static_cast<double>(fan_in));
  if (options.bias) bias = uniform({out}, -bound, bound);
}

Tensor Conv2d::forward(const Tensor& x) { return conv2d(x, standardise_ ? weight_standard(weight) : Tensor(weight), bias, steps_); }

void Conv2d::members(Members& m) {
  m.parameter("weight", weight);
  m.parameter("bias", bias, Role::bias);
}

std::string Conv2d::describe() const {
  const Window window = window_of(weight, steps_);
  return fmt::format("Conv2d({} -> {}, {}{}{}{})", weight.size(1), weight.size(0), nn::describe(window.kernel), nn::describe(window, 1),
                     bias.defined() ? "" : ", no bias", standardise_ ? ", standardised" : "");
}

}  // namespace gradus::nn
