// Where RoPE's clock hands stand, and how much slower they turn in each way to longer texts, as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <string>
#include <vector>

#include "nn/nn.h"

using namespace gradus;

namespace {

constexpr int64_t kWidth = 8;

// The angle of each pair at a position: what the layer makes of (1, 0).
std::vector<std::string> hands(int64_t position) {
  nn::RoPE rope({.d_model = kWidth, .heads = 1, .head_dim = kWidth, .max_length = 4096});
  const Tensor start = reshape(expand(tensor({1, 0}, DType::f64), {kWidth / 2, 2}), {1, 1, 1, kWidth});
  const Tensor turned = reshape(rope.on_queries(start, arange(position, position + 1)), {kWidth / 2, 2});
  std::vector<std::string> angles;
  for (int64_t k = 0; k < kWidth / 2; ++k) {
    angles.push_back(fmt::format("{:.4f}", std::atan2(turned.at({k, 1}), turned.at({k, 0})) + 0.0));
  }
  return angles;
}

// ω_k / ω'_k of the 64 pairs of a head of 128, θ = 500,000, trained on 8,192 tokens, read on 8 times as many.
std::vector<std::string> slower(nn::RopeScaling scaling) {
  const Tensor ratio =
      nn::rope_frequencies(128, {.theta = 500000}, 0) / nn::rope_frequencies(128, {.theta = 500000, .scaling = scaling, .factor = 8}, 8192);
  std::vector<std::string> result;
  for (int64_t k = 0; k < 64; ++k) result.push_back(fmt::format("{:.4g}", ratio.at({k})));
  return result;
}

}  // namespace

int main() {
  const NoGrad off;
  fmt::print("{{\n\"hands\": {{\n");
  const std::vector<int64_t> positions{0, 1, 2, 4, 9, 15, 20, 40, 400, 3004, 3009};
  for (const int64_t position : positions) {
    fmt::print("  \"{}\": [{}]{}\n", position, fmt::join(hands(position), ", "), position == positions.back() ? "" : ",");
  }
  fmt::print("}},\n\"slower\": {{\n");
  fmt::print("  \"interpolation\": [{}],\n", fmt::join(slower(nn::RopeScaling::interpolation), ", "));
  fmt::print("  \"ntk\": [{}],\n", fmt::join(slower(nn::RopeScaling::ntk), ", "));
  fmt::print("  \"bands\": [{}],\n", fmt::join(slower(nn::RopeScaling::bands), ", "));
  fmt::print("  \"yarn\": [{}]\n}}\n}}\n", fmt::join(slower(nn::RopeScaling::yarn), ", "));
}
