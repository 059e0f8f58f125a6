// Every activation and its derivative, which is the tape's, at 81 points a tenth apart, as JSON: from -4 to 4, ReLU6 from
// -1 to 7, where both of its kinks are.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "nn/activation/activation_table.h"
#include "nn/nn.h"

using namespace gradus;

namespace {

Tensor tenths_from(int64_t first) {
  Tensor x({81}, DType::f64);
  for (int64_t i = 0; i < 81; ++i) x.mutable_data<double>()[i] = static_cast<double>(10 * first + i) / 10;  // 0 is 0
  return x.set_requires_grad();
}

std::string four_digits(const Tensor& t) {
  std::vector<std::string> texts;
  for (const double value : to_vector(t)) texts.push_back(fmt::format("{:.4g}", std::abs(value) < 1e-9 ? 0.0 : value));
  return fmt::format("[{}]", fmt::join(texts, ", "));
}

}  // namespace

int main() {
  std::string_view before = "{\"names\": {";
  for (const auto& row : nn::activations().variants) {
    if (row.name == "softmax" || row.name == "log-softmax" || row.name == "solu" || row.name == "poly-norm") continue;  // of rows
    const nn::LayerPtr f = row.value();
    f->to(DType::f64);
    const Tensor x = tenths_from(row.name == "relu6" ? -1 : -4), y = (*f)(x);
    fmt::print("{}\n\"{}\": {{\n  \"x\": {},\n  \"y\": {},\n  \"dy\": {}}}", before, row.formula_id, four_digits(x), four_digits(y),
               four_digits(grad({sum(y)}, {x})[0]));
    before = ",";
  }
  fmt::print("\n}}}}\n");
}
