// What ALiBi and KERPLE (r₁ = r₂ = 1) multiply the weight of a key by, against its distance, as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <vector>

#include "nn/nn.h"
#include "nn/position/alibi.h"

using namespace gradus;

namespace {

std::string numbers(const std::vector<double>& values) {
  std::vector<std::string> texts;
  for (const double value : values) texts.push_back(fmt::format("{:.4g}", value));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

}  // namespace

int main() {
  std::vector<double> distances;
  for (int i = 0; i <= 88; ++i) distances.push_back(std::pow(2, i / 8.0));  // 1 … 2,048
  fmt::print("{{\"d\": {},\n\"alibi\": [\n", numbers(distances));
  const Tensor slopes = nn::alibi_slopes(8);
  for (int64_t h = 0; h < 8; ++h) {
    std::vector<double> w;
    for (const double d : distances) w.push_back(std::exp(-slopes.at({h}) * d));
    fmt::print("{}{}\n", numbers(w), h < 7 ? "," : "");
  }
  std::vector<double> power;
  for (const double d : distances) power.push_back(1 / (1 + d));
  fmt::print("],\n\"kerple\": {},\n", numbers(power));
  fmt::print("\"slopes of 12\": {{\"code\": {}, \"text\": {}}}}}\n", numbers(to_vector(nn::alibi_slopes(12))),
             numbers(to_vector(nn::alibi_slopes(12, nn::AlibiSlopes::text))));
}
