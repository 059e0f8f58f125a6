#include "nn/convolution/windows.h"

#include "nn/check_inputs.h"

namespace gradus::nn {
namespace {

constexpr int64_t kMost = int64_t{1} << 30;      // so that products of two sizes stay far from the end of int64
constexpr int64_t kMostTaps = int64_t{1} << 20;  // of a window: each is a tensor of its own while a formula runs

// How far a window reaches.
Size2d span_of(const Window& w) { return {w.dilation.height * (w.kernel.height - 1) + 1, w.dilation.width * (w.kernel.width - 1) + 1}; }

bool same(Size2d a, Size2d b) { return a.height == b.height && a.width == b.width; }

// `count` of x along this axis, from `first` on, each `stride`-th.
Tensor every(const Tensor& x, int axis, int64_t first, int64_t count, int64_t stride) {
  return slice(x, axis, first, first + (count - 1) * stride + 1, stride);
}

}  // namespace

Size2d count_windows(const Tensor& x, const Window& w) {
  const Size2d span = span_of(w);
  return {(x.size(2) + 2 * w.padding.height - span.height) / w.stride.height + 1,
          (x.size(3) + 2 * w.padding.width - span.width) / w.stride.width + 1};
}

void check_window(const Window& w, OpName op) {
  const auto positive = [op](const char* what, Size2d size) {
    check<ValueError>(size.height > 0 && size.width > 0, "{}: the {} must be positive, got {}", op, what, describe(size));
    check<ValueError>(size.height <= kMost && size.width <= kMost, "{}: the {} must be at most {}, got {}", op, what, kMost,
                      describe(size));
  };
  positive("kernel", w.kernel);
  check<ValueError>(w.taps() <= kMostTaps, "{}: the kernel must have at most {} taps, got {}", op, kMostTaps, describe(w.kernel));
  positive("stride", w.stride);
  positive("dilation", w.dilation);
  check<ValueError>(w.padding.height >= 0 && w.padding.width >= 0, "{}: the padding must not be negative, got {}", op, describe(w.padding));
  check<ValueError>(w.padding.height <= kMost && w.padding.width <= kMost, "{}: the padding must be at most {}, got {}", op, kMost,
                    describe(w.padding));
}

void check_pixels(const Tensor& x, OpName op) {
  check<ShapeError>(x.size(2) > 0 && x.size(3) > 0, "{}: x {} has no pixels", op, x.shape());
}

Window pooling_window(Size2d kernel, Size2d stride, Size2d padding, OpName op) {
  const Window w{kernel, same(stride, 0) ? kernel : stride, padding};
  check_window(w, op);
  check<ValueError>(2 * w.padding.height <= w.kernel.height && 2 * w.padding.width <= w.kernel.width,
                    "{}: the padding {} must be at most half of the kernel, {}", op, describe(w.padding), describe(w.kernel));
  return w;
}

void check_image(const Tensor& x, const Window& w, OpName op) {
  check_inputs({{"x", x}}, op);
  check<ShapeError>(x.rank() == 4, "{}: expected x [N, C, H, W], got {}{}", op, x.shape(),
                    x.rank() == 3 ? "; use unsqueeze(x, 0) for one image" : "");
  const Size2d span = span_of(w), padded{x.size(2) + 2 * w.padding.height, x.size(3) + 2 * w.padding.width};
  check<ShapeError>(span.height <= padded.height && span.width <= padded.width,
                    "{}: a window of {} is larger than the padded image, {}; x has shape {}", op, describe(span), describe(padded),
                    x.shape());
}

std::string describe(Size2d size) { return fmt::format("{} × {}", size.height, size.width); }

std::string describe(const Window& w, Size2d usual_stride) {
  std::string text;
  if (!same(w.stride, usual_stride)) text += ", stride " + describe(w.stride);
  if (!same(w.padding, 0)) text += ", padding " + describe(w.padding);
  if (!same(w.dilation, 1)) text += ", dilation " + describe(w.dilation);
  return text;
}

Tensor windows(const Tensor& x, const Window& w, double outside) {
  check_window(w);
  check_image(x, w);
  const Size2d count = count_windows(x, w);
  const auto [above, beside] = w.padding;
  const bool framed = above > 0 || beside > 0;
  const Tensor padded = framed ? pad(x, {{0, 0}, {0, 0}, {above, above}, {beside, beside}}, outside) : x;
  Tensors taps;
  for (int64_t i = 0; i < w.kernel.height; ++i) {
    const Tensor rows = every(padded, 2, i * w.dilation.height, count.height, w.stride.height);
    for (int64_t j = 0; j < w.kernel.width; ++j) {
      taps.push_back(every(rows, 3, j * w.dilation.width, count.width, w.stride.width));
    }
  }
  return stack(taps, 2);
}

}  // namespace gradus::nn
