// Three rows that differ in shift and scale alone, as they are, centred, and layer-normed, as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "nn/nn.h"

using namespace gradus;

namespace {

std::string numbers(const Tensor& t) {
  std::vector<std::string> texts;
  for (const double value : to_vector(t)) texts.push_back(fmt::format("{:.4g}", std::abs(value) < 1e-9 ? 0.0 : value));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

}  // namespace

int main() {
  const Tensor row = tensor({4, 2, 3, 7}, DType::f64);
  const char* before = "{\"rows\": [\n";
  for (const auto& [id, scale, shift] : {std::tuple{"x", 1.0, 0.0}, {"2x-19", 2.0, -19.0}, {"x/4+10", 0.25, 10.0}}) {
    const Tensor x = scale * row + shift;
    fmt::print("{}  {{\"id\": \"{}\", \"x\": {}, \"centred\": {}, \"normed\": {}}}", before, id, numbers(x),
               numbers(nn::center_only_norm(x)), numbers(nn::layer_norm(x, {4})));
    before = ",\n";
  }
  fmt::print("\n]}}\n");
}
