#include "examples/claims/residual_measures.h"

#include "core/core.h"
#include "nn/init.h"
#include "nn/linear.h"
#include "nn/loss/cross_entropy.h"
#include "optim/adam.h"

namespace gradus::examples {
namespace {

constexpr int64_t kPixels = 64, kImages = 200, kSteps = 2000;

class Net : public nn::Layer {
 public:
  Net(const DigitStack& stack, Generator& random) : residual_(stack.residual) {
    for (int64_t i = 0; i < stack.layers; ++i) layers_.push_back(linear(kPixels, stack.gain, random));
    layers_.push_back(linear(10, 1, random));
  }

  void members(nn::Members& m) override {
    for (std::size_t i = 0; i < layers_.size(); ++i) m.child(std::to_string(i), layers_[i]);
  }

 private:
  static nn::Linear linear(int64_t out, double gain, Generator& random) {
    nn::Linear map(kPixels, out);
    nn::init_kaiming_normal(map.weight, {.gain = gain}, random);
    return map;
  }

  Tensor forward(const Tensor& x) override {
    const std::size_t layers = layers_.size() - 1;
    const double part = residual_ == Residual::quiet ? 1 / std::sqrt(static_cast<double>(layers)) : 1;
    Tensor y = x;
    for (std::size_t i = 0; i < layers; ++i) {
      const Tensor f = tanh(layers_[i](y));
      y = residual_ == Residual::none ? f : y + part * f;
    }
    return layers_.back()(y);
  }

  Residual residual_;
  std::vector<nn::Linear> layers_;
};

std::vector<double> one_draw(const DigitStack& stack, const Digits& digits, const std::vector<double>& training_losses, Generator& random) {
  const auto [images, labels] = random_batch(digits.train, kImages, random);
  const Tensor x = flatten(images, 1), other = flatten(digits.held_out.images, 1);
  Net net(stack, random);
  optim::Adam adam(net.named_parameters(), {.lr = 5e-4});
  std::vector<double> held_out;
  for (int64_t step = 0; step < kSteps && held_out.size() < training_losses.size(); ++step) {
    const Tensor loss = nn::cross_entropy(net(x), labels);
    while (held_out.size() < training_losses.size() && loss.item() < training_losses[held_out.size()]) {
      const NoGrad off;
      held_out.push_back(nn::cross_entropy(net(other), digits.held_out.labels).item());
    }
    loss.backward();
    adam.step();
    adam.zero_grad();
  }
  held_out.resize(training_losses.size(), kGuessing);
  return held_out;
}

}  // namespace

std::vector<double> held_out_losses(const DigitStack& stack, const Digits& digits, const std::vector<double>& training_losses, int draws,
                                    std::uint64_t seed) {
  Generator random(seed);
  std::vector<double> mean(training_losses.size());
  for (int draw = 0; draw < draws; ++draw) {
    const std::vector<double> losses = one_draw(stack, digits, training_losses, random);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += losses[i] / draws;
  }
  return mean;
}

}  // namespace gradus::examples
