// norm-axes: which inputs one output depends on, for each norm, as JSON. The picture is drawn of these cells.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "nn/nn.h"

using namespace gradus;

namespace {

const Shape shape{4, 6, 6};  // samples, channels, tokens

// The cells where dy[1, 2, 3]/dx is not 0, as [sample, channel, token].
std::string cells(nn::Layer& norm) {
  Generator random(0);
  const Tensor x = randn(shape, DType::f32, random).set_requires_grad();
  Tensor one = zeros(shape);
  one.set({1, 2, 3}, 1);
  const Tensor dx = grad({norm(x)}, {x}, {.seeds = {one}})[0];
  std::vector<std::string> found;
  for (int64_t s = 0; s < shape[0]; ++s) {
    for (int64_t i = 0; i < shape[1]; ++i) {
      for (int64_t t = 0; t < shape[2]; ++t) {
        if (dx.at({s, i, t}) != 0) found.push_back(fmt::format("[{}, {}, {}]", s, i, t));
      }
    }
  }
  return fmt::format("[{}]", fmt::join(found, ", "));
}

}  // namespace

int main() {
  nn::BatchNorm1d batch(6), eval(6);
  eval.eval();
  nn::InstanceNorm instance(6);
  nn::GroupNorm group(3, 6);
  nn::LayerNorm sample({6, 6});
  nn::ChannelLayerNorm token(6);
  fmt::print("{{\"shape\": [4, 6, 6], \"output\": [1, 2, 3],\n");
  fmt::print(" \"batch\": {},\n \"instance\": {},\n \"group\": {},\n", cells(batch), cells(instance), cells(group));
  fmt::print(" \"sample\": {},\n \"token\": {},\n \"eval\": {}}}\n", cells(sample), cells(token), cells(eval));
}
