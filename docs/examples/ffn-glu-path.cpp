// Figure ffn-glu-path: dy/du of gated units whose gate stands at a = 2, from the tape, as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "docs/examples/derivation.h"
#include "nn/nn.h"

using namespace gradus;
using docs::Numbers;

int main() {
  const Tensor values = linspace(-4, 4, 81, DType::f64), a = full_like(values, 2);
  const auto slopes = [&](const std::function<Tensor(const Tensor&)>& unit) {
    const Tensor u = values.detach().set_requires_grad();
    return Numbers(grad({sum(unit(u))}, {u})[0]);
  };
  const Numbers u = values, glu = slopes([&](const Tensor& t) { return nn::gate(nn::act::sigmoid, a, t); }),
                swiglu = slopes([&](const Tensor& t) { return nn::gate(nn::act::silu, a, t); }),
                tanh = slopes([&](const Tensor& t) { return nn::gate(nn::act::sigmoid, a, nn::act::tanh(t)); }),
                mistake = slopes([&](const Tensor& t) { return nn::act::silu(a * t); });
  std::vector<std::string> points;
  for (int64_t i = 0; i < values.numel(); ++i) {
    points.push_back(fmt::format(R"({{"u": {:.6g}, "glu": {:.6g}, "swiglu": {:.6g}, "tanh": {:.6g}, "mistake": {:.6g}}})", u(i), glu(i),
                                 swiglu(i), tanh(i), mistake(i)));
  }
  fmt::print("[\n{}\n]\n", fmt::join(points, ",\n"));
}
