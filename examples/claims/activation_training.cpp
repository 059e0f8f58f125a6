#include "examples/claims/activation_training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/core.h"
#include "nn/activation/softmax.h"
#include "nn/loss/cross_entropy.h"

namespace gradus::examples {
namespace {

constexpr std::uint64_t kTuning = 500;  // between the seed of a run and that of a rate's trial
const std::vector<double> kRates{0.003, 0.01, 0.03, 0.1, 0.3, 1};

double loss_on(nn::Sequential& net, const LabelledImages& part) {
  const NoGrad off;
  return nn::cross_entropy(net(flatten(part.images, 1)), part.labels).item();
}

double held_out_loss(const DeepNet& shape, std::uint64_t seed) {
  const Digits digits = read_digits();
  nn::Sequential net = trained(shape, digits, seed);
  return loss_on(net, digits.held_out);
}

double training_loss(const DeepNet& shape, std::uint64_t seed) {
  const Digits digits = read_digits();
  nn::Sequential net = trained(shape, digits, seed);
  return loss_on(net, digits.train);
}

double held_out_loss_once_learned(const DeepNet& shape, int64_t images, std::uint64_t seed) {
  constexpr double learned = 0.05;
  const Digits digits = with_few(read_digits(), images);
  const auto enough = [&](nn::Sequential& net) { return loss_on(net, digits.train) < learned; };
  nn::Sequential net = trained(shape, digits, seed, enough);
  return enough(net) ? loss_on(net, digits.held_out) : kGuessing;
}

DeepNet at_best_rate(Lab& lab, const Race& race, DeepNet shape) {
  std::vector<Where> trials;
  for (const double rate : race.rates) {
    trials.push_back({{"f", shape.f.name()},
                      {"hidden layers", fmt::format("{}", shape.layers)},
                      {"rate", fmt::format("{}", rate)}});
    trials.back().insert(trials.back().end(), race.on.begin(), race.on.end());
  }
  const Evidence losses = lab.each(trials, [&](const Where& where, std::uint64_t seed) {
    DeepNet trial = shape;
    trial.rate = std::stod(level(where, "rate"));
    const double loss = race.loss(trial, seed + kTuning);
    return std::isfinite(loss) ? loss : race.untaught;
  });
  shape.rate = std::stod(level(lowest(losses).where, "rate"));
  return shape;
}

// `points` of the plane, each coordinate from −1 to 1, as [N, 1, 8, 8].
Tensor as_images(const Tensor& points) {
  constexpr double as_large_as_an_image = 8;
  const int64_t n = points.size(0);
  return reshape(cat({cast(as_large_as_an_image * points, DType::f32), zeros({n, 62})}, 1), {n, 1, 8, 8});
}

LabelledImages part_of_spirals(int64_t n, Generator& random) {
  constexpr double turns = 2;
  const Tensor labels = randint(0, 2, {n}, random), far = sqrt(uniform({n}, 0.01, 1, DType::f64, random));
  const Tensor angle = 2 * std::numbers::pi * turns * far + std::numbers::pi * cast(labels, DType::f64);
  return {as_images(stack({far * cos(angle), far * sin(angle)}, 1)), labels};
}

LabelledImages part_of_checkerboard(int64_t n, Generator& random) {
  const Tensor fields = randint(0, 4, {n, 2}, random), within = uniform({n, 2}, 0, 1, DType::f64, random);
  const Tensor odd = cos(std::numbers::pi * cast(sum(fields, {1}), DType::f64)) < 0;
  return {as_images((cast(fields, DType::f64) + within) / 2 - 1), odd};
}

template <typename Part> Digits both_parts(const Part& part, std::uint64_t seed) {
  constexpr int64_t points = 1000;
  Generator random(seed);
  LabelledImages train = part(points, random);
  return {std::move(train), part(points, random)};
}

}  // namespace

std::array<Arm, 2> raced(Lab& lab, const Race& race, const Where& where, const DeepNet& first, const DeepNet& second) {
  const DeepNet a = at_best_rate(lab, race, first), b = at_best_rate(lab, race, second);
  const Evidence both = lab.each({where}, "f", {a.f.name(), b.f.name()}, [&](const Where&, std::uint64_t seed) {
    std::vector<double> losses{race.loss(a, seed), race.loss(b, seed)};
    for (double& loss : losses) loss = std::isfinite(loss) ? loss : race.untaught;
    return losses;
  });
  const auto arm = [&](std::size_t i) { return Arm{level(both[i].where, "f"), both[i].values, race.untaught}; };
  return {arm(0), arm(1)};
}

Evidence digit_losses(Lab& lab, const nn::Activation& first, const nn::Activation& second,
                      const std::vector<int>& hidden_layers) {
  Evidence evidence;
  for (const int layers : hidden_layers) {
    const Where where{{"network", fmt::format("digits, hidden layers {}", layers)}};
    const auto [a, b] = raced(lab, {held_out_loss, kGuessing, kRates}, where, {.f = first, .layers = layers},
                              {.f = second, .layers = layers});
    evidence.push_back(compared(where, a, b));
  }
  return evidence;
}

Condition after_sgd(Lab& lab, const Where& where, const DeepNet& first, const DeepNet& second) {
  const auto plain = [](DeepNet shape) {
    shape.steps = 100;
    shape.momentum = 0;
    return shape;
  };
  const Race race{training_loss, kGuessing, {0.01, 0.03, 0.1, 0.3, 1, 3, 10}};
  const auto [a, b] = raced(lab, race, where, plain(first), plain(second));
  return which_trains(where, a, b);
}

Condition once_learned(Lab& lab, const Where& where, int64_t images, const DeepNet& first, const DeepNet& second) {
  const auto patient = [](DeepNet shape) {
    shape.steps = 2000;
    return shape;
  };
  const auto loss = [images](const DeepNet& shape, std::uint64_t seed) {
    return held_out_loss_once_learned(shape, images, seed);
  };
  const Race race{loss, kGuessing, kRates, {{"images", fmt::format("{}", images)}}};
  const auto [a, b] = raced(lab, race, where, patient(first), patient(second));
  return compared(where, a, b);
}

Digits with_few(Digits digits, int64_t images) {
  digits.train = {slice(digits.train.images, 0, 0, images), slice(digits.train.labels, 0, 0, images)};
  return digits;
}

Digits two_spirals(std::uint64_t seed) { return both_parts(part_of_spirals, seed); }
Digits checkerboard(std::uint64_t seed) { return both_parts(part_of_checkerboard, seed); }

Condition hard_task(Lab& lab, const Where& where, const std::string& task, const DeepNet& first, const DeepNet& second) {
  const auto longer = [](DeepNet shape) {
    shape.steps = 1000;
    return shape;
  };
  const auto wrong = [&](const DeepNet& shape, std::uint64_t seed) {
    const Digits points = task == "spirals" ? two_spirals(seed) : checkerboard(seed);
    nn::Sequential net = trained(shape, points, seed);
    const NoGrad off;
    return 1 - nn::accuracy(net(flatten(points.held_out.images, 1)), points.held_out.labels);
  };
  const auto [a, b] = raced(lab, {wrong, 0.5, {0.03, 0.1, 0.3}, where}, where, longer(first), longer(second));
  return which_trains(where, a, b);
}

std::vector<double> surer_half(const DeepNet& shape, int64_t images, std::uint64_t seed) {
  const Digits digits = with_few(read_digits(), images);
  nn::Sequential net = trained(shape, digits, seed);
  const NoGrad off;
  const Tensor scores = net(flatten(digits.held_out.images, 1)), p = max(nn::softmax(scores), {1});
  const Tensor right = index_select(argmax(scores) == digits.held_out.labels, 0, argsort(p, 0, true));
  const int64_t n = right.size(0);
  return {mean(slice(right, 0, 0, n / 2)).item() - mean(slice(right, 0, n / 2, n)).item(), loss_on(net, digits.held_out)};
}

}  // namespace gradus::examples
