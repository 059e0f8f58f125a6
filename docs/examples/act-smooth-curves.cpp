// The smooth activations that have a parameter, as curves, those of bounded gates, and how far three others are from GELU, as JSON.
// Values and derivatives are the library's.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <vector>

#include "nn/nn.h"

using namespace gradus;

namespace {

std::string four_digits(const Tensor& t) {
  std::vector<std::string> texts;
  for (const double value : to_vector(t)) {
    texts.push_back(fmt::format("{:.4g}", std::abs(value) < 1e-12 ? 0.0 : value));
  }
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

void curve(const std::string& name, const nn::Activation& f, double from, double to, int64_t points) {
  const Tensor x = linspace(from, to, points, DType::f64).set_requires_grad(), y = f(x);
  fmt::print("\"{}\": {{\n  \"x\": {},\n  \"y\": {},\n  \"dy\": {}}},\n", name, four_digits(x), four_digits(y),
             four_digits(grad({sum(y)}, {x})[0]));
}

}  // namespace

int main() {
  fmt::print("{{\n");
  for (const double alpha : {0.5, 1.0, 2.0}) {
    // Two pieces, so that no line is drawn across a jump of the derivative at 0.
    curve(fmt::format("elu {} below", alpha), nn::act::elu(alpha), -4, 0, 41);
    curve(fmt::format("elu {} above", alpha), nn::act::elu(alpha), 0.001, 2, 3);
    curve(fmt::format("celu {}", alpha), nn::act::celu(alpha), -4, 2, 61);
  }
  for (const double beta : {0.0, 0.5, 1.0, 2.0, 8.0}) {
    curve(fmt::format("swish {}", beta), nn::act::swish(beta), -5, 3, 81);
  }
  curve("gate silu", nn::act::silu, -6, 14, 201);
  curve("gate clamped", nn::clamped_swiglu().activation, -6, 14, 201);
  curve("gate situ", nn::situ().activation, -6, 14, 201);

  const Tensor x = linspace(-6, 6, 121, DType::f64), gelu = nn::act::gelu(x);
  fmt::print("\"beside gelu\": {{\n  \"x\": {},\n  \"gelu_tanh\": {},\n  \"quick_gelu\": {},\n  \"silu\": {}}}\n}}\n", four_digits(x),
             four_digits(nn::act::gelu_tanh(x) - gelu), four_digits(nn::act::quick_gelu(x) - gelu), four_digits(nn::act::silu(x) - gelu));
}
