// y[n] = W X[n] + b with the columns X[n] of conv2d.h, held for one image at a time; backward makes them again.
#include "core/kernels/gemm.h"
#include "core/kernels/scratch.h"
#include "nn/convolution/conv2d.h"
#include "nn/row_kernels.h"

namespace gradus::nn {
namespace {

using namespace kernels;

class Conv2dKernel final : public FastPath {
 public:
  explicit Conv2dKernel(const Window& window) : window_(window) {}
  Tensor forward(const Tensors& in) override;
  Tensors backward(const Tensor& g, const Tensors& in, const Tensor& y) const override;

 private:
  Window window_;
};

// One image, H × W, and its windows, H' × W'.
struct WindowWalk {
  WindowWalk(const Tensor& x, const Window& the_window)
      : window(the_window), image(x.size(2), x.size(3)), count(count_windows(x, the_window)) {}

  int64_t pixels() const { return image.height * image.width; }
  int64_t places() const { return count.height * count.width; }

  // Calls run(tap, place, pixel, n, step): tap `tap` of the n windows place, place + 1, … sees the pixels pixel,
  // pixel + step, … What lies in the padding is left out.
  template <typename Run> void for_each_run(const Run& run) const {
    for (int64_t i = 0; i < window.kernel.height; ++i) {
      for (int64_t j = 0; j < window.kernel.width; ++j) {
        const int64_t above = i * window.dilation.height - window.padding.height;  // the pixel that it sees of …
        const int64_t left = j * window.dilation.width - window.padding.width;     // … the first window
        const int64_t step = window.stride.width;
        const int64_t first = left < 0 ? (-left - 1) / step + 1 : 0;  // windows whose tap is within the image
        const int64_t last = left < image.width ? std::min(count.width, (image.width - left - 1) / step + 1) : 0;
        if (first >= last) continue;
        for (int64_t h = 0; h < count.height; ++h) {
          const int64_t row = above + h * window.stride.height;
          if (row < 0 || row >= image.height) continue;
          run(i * window.kernel.width + j, h * count.width + first, row * image.width + left + first * step, last - first, step);
        }
      }
    }
  }

  Window window;
  Size2d image, count;
};

struct Conv2dSizes {
  Conv2dSizes(const Tensor& x, const Tensor& weight, const WindowWalk& walk)
      : samples(x.size(0)),
        channels(x.size(1)),
        out(weight.size(0)),
        taps(walk.window.taps()),
        pixels(walk.pixels()),
        places(walk.places()) {}
  int64_t samples, channels, out, taps, pixels, places;
  int64_t depth() const { return channels * taps; }
  int64_t work() const { return std::max<int64_t>(out * depth() * places, 1); }  // products an image
};

// X of one image: row c·taps + tap, a column for each window; zeros where a tap is in the padding.
template <typename T> void to_columns(const T* image, const WindowWalk& walk, const Conv2dSizes& s, T* columns) {
  std::fill(columns, columns + s.depth() * s.places, T(0));
  for (int64_t c = 0; c < s.channels; ++c) {
    walk.for_each_run([&](int64_t tap, int64_t place, int64_t pixel, int64_t n, int64_t step) {
      const T* from = image + c * s.pixels + pixel;
      T* to = columns + (c * s.taps + tap) * s.places + place;
      for (int64_t k = 0; k < n; ++k) to[k] = from[k * step];
    });
  }
}

// The adjoint: a pixel gets the sum of what it is in every column.
template <typename T> void from_columns(const T* columns, const WindowWalk& walk, const Conv2dSizes& s, T* image) {
  std::fill(image, image + s.channels * s.pixels, T(0));
  for (int64_t c = 0; c < s.channels; ++c) {
    walk.for_each_run([&](int64_t tap, int64_t place, int64_t pixel, int64_t n, int64_t step) {
      const T* from = columns + (c * s.taps + tap) * s.places + place;
      T* to = image + c * s.pixels + pixel;
      for (int64_t k = 0; k < n; ++k) to[k * step] += from[k];
    });
  }
}

Tensor Conv2dKernel::forward(const Tensors& in) {
  const WindowWalk walk(in[0], window_);
  const Conv2dSizes s(in[0], in[1], walk);
  Tensor y({s.samples, s.out, walk.count.height, walk.count.width}, in[0].dtype());
  dispatch_real(y.dtype(), "conv2d", [&]<typename T>() {
    const T *x = in[0].data<T>(), *weight = in[1].data<T>(), *bias = data_or_null<T>(in[2]);
    T* to = y.mutable_data<T>();
    // With enough images for every thread, each is done by one; otherwise each product is shared among all.
    const int64_t grain = s.samples >= num_threads() ? kGrain / s.work() + 1 : s.samples;
    parallel_for(s.samples, grain, [=, &walk](int64_t begin, int64_t end) {
      Scratch<T> columns(Shape{s.depth(), s.places}.numel("conv2d"));
      for (int64_t n = begin; n < end; ++n) {
        T* image = to + n * s.out * s.places;
        for (int64_t o = 0; o < s.out; ++o) {
          std::fill(image + o * s.places, image + (o + 1) * s.places, bias != nullptr ? bias[o] : T(0));
        }
        to_columns(x + n * s.channels * s.pixels, walk, s, columns.data());
        gemm(s.out, s.places, s.depth(), T(1), {weight, s.depth()}, {columns.data(), s.places}, added_to(image, s.places));
      }
    });
  });
  return y;
}

Tensors Conv2dKernel::backward(const Tensor& g, const Tensors& in, const Tensor&) const {
  const WindowWalk walk(in[0], window_);
  const Conv2dSizes s(in[0], in[1], walk);
  Tensor dx(in[0].shape(), in[0].dtype()), dweight, dbias;
  dispatch_real(dx.dtype(), "conv2d", [&]<typename T>() {
    const T *x = in[0].data<T>(), *weight = in[1].data<T>(), *from_g = g.data<T>();
    T* to = dx.mutable_data<T>();
    const int64_t weights = s.out * s.depth();
    const auto add_images = [=, &walk](int64_t begin, int64_t end, T* part) {
      Scratch<T> columns(Shape{s.depth(), s.places}.numel("conv2d"));
      const Matrix<T> seen{columns.data(), s.places, true}, rows{weight, s.depth(), true};
      for (int64_t n = begin; n < end; ++n) {
        const Matrix<T> image_g{from_g + n * s.out * s.places, s.places};
        to_columns(x + n * s.channels * s.pixels, walk, s, columns.data());
        gemm(s.out, s.depth(), s.places, T(1), image_g, seen, added_to(part, s.depth()));   // dL/dW
        gemm(s.depth(), s.places, s.out, T(1), rows, image_g, {columns.data(), s.places});  // dL/dX
        from_columns(columns.data(), walk, s, to + n * s.channels * s.pixels);
        for (int64_t o = 0; o < s.out; ++o) part[weights + o] += row_sum(image_g.data + o * s.places, s.places);
      }
    };
    const auto sums = sum_over_rows<T>(s.samples, s.work(), weights + s.out, add_images);
    dweight = from_sums(sums.data(), in[1].shape());
    if (in[2].defined()) dbias = from_sums(sums.data() + weights, in[2].shape());
  });
  return {dx, dweight, dbias};
}

}  // namespace

std::unique_ptr<FastPath> fast::conv2d(const Window& window) { return std::make_unique<Conv2dKernel>(window); }

}  // namespace gradus::nn
