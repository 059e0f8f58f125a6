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

Race::Loss loss_of_digits(LabelledImages Digits::* part) {
  return [part](const DeepNet& shape, std::uint64_t seed) {
    const Digits digits = read_digits();
    nn::Sequential net = trained(shape, digits, seed);
    return loss_on(net, digits.*part);
  };
}

DeepNet of_steps(DeepNet shape, int steps) {
  shape.steps = steps;
  return shape;
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

Condition raced(Lab& lab, const Race& race, const Where& where, const DeepNet& first, const DeepNet& second) {
  const auto arm = [&](const DeepNet& shape) {
    const Where net{{"f", shape.f.name()}, {"hidden layers", std::to_string(shape.layers)}, {"steps", std::to_string(shape.steps)}};
    return lab.at_best_rate(shape.f.name(), race.line, joined(net, race.on), race.rates, [&](const Where& at, std::uint64_t seed) {
      DeepNet tried = shape;
      tried.rate = number_at(at, "rate");
      const double loss = race.loss(tried, seed);
      return std::isfinite(loss) ? loss : race.guessing;
    });
  };
  return compared(where, arm(first), arm(second));
}

Condition digit_losses(Lab& lab, const Where& where, const DeepNet& first, const DeepNet& second) {
  const int steps = whole_at(where, "steps");
  return raced(lab, {loss_of_digits(&Digits::held_out), kGuessing, one_pixel_line(DigitsPart::held_out), kRates}, where,
               of_steps(first, steps), of_steps(second, steps));
}

Condition after_sgd(Lab& lab, const Where& where, const DeepNet& first, const DeepNet& second) {
  const auto plain = [&](DeepNet shape) {
    shape.momentum = 0;
    return of_steps(shape, whole_at(where, "steps"));
  };
  const std::vector<double> rates{0.01, 0.03, 0.1, 0.3, 1, 3, 10};
  return raced(lab, {loss_of_digits(&Digits::train), kGuessing, one_pixel_line(DigitsPart::train), rates}, where, plain(first),
               plain(second));
}

Condition once_learned(Lab& lab, const Where& where, int64_t images, const DeepNet& first, const DeepNet& second) {
  constexpr int enough = 2000;
  const auto loss = [&](const DeepNet& shape, std::uint64_t seed) {
    return held_out_loss_once_learned(shape, images, number_at(where, "training loss"), seed);
  };
  const Where on{{"images", fmt::format("{}", images)}, {"training loss", level(where, "training loss")}};
  return raced(lab, {loss, kGuessing, one_pixel_line(DigitsPart::held_out), kRates, on}, where, of_steps(first, enough),
               of_steps(second, enough));
}

Digits with_few(Digits digits, int64_t images) {
  digits.train = {slice(digits.train.images, 0, 0, images), slice(digits.train.labels, 0, 0, images)};
  return digits;
}

Digits two_spirals(std::uint64_t seed) { return both_parts(part_of_spirals, seed); }
Digits checkerboard(std::uint64_t seed) { return both_parts(part_of_checkerboard, seed); }

Condition hard_task(Lab& lab, const Where& where, const std::string& task, const DeepNet& first, const DeepNet& second) {
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
  const int steps = whole_at(where, "steps");
  return raced(lab, {wrong, 0.5, line, {0.01, 0.03, 0.1, 0.3, 1}, where}, where, of_steps(first, steps), of_steps(second, steps));
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
