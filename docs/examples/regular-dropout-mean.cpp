// The mean of 100,000 ones behind dropout, and what it is if they are multiplied by something else, as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

#include "core/tensor/random.h"
#include "nn/nn.h"

using namespace gradus;

int main() {
  const NoGrad off;
  manual_seed(1);
  std::vector<std::string> rate, kept, unscaled, by_p;
  for (int i = 1; i <= 19; ++i) {
    const double p = 0.05 * i, mean_of = mean(nn::dropout(ones({100'000}, DType::f64), p)).item();
    rate.push_back(fmt::format("{:.2f}", p));
    kept.push_back(fmt::format("{:.3f}", mean_of));
    unscaled.push_back(fmt::format("{:.3f}", mean_of * (1 - p)));  // without the 1 / (1 - p) of nn::dropout
    by_p.push_back(fmt::format("{:.3f}", mean_of * (1 - p) / p));
  }
  fmt::print("{{\n\"p\": [{}],\n\"divided by 1 - p\": [{}],\n\"not divided\": [{}],\n\"divided by p\": [{}]\n}}\n", fmt::join(rate, ", "),
             fmt::join(kept, ", "), fmt::join(unscaled, ", "), fmt::join(by_p, ", "));
}
