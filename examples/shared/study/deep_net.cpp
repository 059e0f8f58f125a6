#include "examples/shared/study/deep_net.h"

#include <algorithm>

#include "nn/init.h"
#include "nn/linear.h"
#include "nn/loss/cross_entropy.h"
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

}  // namespace

nn::Sequential untrained(const DeepNet& shape, std::uint64_t seed) {
  Generator random(seed);
  return build(shape, random);
}

nn::Sequential trained(const DeepNet& shape, const Digits& digits, std::uint64_t seed, const std::function<bool(nn::Sequential&)>& enough) {
  Generator random(seed);
  nn::Sequential net = build(shape, random);
  optim::Momentum optimizer(net.named_parameters(), {.lr = shape.rate, .momentum = shape.momentum});
  for (int step = 0; step < shape.steps; ++step) {
    if (enough && step % 10 == 0 && enough(net)) break;
    const auto [images, labels] = random_batch(digits.train, 64, random);
    nn::cross_entropy(net(flatten(images, 1)), labels).backward();
    optimizer.step();
    optimizer.zero_grad();
  }
  return net;
}

std::vector<double> right_after_training(const DeepNet& shape, const Digits& digits, std::uint64_t first_seed, int seeds) {
  const Tensor images = flatten(digits.held_out.images, 1);
  std::vector<double> percent;
  for (int i = 0; i < seeds; ++i) {
    nn::Sequential net = trained(shape, digits, first_seed + static_cast<std::uint64_t>(i));
    const NoGrad off;
    percent.push_back(100 * nn::accuracy(net(images), digits.held_out.labels));
  }
  std::sort(percent.begin(), percent.end());
  return percent;
}

}  // namespace gradus::examples
