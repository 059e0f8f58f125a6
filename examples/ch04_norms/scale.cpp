#include "examples/ch04_norms/scale.h"

#include <fmt/format.h>

#include <cmath>

#include "core/core.h"
#include "nn/nn.h"

namespace gradus::examples {
namespace {

double rms_of(const Tensor& x) { return std::sqrt(mean(square(cast(x, DType::f64))).item()); }

// The formula as one would first write it, its squares kept in f16.
Tensor naive_f16(const Tensor& x) {
  const Tensor half = cast(x, DType::f16);
  return half / cast(sqrt(mean(cast(square(half), DType::f16), {-1}, true)), DType::f16);
}

}  // namespace

void scale_of_input(Chapter& chapter, double a) {
  const Tensor ones_row = tensor({1, -1, 1, -1}, DType::f64);  // RMS 1
  const auto size_after = [&](double by, double eps) { return rms_of(nn::rms_norm(ones_row * by, {}, eps)); };
  double alive = 1, dead = 1000;
  while (dead - alive > 1e-3) {
    const double by = (alive + dead) / 2;
    (rms_of(naive_f16(ones_row * by)) > 0.5 ? alive : dead) = by;
  }
  std::vector<double> sizes;
  for (double e = -6; e <= 6.01; e += 0.1) sizes.push_back(std::pow(10, e));
  std::vector<std::vector<double>> outputs;
  for (const double eps : {1e-5, 1e-6, 0.0}) {
    std::vector<double>& line = outputs.emplace_back();
    for (const double size : sizes) line.push_back(size_after(size, eps));
  }
  Band half;
  for (double by = 16; by < 1e6; by *= 1.1) {
    half.x.push_back(by);
    half.y.push_back(rms_of(naive_f16(ones_row * by)));
  }
  chapter.series("scale.a", sizes);
  chapter.series("scale.y", outputs);
  chapter.series("scale.f16", half);
  const double at_root = size_after(std::sqrt(1e-5), 1e-5), own = size_after(a, 1e-5);
  chapter.number("scale.f16_dies_at", dead);
  chapter.number("scale.at_root_of_eps", at_root);
  chapter.number("scale.a", a);
  chapter.number("scale.y", own);
  const Tensor large = cast(tensor({{300, -300, 300, -300}}, DType::f64), DType::f16);
  const double upcast = rms_of(nn::rms_norm_upcast(large));
  chapter.number("scale.upcast_at_300", upcast);
  chapter.tell(
      fmt::format("\nRMSNorm(a·x) has size 1 for every a, but\n  ε = 1e-5 takes over at a = √ε = {:.4f}: the output has size {:.2f} there\n"
                  "  squares in f16 overflow from a = {:.1f} on: the output is 0\n"
                  "  the same f16 input, its squares summed in f32: the output has size {:.2f}\n"
                  "  your a (--scale), here {}: the output has size {:.4f}",
                  std::sqrt(1e-5), at_root, dead, upcast, a, own));
}

}  // namespace gradus::examples
