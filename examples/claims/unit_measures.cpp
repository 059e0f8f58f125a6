#include "examples/claims/unit_measures.h"

#include <cmath>

#include "core/core.h"
#include "nn/init.h"
#include "nn/linear.h"
#include "nn/loss/cross_entropy.h"
#include "optim/optimizer_table.h"

namespace gradus::examples {
namespace {

constexpr int64_t kUnits = 64, kBatch = 64;

double share(const Tensor& mask) { return mean(cast(mask, DType::f64)).item(); }
double share_of(const Tensor& mask, const Tensor& among) { return sum(mask * among).item() / sum(among).item(); }

Tensor dead(nn::Layer& linear, const Tensor& images) { return max(linear(images), {0}) <= 0; }  // [units]

// What each hidden layer gives for these images, [N, 64] each.
Tensors hidden_outputs(nn::Sequential& net, const Tensor& images) {
  const NoGrad off;
  Tensors outputs;
  Tensor h = images;
  for (std::size_t i = 0; i + 1 < net.size(); ++i) {
    h = net[i](h);
    if (i % 2 == 1) outputs.push_back(h);
  }
  return outputs;
}

double dead_share(nn::Sequential& net, const Tensor& images) {
  double sum = 0;
  const Tensors outputs = hidden_outputs(net, images);
  for (const Tensor& output : outputs) sum += share(max(output, {0}) <= 0);
  return sum / static_cast<double>(outputs.size());
}

nn::Linear started(int64_t in, int64_t out, Generator& random) {
  nn::Linear linear(in, out);
  nn::init_kaiming_normal(linear.weight, {}, random);
  return linear;
}

// The biases of the first half of the units.
void push_half(nn::Linear& layer, double bias) {
  const NoGrad off;
  const int64_t units = layer.bias.size(0);
  layer.bias += cat({full({units / 2}, bias), zeros({units - units / 2})}, 0);
}

void learn(nn::Layer& net, const Digits& digits, const std::string& optimizer, int64_t steps, Generator& random) {
  const auto made = optim::optimizers().find(optimizer).value(net.named_parameters());
  for (int64_t step = 0; step < steps; ++step) {
    const auto [images, labels] = random_batch(digits.train, kBatch, random);
    nn::cross_entropy(net(flatten(images, 1)), labels).backward();
    made->step();
    made->zero_grad();
  }
}

nn::Linear& linear_at(nn::Sequential& net, std::size_t i) { return dynamic_cast<nn::Linear&>(net[i]); }

Tensor without_gradient(const nn::Linear& linear) { return sum(abs(linear.weight.grad()), {1}) == 0; }  // [units]

}  // namespace

double share_that_died(const DeepNet& shape, std::uint64_t seed) {
  const Digits digits = read_digits();
  const Tensor images = flatten(digits.train.images, 1);
  nn::Sequential before = untrained(shape, seed), after = trained(shape, digits, seed);
  return dead_share(after, images) - dead_share(before, images);
}

Revived revived(const Revival& revival, std::uint64_t seed) {
  const Digits digits = read_digits();
  const Tensor images = flatten(digits.train.images, 1);
  Generator random(seed);
  nn::Sequential net{started(kUnits, kUnits, random), revival.f, started(kUnits, 10, random)};
  push_half(linear_at(net, 0), -3);
  const Tensor before = dead(net[0], images);
  learn(net, digits, revival.optimizer, revival.steps, random);
  nn::cross_entropy(net(images), digits.train.labels).backward();
  return {1 - share_of(without_gradient(linear_at(net, 0)), before), share_of(logical_not(dead(net[0], images)), before)};
}

Digits centred(const Digits& digits) {
  const Tensor average = mean(digits.train.images, {0}, true);
  return {{digits.train.images - average, digits.train.labels}, {digits.held_out.images - average, digits.held_out.labels}};
}

double distance_of_means_from_zero(nn::Sequential& net, const Digits& digits) {
  double sum = 0;
  const Tensors outputs = hidden_outputs(net, flatten(digits.train.images, 1));
  for (const Tensor& output : outputs) sum += mean(abs(mean(output, {0}))).item();
  return sum / static_cast<double>(outputs.size());
}

double deviation_below_zero(nn::Sequential& net, const nn::Activation& f, const Digits& digits) {
  const NoGrad off;
  Tensor h = flatten(digits.train.images, 1);
  double variance = 0, units = 0;
  for (std::size_t i = 0; i + 1 < net.size(); ++i) {
    const Tensor before = h;
    h = net[i](h);
    if (i % 2 == 0) continue;
    const Tensor below = cast(before < 0, DType::f64), y = cast(f(before), DType::f64), n = sum(below, {0});
    const Tensor average = sum(below * y, {0}) / maximum(n, ones_like(n));
    const Tensor off_average = sum(below * square(y - average), {0}) / maximum(n, ones_like(n));
    variance += sum(off_average).item();
    units += sum(n > 0).item();
  }
  return std::sqrt(variance / units);
}

double sign_agreement(nn::Sequential& net, const Digits& digits, int64_t images) {
  nn::cross_entropy(net(flatten(slice(digits.train.images, 0, 0, images), 1)), slice(digits.train.labels, 0, 0, images)).backward();
  double agreement = 0, units = 0;
  for (std::size_t i = 2; i < net.size(); i += 2) {
    const Tensor gradient = linear_at(net, i).weight.grad();  // [units, inputs]
    const Tensor up = cast(sum(gradient > 0, {1}), DType::f64), down = cast(sum(gradient < 0, {1}), DType::f64);
    const Tensor any = up + down > 0;
    agreement += sum(where(any, maximum(up, down) / maximum(up + down, ones_like(up)), zeros_like(up))).item();
    units += sum(any).item();
  }
  net.zero_grad();
  return agreement / units;
}

double share_without_gradient(const nn::Activation& f, const Silence& silence, std::uint64_t seed) {
  const Digits digits = read_digits();
  const Tensor images = flatten(digits.train.images, 1);
  Generator random(seed);
  nn::Sequential net{started(kUnits, kUnits, random), f, started(kUnits, kUnits, random), f, started(kUnits, 10, random)};
  if (silence.on_every_image) push_half(linear_at(net, 0), -9);
  const int64_t image = random.below(images.size(0));
  const Tensor silent = silence.on_every_image ? dead(net[0], images) : dead(net[0], slice(images, 0, image, image + 1));
  learn(net, digits, "momentum", 100, random);
  nn::cross_entropy(net(images), digits.train.labels).backward();
  const Tensor none = without_gradient(linear_at(net, silence.layer_after ? 2 : 0));
  return silence.layer_after ? share(none) : share_of(none, silent);
}

}  // namespace gradus::examples
