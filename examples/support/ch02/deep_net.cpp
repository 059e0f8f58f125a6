#include "examples/support/ch02/deep_net.h"

#include <algorithm>

#include "nn/init.h"
#include "nn/linear.h"
#include "nn/loss/cross_entropy.h"
#include "nn/sequential.h"
#include "optim/momentum.h"

namespace gradus::examples {
namespace {

nn::Sequential build(const DeepNet& shape, Generator& random) {
  nn::Sequential net;
  const auto add_linear = [&](int64_t out, double gain) {
    nn::Linear linear(64, out);
    nn::init_kaiming_normal(linear.weight, {.gain = gain}, random);
    net.add(std::move(linear));
  };
  for (int layer = 0; layer < shape.layers; ++layer) {
    add_linear(64, shape.gain);
    net.add(shape.f);
  }
  add_linear(10, 1);
  return net;
}

double share_right(const DeepNet& shape, const Digits& digits, std::uint64_t seed) {
  Generator random(seed);
  nn::Sequential net = build(shape, random);
  optim::Momentum optimizer(net.named_parameters(), {.lr = 0.01});
  const auto scores = [&](const Tensor& images) { return net(flatten(images, 1)); };
  for (int step = 0; step < 200; ++step) {
    const auto [images, labels] = random_batch(digits.train, 64, random);
    nn::cross_entropy(scores(images), labels).backward();
    optimizer.step();
    optimizer.clear_grad();
  }
  const NoGrad off;
  return nn::accuracy(scores(digits.held_out.images), digits.held_out.labels);
}

}  // namespace

std::vector<double> right_after_training(const DeepNet& shape, const Digits& digits, std::uint64_t first_seed, int seeds) {
  std::vector<double> percent;
  for (int i = 0; i < seeds; ++i) {
    percent.push_back(100 * share_right(shape, digits, first_seed + static_cast<std::uint64_t>(i)));
  }
  std::sort(percent.begin(), percent.end());
  return percent;
}

}  // namespace gradus::examples
