#include "examples/ch02_activations/dead_units.h"

#include <fmt/format.h>

#include <cmath>

#include "core/core.h"
#include "examples/shared/data/xtensor.h"
#include "examples/shared/report/values.h"
#include "nn/init.h"
#include "nn/linear.h"

namespace gradus::examples {
namespace {

struct Units { Tensor x, weight; };

Units units() {
  Generator generator(1);
  Units result{randn({256, 32}, DType::f32, generator), zeros({512, 32})};
  nn::init_kaiming_normal(result.weight, {}, generator);
  return result;
}

constexpr double kFrom = -12, kTo = 8;
constexpr std::size_t kBins = 40;

}  // namespace

double dead_share(const nn::Activation& f, double bias) {
  auto [x, weight] = units();
  weight.set_requires_grad();
  const Tensor y = f(nn::linear(x, weight, full({512}, bias)));
  const Tensor gradient = grad({sum(y)}, {weight})[0];
  return mean(cast(eq(sum(abs(gradient), {1}), 0), DType::f64)).item();
}

void count_preactivations(Chapter& chapter, const std::vector<double>& biases) {
  const auto [x, weight] = units();
  const Tensor product = cast(matmul(x, weight, {.transpose_b = true}), DType::f64);  // [256 rows, 512 units]
  const xt::xarray<double> without_bias = product.array<double>();
  const xt::xtensor<double, 1> edges = xt::linspace(kFrom, kTo, kBins + 1);
  for (const double bias : biases) {
    const xt::xarray<double> z = without_bias + bias;
    const xt::xarray<double> share = xt::histogram(xt::xtensor<double, 1>(xt::flatten(z)), edges) / static_cast<double>(z.size());
    const xt::xarray<double> largest = xt::amax(z, {0});  // of each unit over all rows
    const double above = xt::mean(xt::cast<double>(z > 0))(), never = xt::mean(xt::cast<double>(largest <= 0))();
    chapter.number(fmt::format("preactivations.bias_{}", std::abs(bias)), {above, never});
    chapter.series(fmt::format("preactivations.bias_{}", std::abs(bias)), std::vector<double>(share.begin(), share.end()));
  }
}

}  // namespace gradus::examples
