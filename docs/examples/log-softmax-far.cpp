// log-softmax-far: the logarithm of the first of softmax([0, d]), taken of the probability and by nn::log_softmax, as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <vector>

#include "nn/nn.h"

using namespace gradus;

namespace {

// What cannot be written in JSON is null: -∞.
std::string shown(double value) { return std::isfinite(value) ? fmt::format("{:.5g}", value) : "null"; }

void print(const std::string& name, const std::vector<double>& gaps, DType dtype, Tensor (*f)(const Tensor&), const char* end) {
  std::vector<std::string> texts;
  for (const double d : gaps) texts.push_back(shown(f(tensor({0, d}, dtype)).at({0})));
  fmt::print(" \"{}\": [{}]{}\n", name, fmt::join(texts, ", "), end);
}

Tensor log_of_softmax(const Tensor& x) { return log(nn::softmax(x)); }

}  // namespace

int main() {
  std::vector<double> gaps;
  for (double d = 0; d <= 120; d += 0.5) gaps.push_back(d);
  fmt::print("{{\n \"d\": [{}],\n", fmt::join(gaps, ", "));
  print("log of softmax, f16", gaps, DType::f16, log_of_softmax, ",");
  print("log of softmax, f32", gaps, DType::f32, log_of_softmax, ",");
  print("log_softmax, f32", gaps, DType::f32, nn::log_softmax, "");
  fmt::print("}}\n");
}
