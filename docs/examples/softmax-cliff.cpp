// softmax-cliff: the last of softmax([c, c + 1, c + 2]) for shifts c, by e^x / Σ e^x as it is written, and by nn::softmax, as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/core.h"
#include "core/tensor/half.h"
#include "nn/nn.h"

using namespace gradus;

namespace {

// e^x / Σ e^x in numbers of type T, each result rounded to T.
template <typename T> double as_written(double c) {
  const auto e = [](double x) { return static_cast<T>(std::exp(static_cast<Compute<T>>(static_cast<T>(x)))); };
  return static_cast<double>(static_cast<T>(e(c + 2) / static_cast<T>(e(c) + e(c + 1) + e(c + 2))));
}

double stable(double c) { return nn::softmax(tensor({c, c + 1, c + 2})).at({2}); }

// What cannot be written in JSON is null: NaN.
void print(const std::string& name, const std::vector<double>& shifts, double (*f)(double), const char* end) {
  std::vector<std::string> texts;
  for (const double c : shifts) texts.push_back(std::isnan(f(c)) ? "null" : fmt::format("{:.4g}", f(c)));
  fmt::print(" \"{}\": [{}]{}\n", name, fmt::join(texts, ", "), end);
}

}  // namespace

int main() {
  std::vector<double> shifts;
  for (int step = 0; step <= 48; ++step) shifts.push_back(std::pow(10, step / 16.0));  // 1 to 1000
  for (const double largest : {65520.0, 0x1p128, 0x1p1023 * 1.9999999999999998}) {     // and close to where e^x overflows
    for (const double before : {2.5, 2.42, 2.3, 2.01, 1.99}) shifts.push_back(std::log(largest) - before);
  }
  std::sort(shifts.begin(), shifts.end());
  fmt::print("{{\n \"c\": [{:.5g}],\n", fmt::join(shifts, ", "));
  print("f16", shifts, as_written<half>, ",");
  print("f32", shifts, as_written<float>, ",");
  print("f64", shifts, as_written<double>, ",");
  print("stable", shifts, stable, "");
  fmt::print("}}\n");
}
