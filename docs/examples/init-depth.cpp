// What starts do to sizes, as JSON: a linear layer's two factors by its fans, measured on a draw, and the mean square after each
// of twenty layers of 256 numbers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <string>
#include <vector>

#include "nn/nn.h"

using namespace gradus;

namespace {

using Init = std::function<void(Tensor&)>;

double mean_square(const Tensor& x) { return mean(square(x)).item(); }

Tensor drawn(int64_t out, int64_t in, const Init& init) {
  Tensor w = zeros({out, in}, DType::f64);
  init(w);
  return w;
}

void xavier(Tensor& w) { nn::init_xavier_normal(w); }
void kaiming(Tensor& w) { nn::init_kaiming_normal(w); }
void small(Tensor& w) { nn::init_normal(w, 0.02); }

void print_layers(const std::string& name, const Init& init, bool with_relu, const char* end) {
  constexpr int64_t width = 256;
  manual_seed(1);
  Tensor x = randn({256, width}, DType::f64);
  std::vector<std::string> texts;
  for (int layer = 0; layer <= 20; ++layer) {
    texts.push_back(fmt::format("{:.3g}", mean_square(x)));
    x = matmul(with_relu ? relu(x) : x, drawn(width, width, init), {.transpose_b = true});
  }
  fmt::print(" \"{}\": [{}]{}\n", name, fmt::join(texts, ", "), end);
}

}  // namespace

int main() {
  constexpr int64_t both = 512;
  std::vector<std::string> ups, downs;
  std::vector<int64_t> ins;
  for (int64_t in = 64; in < both; in += 64) {
    manual_seed(1);
    const Tensor w = drawn(both - in, in, xavier);
    const Tensor x = randn({512, in}, DType::f64), g = randn({512, both - in}, DType::f64);
    ins.push_back(in);
    ups.push_back(fmt::format("{:.3f}", mean_square(matmul(x, w, {.transpose_b = true})) / mean_square(x)));
    downs.push_back(fmt::format("{:.3f}", mean_square(matmul(g, w)) / mean_square(g)));
  }
  fmt::print("{{\"fan_in\": [{}], \"of\": {},\n \"up\": [{}],\n \"down\": [{}],\n", fmt::join(ins, ", "), both, fmt::join(ups, ", "),
             fmt::join(downs, ", "));
  print_layers("Xavier, no activation", xavier, false, ",");
  print_layers("Kaiming, ReLU", kaiming, true, ",");
  print_layers("Xavier, ReLU", xavier, true, ",");
  print_layers("0.02, ReLU", small, true, "");
  fmt::print("}}\n");
}
