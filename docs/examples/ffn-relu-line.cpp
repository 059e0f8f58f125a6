// Figure ffn-relu-line: what the layers of ffn-relu.cpp say between its two tokens, as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using docs::Numbers;

int main() {
  const Numbers w1{{1, 1}, {1, -1}, {-1, 2}}, b1{1, 0, 2}, w2{{1, 2, -1}, {0, 1, 1}}, b2{1, -1};
  std::vector<std::string> points;
  for (int64_t step = -10; step <= 50; ++step) {
    const double way = static_cast<double>(step) / 40;  // 0: the first token, 1: the second
    const Numbers x{{1 + way, 2 - 3 * way}};
    const auto second = [&](const nn::Activation& f) { return Numbers(nn::formula::feed_forward(f, x, w1, b1, w2, b2))(0, 1); };
    points.push_back(fmt::format(R"({{"way": {}, "relu": {:.6g}, "gelu": {:.6g}, "silu": {:.6g}}})", way, second(nn::act::relu),
                                 second(nn::act::gelu), second(nn::act::silu)));
  }
  fmt::print("[\n{}\n]\n", fmt::join(points, ",\n"));
}
