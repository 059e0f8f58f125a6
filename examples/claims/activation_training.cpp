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

double held_out_loss_once_learned(const DeepNet& shape, int64_t images, double learned, std::uint64_t seed) {
  const Digits digits = with_few(read_digits(), images);
  const auto enough = [&](nn::Sequential& net) { return loss_on(net, digits.train) < learned; };
  nn::Sequential net = trained(shape, digits, seed, enough);
  return enough(net) ? loss_on(net, digits.held_out) : kGuessing;
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
  const auto finite = [&](double loss) { return std::isfinite(loss) ? loss : race.guessing; };
  const auto arm = [&](DeepNet shape) {
    Where of{{"f", shape.f.name()}, {"hidden layers", fmt::format("{}", shape.layers)}, {"steps", fmt::format("{}", shape.steps)}};
    of.insert(of.end(), race.on.begin(), race.on.end());
    const Rate rate = lab.best_rate(of, race.rates, [&](const Where& trial, std::uint64_t seed) {
      DeepNet other = shape;
      other.rate = number_at(trial, "rate");
      return finite(race.loss(other, seed));
    });
    shape.rate = rate.value;
    Where at = where;
    at.emplace_back("of", shape.f.name());
    const Condition found = lab.each({at}, [&](const Where&, std::uint64_t seed) { return finite(race.loss(shape, seed)); })[0];
    return Arm{shape.f.name(), found.values, race.line, rate, found.commits};
  };
  return {arm(first), arm(second)};
}

Evidence digit_losses(Lab& lab, const nn::Activation& first, const nn::Activation& second, const std::vector<std::string>& steps,
                      const std::vector<int>& hidden_layers) {
  Evidence evidence;
  for (const std::string& level : steps) {
    for (const int layers : hidden_layers) {
      const Where where{{"steps", level}, {"network", fmt::format("digits, hidden layers {}", layers)}};
      const auto net = [&](const nn::Activation& f) { return DeepNet{.f = f, .layers = layers, .steps = std::stoi(level)}; };
      const Race race{held_out_loss, kGuessing, one_pixel_line(DigitsPart::held_out), kRates};
      const auto [a, b] = raced(lab, race, where, net(first), net(second));
      evidence.push_back(compared(where, a, b));
    }
  }
  return evidence;
}

Condition after_sgd(Lab& lab, const Where& where, const DeepNet& first, const DeepNet& second) {
  const auto plain = [&](DeepNet shape) {
    shape.steps = whole_at(where, "steps");
    shape.momentum = 0;
    return shape;
  };
  const Race race{training_loss, kGuessing, one_pixel_line(DigitsPart::train), {0.01, 0.03, 0.1, 0.3, 1, 3, 10}};
  const auto [a, b] = raced(lab, race, where, plain(first), plain(second));
  return compared(where, a, b);
}

Condition once_learned(Lab& lab, const Where& where, int64_t images, const DeepNet& first, const DeepNet& second) {
  const auto patient = [](DeepNet shape) {
    shape.steps = 2000;
    return shape;
  };
  const std::string& learned = level(where, "training loss");
  const auto loss = [&](const DeepNet& shape, std::uint64_t seed) {
    return held_out_loss_once_learned(shape, images, std::stod(learned), seed);
  };
  const Race race{
      loss, kGuessing, one_pixel_line(DigitsPart::held_out), kRates, {{"images", fmt::format("{}", images)}, {"training loss", learned}}};
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
  const auto longer = [&](DeepNet shape) {
    shape.steps = whole_at(where, "steps");
    return shape;
  };
  const auto wrong = [&](const DeepNet& shape, std::uint64_t seed) {
    const Digits points = task == "spirals" ? two_spirals(seed) : checkerboard(seed);
    nn::Sequential net = trained(shape, points, seed);
    const NoGrad off;
    return 1 - nn::accuracy(net(flatten(points.held_out.images, 1)), points.held_out.labels);
  };
  const Where linear{{"task", task}, {"net", "a straight line"}};
  const Condition by_a_line = lab.each(
      {linear}, [&](const Where&, std::uint64_t seed) { return wrong({.f = first.f, .layers = 0, .rate = 0.1, .steps = 1000}, seed); })[0];
  const Baseline line{"a straight line", spread_of(by_a_line.values).mean};
  const auto [a, b] = raced(lab, {wrong, 0.5, line, {0.01, 0.03, 0.1, 0.3, 1}, where}, where, longer(first), longer(second));
  return compared(where, a, b);
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
