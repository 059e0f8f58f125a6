// How far each output of one attention head depends on each input, ‖∂y_t/∂x_s‖, with the mask before the softmax and behind it,
// as JSON. The picture is drawn of these cells.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "nn/nn.h"

using namespace gradus;

namespace {

constexpr int64_t tokens = 8, width = 4;

std::string map_of(const std::function<Tensor(const Tensor&)>& f, const Tensor& input) {
  const Tensor x = input.detach().set_requires_grad(), y = f(x);
  std::vector<std::string> rows;
  for (int64_t t = 0; t < tokens; ++t) {
    std::vector<double> squares(tokens, 0.0);
    for (int64_t i = 0; i < width; ++i) {
      Tensor one = zeros(y.shape(), DType::f64);
      one.set({0, t, 0, i}, 1);
      const Tensor dx = grad({y}, {x}, {.seeds = {one}, .retain_graph = true})[0];
      for (int64_t s = 0; s < tokens; ++s) {
        for (int64_t j = 0; j < width; ++j) squares[static_cast<std::size_t>(s)] += std::pow(dx.at({0, s, 0, j}), 2);
      }
    }
    std::vector<std::string> cells;
    for (const double square : squares) cells.push_back(fmt::format("{:.2g}", std::sqrt(square)));
    rows.push_back(fmt::format("[{}]", fmt::join(cells, ", ")));
  }
  return fmt::format("[{}]", fmt::join(rows, ",\n  "));
}

}  // namespace

int main() {
  Generator random(0);
  const Tensor x = randn({1, tokens, 1, width}, DType::f64, random);
  std::vector<Tensor> w;
  for (int i = 0; i < 3; ++i) w.push_back(randn({width, width}, DType::f64, random) / std::sqrt(width));
  const auto before = [&](const Tensor& in) {
    return nn::attention(matmul(in, w[0]), matmul(in, w[1]), matmul(in, w[2]), {.causal = true});
  };
  const auto behind = [&](const Tensor& in) {
    return nn::weigh_values(tril(nn::attention_probabilities(matmul(in, w[0]), matmul(in, w[1]))), matmul(in, w[2]));
  };
  fmt::print("{{\"before\": {},\n \"behind\": {}}}\n", map_of(before, x), map_of(behind, x));
}
