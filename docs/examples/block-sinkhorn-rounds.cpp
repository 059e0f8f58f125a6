// block-sinkhorn: how far rows and gradients are from the limit after each round, as JSON. The picture is drawn of these.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "nn/nn.h"

using namespace gradus;

namespace {

constexpr int64_t matrices = 200, n = 4, last = 4000;  // of 4000 rounds the last 2000 change nothing

double largest(const Tensor& x) { return max(abs(x)).item(); }

Tensor gradient(const Tensor& logits, const Tensor& g, int64_t rounds) {
  const Tensor a = logits.detached_copy().set_requires_grad();
  return grad({nn::sinkhorn(a, rounds)}, {a}, {.seeds = {g}})[0];
}

}  // namespace

int main() {
  Generator random(0);
  const Tensor drawn = randn({matrices, n, n}, DType::f64, random), g = randn({matrices, n, n}, DType::f64, random);
  std::vector<int64_t> rounds;
  for (int64_t k = 1; k <= 40; ++k) rounds.push_back(k);
  std::string text = fmt::format("{{\"rounds\": {}", rounds);
  for (const int size : {1, 2, 4}) {
    const Tensor a = size * drawn, limit = gradient(a, g, last);
    std::vector<double> of_rows, of_gradient;
    for (const int64_t k : rounds) {
      of_rows.push_back(largest(sum(nn::sinkhorn(a, k), -1) - 1));
      of_gradient.push_back(largest(gradient(a, g, k) - limit));
    }
    for (const auto& [name, values] : {std::pair{"rows", of_rows}, {"gradient", of_gradient}}) {
      std::vector<std::string> shown;  // below 1e-13 there is rounding, and another machine's is another
      for (const double value : values) shown.push_back(value < 1e-13 ? "null" : fmt::format("{:.2g}", value));
      text += fmt::format(",\n \"{}{}\": [{}]", name, size, fmt::join(shown, ", "));
    }
  }
  fmt::print("{}}}\n", text);
}
