// norm-axes, norm-group: which inputs one output depends on, for each norm, as JSON. The pictures are drawn of these cells.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>

#include "nn/nn.h"

using namespace gradus;

namespace {

const Shape shape{4, 6, 6};  // samples, channels, tokens

// The cells where dy[1, 2, 3]/dx is not 0, as [sample, channel, token].
std::string cells(const std::function<Tensor(const Tensor&)>& norm) {
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
std::string cells(nn::Layer& norm) {
  return cells([&](const Tensor& x) { return norm(x); });
}
// The same for a norm of the last axis, which is to be the channels.
std::string cells_of_channels_last(nn::Layer& norm) {
  return cells([&](const Tensor& x) { return transpose(norm(transpose(x))); });
}

std::string cells_of_groups(int64_t groups) {
  nn::GroupNorm norm(groups, shape[1]);
  return cells(norm);
}

}  // namespace

int main() {
  nn::BatchNorm1d batch(6), eval(6);
  eval.eval();
  nn::InstanceNorm instance(6);
  nn::LayerNorm sample({6, 6});
  nn::ChannelLayerNorm token(6);
  nn::RMSNorm rms(6);
  fmt::print("{{\"shape\": [4, 6, 6], \"output\": [1, 2, 3],\n");
  fmt::print(" \"batch\": {},\n \"instance\": {},\n", cells(batch), cells(instance));
  fmt::print(" \"sample\": {},\n \"token\": {},\n \"eval\": {},\n", cells(sample), cells(token), cells(eval));
  fmt::print(" \"rms\": {},\n", cells_of_channels_last(rms));
  fmt::print(" \"groups\": {{\"1\": {},\n  \"2\": {},\n  \"3\": {},\n  \"6\": {}}}}}\n", cells_of_groups(1), cells_of_groups(2),
             cells_of_groups(3), cells_of_groups(6));
}
