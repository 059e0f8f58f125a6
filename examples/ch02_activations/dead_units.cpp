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

// Bars of 4 px from kFrom to kTo, and zero as a line; what is above it is coloured.
std::string bars(const xt::xarray<double>& share, double highest) {
  std::string out = "<svg viewBox=\"0 0 160 90\" aria-hidden=\"true\">";
  for (std::size_t i = 0; i < kBins; ++i) {
    const double left = kFrom + (kTo - kFrom) * static_cast<double>(i) / kBins, height = 70 * share(i) / highest;
    out += fmt::format("<rect x=\"{}\" y=\"{:.1f}\" width=\"3.4\" height=\"{:.1f}\" fill=\"var(--{})\"/>", 4 * i, 70 - height, height,
                       left < 0 ? "none" : "value");
  }
  const double zero = 160 * -kFrom / (kTo - kFrom);
  return out + fmt::format(
                   "<path d=\"M0 70.5H160M{0} 0V70\" stroke=\"var(--line)\"/><text x=\"{0}\" y=\"83\" "
                   "text-anchor=\"middle\" font-size=\"12\" fill=\"var(--soft)\">0</text></svg>",
                   zero);
}

}  // namespace

double dead_share(const nn::Activation& f, double bias) {
  auto [x, weight] = units();
  weight.set_requires_grad();
  const Tensor y = f(nn::linear(x, weight, full({512}, bias)));
  const Tensor gradient = grad({sum(y)}, {weight})[0];
  return mean(cast(eq(sum(abs(gradient), {1}), 0), DType::f64)).item();
}

void draw_preactivations(Chapter& chapter, const std::vector<double>& biases) {
  const auto [x, weight] = units();
  const Tensor product = cast(matmul(x, weight, {.transpose_b = true}), DType::f64);  // [256 rows, 512 units]
  const xt::xarray<double> without_bias = product.array<double>();
  const xt::xtensor<double, 1> edges = xt::linspace(kFrom, kTo, kBins + 1);
  std::vector<Panel> drawn;
  for (const double bias : biases) {
    const xt::xarray<double> z = without_bias + bias;
    const xt::xarray<double> share = xt::histogram(xt::xtensor<double, 1>(xt::flatten(z)), edges) / static_cast<double>(z.size());
    const xt::xarray<double> largest = xt::amax(z, {0});  // of each unit over all rows
    const double above = xt::mean(xt::cast<double>(z > 0))(), never = xt::mean(xt::cast<double>(largest <= 0))();
    chapter.number(fmt::format("preactivations.bias_{}", std::abs(bias)), {above, never});
    drawn.push_back(
        {"bias " + shown(bias), fmt::format("{:.1f} % above 0; {:.0f} % of the units never", 100 * above, 100 * never), bars(share, 0.15)});
  }
  chapter.report.figure({"What reaches the units: pushed below zero, most see nothing above it, and ReLU hands nothing on.",
                         panels(drawn, 12),
                         "Histograms of 512 units on 256 rows, from −12 to 8; blue: above 0. A unit that is never above 0 has the "
                         "gradient 0 on "
                         "every row, so nothing brings it back."});
}

}  // namespace gradus::examples
