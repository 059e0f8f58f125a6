#include "examples/shared/study/digit_net.h"

#include "nn/activation/relu.h"
#include "nn/convolution/conv2d.h"
#include "nn/convolution/pooling.h"
#include "nn/loss/cross_entropy.h"
#include "nn/norm/batch_norm.h"
#include "nn/norm/group_norm.h"
#include "nn/norm/instance_norm.h"
#include "nn/norm/layer_norm.h"
#include "optim/momentum.h"

namespace gradus::examples {
namespace {

nn::LayerPtr image_norm(const std::string& name, int64_t channels, int64_t size) {
  if (name == "batch") return std::make_unique<nn::BatchNorm2d>(channels);
  if (name == "group") return std::make_unique<nn::GroupNorm>(4, channels);
  if (name == "instance") return std::make_unique<nn::InstanceNorm>(channels, nn::ChannelNormOptions{.track = false});
  if (name == "layer") return std::make_unique<nn::LayerNorm>(Shape{channels, size, size});
  check<ValueError>(name == "none", "digit_net: there is no norm of images called '{}'", name);
  return nullptr;
}

}  // namespace

nn::Sequential digit_net(const std::string& norm) {
  nn::Sequential net;
  const auto stage = [&](int64_t in, int64_t out, int64_t size) {
    net.add(nn::Conv2d(in, out, 3, {.padding = 1}));
    if (nn::LayerPtr layer = image_norm(norm, out, size)) net.add(std::move(layer));
    net.add(nn::act::relu);
  };
  stage(1, 16, 8);  // [N, 16, 8, 8]
  net.add(nn::MaxPool2d(2));
  stage(16, 32, 4);  // [N, 32, 4, 4]
  net.add(nn::MaxPool2d(2));
  stage(32, 32, 2);           // [N, 32, 2, 2]
  net.add(nn::AvgPool2d(2));  // [N, 32, 1, 1]: how much of each feature there is
  net.add(nn::Conv2d(32, 10, 1));
  return net;
}

DigitRun train_on_digits(const std::string& norm, const Digits& digits, std::uint64_t seed, const DigitTraining& training) {
  manual_seed(seed);  // of the weights
  nn::Sequential net = digit_net(norm);
  optim::Momentum optimizer(net.named_parameters(), {.lr = 0.03 * static_cast<double>(training.batch) / 32});
  const auto scores = [&](const Tensor& images) { return flatten(net(images), 1); };
  Generator random(seed);
  DigitRun run;
  for (int64_t step = 0; step < training.images / training.batch; ++step) {
    const auto [images, labels] = random_batch(digits.train, training.batch, random);
    const Tensor loss = nn::cross_entropy(scores(images), labels);
    run.losses.push_back(loss.item());
    loss.backward();
    optimizer.step();
    optimizer.zero_grad();
  }
  net.eval();
  const NoGrad off;
  run.right = nn::accuracy(scores(digits.held_out.images), digits.held_out.labels);
  return run;
}

}  // namespace gradus::examples
