// norm-spectral: where W / σ₁ sends the vectors of length 1, as JSON. The picture is drawn of these.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "nn/nn.h"

using namespace gradus;

int main() {
  const Tensor weight = tensor({{3.6, 0.2}, {2.3, 3.6}}, DType::f64);
  Tensor u = zeros({2}, DType::f64), v = tensor({1, 0}, DType::f64);
  nn::power_iteration(weight, u, v, 30);
  const Tensor w = nn::spectral_norm(weight, u, v);
  std::vector<std::string> points;
  for (int i = 0; i <= 72; ++i) {
    const double angle = std::acos(-1) * i / 36;
    const Tensor y = matmul(w, tensor({std::cos(angle), std::sin(angle)}, DType::f64));
    points.push_back(fmt::format("[{:.3f}, {:.3f}]", y.at({0}), y.at({1})));
  }
  fmt::print("{{\"v\": [{:.3f}, {:.3f}], \"u\": [{:.3f}, {:.3f}],\n \"image\": [{}]}}\n", v.at({0}), v.at({1}), u.at({0}), u.at({1}),
             fmt::join(points, ", "));
}
