// The root mean square of RMSNorm(a·x) against a, for x of root mean square 1, as JSON: three values of ε, and all in f16.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <vector>

#include "nn/nn.h"

using namespace gradus;

namespace {

const Tensor row = tensor({1, -1, 1, -1}, DType::f64);

double size_of(const Tensor& y) { return std::sqrt(mean(square(cast(y, DType::f64))).item()); }

std::string curve(const char* id, const std::vector<double>& scales, const std::function<Tensor(const Tensor&)>& norm) {
  std::vector<std::string> a, y;
  for (const double scale : scales) {
    a.push_back(fmt::format("{:.4g}", scale));
    y.push_back(fmt::format("{:.4g}", size_of(norm(row * scale))));
  }
  return fmt::format("  {{\"id\": \"{}\",\n   \"a\": [{}],\n   \"y\": [{}]}}", id, fmt::join(a, ", "), fmt::join(y, ", "));
}

// 10^from … 10^to, ten a decade.
std::vector<double> powers(int from, int to) {
  std::vector<double> scales;
  for (int tenth = 10 * from; tenth <= 10 * to; ++tenth) scales.push_back(std::pow(10, tenth / 10.0));
  return scales;
}

}  // namespace

int main() {
  const auto with = [](double eps) { return [eps](const Tensor& x) { return nn::rms_norm(x, {}, eps); }; };
  const auto in_f16 = [](const Tensor& x) { return nn::formula::rms_norm(cast(x, DType::f16), {}, 0); };
  std::vector<double> half = powers(0, 2);
  for (const double a : {200.0, 255.0, 255.9, 256.0, 300.0, 1000.0, 10000.0, 60000.0}) half.push_back(a);
  fmt::print("{{\"curves\": [\n{},\n{},\n{},\n{}\n]}}\n", curve("eps-0", powers(-6, 6), with(0)), curve("eps-6", powers(-6, 0), with(1e-6)),
             curve("eps-5", powers(-6, 0), with(1e-5)), curve("f16", half, in_f16));
}
