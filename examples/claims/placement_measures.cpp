#include "examples/claims/placement_measures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/autograd/engine.h"
#include "core/core.h"
#include "nn/activation/sigmoid.h"
#include "nn/block/deep_norm.h"
#include "nn/loss/cross_entropy.h"
#include "nn/norm/layer_norm.h"
#include "optim/adam.h"
#include "optim/schedule.h"

namespace gradus::examples {
namespace {

constexpr double kStackRate = 1e-3;

double length(const Tensor& x) { return std::sqrt(sum(square(cast(x, DType::f64))).item()); }

}  // namespace

StackChoice stack_at(const Where& where, const nn::PlacementChoice& placement) {
  StackChoice choice{.placement = placement, .d_model = 32};
  for (const auto& [factor, value] : where) {
    if (factor == "init") choice.init = value;
    if (factor == "blocks") choice.depth = std::stoll(value);
    if (factor == "feed-forward") choice.feed_forward = value;
  }
  return choice;
}

// --- gradients --------------------------------------------------------------------------------------------------------

TrainedStack trained_block_gradients(const StackChoice& choice, const optim::ScheduleOptions& rate, const Corpus& corpus,
                                     std::uint64_t seed, int64_t steps) {
  constexpr int64_t kWindows = 128;
  nn::LanguageModel model = trained_stack(choice, rate, steps, corpus, seed);
  const Batch batch = corpus.validation_batch(0, choice.batch);
  TrainedStack stack;
  for (const LayerSignal& signal : layer_signals(model, batch.inputs, batch.targets)) {
    stack.gradients.push_back(signal.parameter_gradient);
  }
  stack.gradients.erase(stack.gradients.begin());  // belongs to no block
  const NoGrad off;
  const Batch windows = corpus.validation_batch(0, kWindows);
  stack.loss = nn::cross_entropy(model(windows.inputs), windows.targets).item();
  return stack;
}

std::vector<double> block_gradients(const StackChoice& choice, const Corpus& corpus, std::uint64_t seed) {
  return trained_block_gradients(choice, {.max_lr = 0, .warmup = 0}, corpus, seed, 0).gradients;
}

double bottom_over_top(const std::vector<double>& gradients) { return gradients.front() / gradients.back(); }

double largest_over_smallest(const std::vector<double>& gradients) {
  const auto [least, most] = std::minmax_element(gradients.begin(), gradients.end());
  return *most / *least;
}

// --- what post-norm leaves of the first stream ------------------------------------------------------------------------

namespace {

enum class Sublayers { own, noise };

// Post-norm whose second stream is what each token still has of its first one: [B, T, 1].
class FollowedPostNorm : public nn::Placement {
 public:
  FollowedPostNorm(const nn::PlacementOptions& options, Sublayers sublayers) : Placement(options), sublayers_(sublayers) {}
  bool needs_final_norm() const override { return false; }

 protected:
  nn::Stream step(std::size_t, const nn::Stream& s, const nn::Sublayer& f) override {
    const Tensor left = s.second.defined() ? s.second : tensor(1);
    const Tensor louder = s.x + (sublayers_ == Sublayers::noise ? randn(s.x.shape()) : f(s.x));
    return {nn::layer_norm(louder, {louder.size(-1)}), left / stddev(louder, {-1}, 0, true)};
  }

 private:
  Sublayers sublayers_;
};

nn::PlacementPtr followed_post_norm(const nn::PlacementOptions& options) {
  return std::make_unique<FollowedPostNorm>(options, Sublayers::own);
}

}  // namespace

nn::PlacementPtr post_norm_of_noise(const nn::PlacementOptions& options) {
  return std::make_unique<FollowedPostNorm>(options, Sublayers::noise);
}

double halvings_over_theory(const StackChoice& choice, std::uint64_t seed) {
  const NoGrad off;
  manual_seed(seed);
  StackChoice followed = choice;
  if (choice.placement.name == "post") followed.placement = followed_post_norm;
  nn::LanguageModel model = stack_of(followed);
  std::vector<nn::Stream> trace;
  model.stack()(model.embed(randint(0, 256, {choice.batch, choice.context})), {.trace = &trace});
  const double halvings = -mean(log(trace.back().second)).item() / std::log(2.0);
  const double sublayers = 2 * static_cast<double>(choice.depth);
  return halvings / (sublayers / 2);
}

// --- one after the other, or side by side -----------------------------------------------------------------------------

double lost_side_by_side(const StackChoice& choice, const Corpus& corpus, std::uint64_t seed, int64_t steps) {
  nn::LanguageModel model = trained_stack(choice, {.max_lr = kStackRate, .warmup = 0}, steps, corpus, seed);
  const NoGrad off;
  nn::Stack& stack = model.stack();
  std::vector<nn::Stream> trace;
  stack(model.embed(corpus.validation_batch(0, choice.batch).inputs), {.trace = &trace});
  double lost = 0;
  const std::size_t half = stack.size() / 2, last = stack.size() - 1;
  for (std::size_t i = half; i < last; ++i) {
    const Tensor& x = trace[i].x;
    const Tensor first = trace[i + 1].x - x, both = trace[i + 2].x - x, second = stack.block(i + 1)({x}).x - x;
    lost += length(both - (first + second)) / length(both);
  }
  return lost / static_cast<double>(last - half);
}

// --- how loud the stream gets -----------------------------------------------------------------------------------------

namespace {

double variance_at_the_top(nn::LanguageModel& model, const Tensor& ids) {
  std::vector<nn::Stream> trace;
  model.stack()(model.embed(ids), {.trace = &trace});
  return var(trace.back().x, {}, 0).item();
}

}  // namespace

double top_variance(const StackChoice& choice, double weights, std::uint64_t seed) {
  const NoGrad off;
  manual_seed(seed);
  nn::LanguageModel model = stack_of(choice);
  for (std::size_t i = 0; i < model.stack().size(); ++i) {
    for (NamedTensor& map : nn::linear_maps(model.stack().block(i).named_parameters())) {
      map.tensor.assign(weights * map.tensor);
    }
  }
  return variance_at_the_top(model, randint(0, 256, {choice.batch, choice.context}));
}

double trained_top_variance(const StackChoice& choice, const Corpus& corpus, std::uint64_t seed, int64_t steps) {
  nn::LanguageModel model = trained_stack(choice, {.max_lr = kStackRate, .warmup = steps / 10}, steps, corpus, seed);
  const NoGrad off;
  return variance_at_the_top(model, corpus.validation_batch(0, choice.batch).inputs);
}

// --- a thousand blocks ------------------------------------------------------------------------------------------------

std::vector<double> losses_from_below(const StackChoice& choice, const Corpus& corpus, int64_t trained_blocks, int64_t steps,
                                      std::uint64_t seed) {
  manual_seed(seed);
  nn::LanguageModel model = stack_of(choice);
  for (Tensor& parameter : model.parameters()) parameter.set_requires_grad(false);
  NamedTensors trained;
  for (int64_t i = 0; i < trained_blocks; ++i) {
    for (NamedTensor& parameter : model.stack().block(static_cast<std::size_t>(i)).named_parameters()) {
      parameter.tensor.set_requires_grad();
      parameter.name = fmt::format("blocks.{}.{}", i, parameter.name);
      trained.push_back(parameter);
    }
  }
  optim::AdamW optimizer(trained, {.lr = kStackRate});
  Generator random(seed + 1);
  const Batch batch = corpus.random_batch(choice.batch, random);
  double before = 0;
  for (int64_t step = 0;; ++step) {
    const Tensor loss = nn::cross_entropy(model(batch.inputs), batch.targets);
    if (step == 0) before = loss.item();
    if (step == steps) {
      const Batch other = corpus.validation_batch(0, choice.batch);
      return {before, loss.item(), nn::cross_entropy(model(other.inputs), other.targets).item()};
    }
    loss.backward();
    optimizer.step();
    optimizer.zero_grad();
  }
}

// --- by heart ---------------------------------------------------------------------------------------------------------

double held_out_loss_at(double training_loss, const StackChoice& choice, const Corpus& corpus, std::uint64_t seed) {
  constexpr int64_t kWindows = 64, kBatch = 8, kSteps = 3000, kBetweenLooks = 20;
  manual_seed(seed);
  nn::LanguageModel model = stack_of(choice);
  optim::AdamW optimizer(model.named_parameters(), {});
  const optim::ScheduleOptions rate{.max_lr = kStackRate, .warmup = 100};
  Generator random(seed + 1);
  const Batch known = corpus.random_batch(kWindows, random), others = corpus.validation_batch(0, kWindows);
  const auto loss_on = [&](const Batch& batch) {
    const NoGrad off;
    return nn::cross_entropy(model(batch.inputs), batch.targets).item();
  };
  for (int64_t step = 0; step < kSteps; ++step) {
    if (step % kBetweenLooks == 0 && loss_on(known) < training_loss) return loss_on(others);
    const int64_t first = kBatch * step % kWindows;
    nn::cross_entropy(model(slice(known.inputs, 0, first, first + kBatch)), slice(known.targets, 0, first, first + kBatch)).backward();
    optimizer.step(optim::warmup_schedule(rate, step + 1));
    optimizer.zero_grad();
  }
  return std::nan("");
}

namespace {

Tensors moved_parameters(nn::Stack& stack, Moved moved) {
  if (moved == Moved::all) return stack.parameters();
  Tensors maps;
  for (const NamedTensor& map : nn::linear_maps(stack.named_parameters())) maps.push_back(map.tensor);
  return maps;
}

// ‖ΔF‖ / η for a step so small that ΔF is in proportion to it.
double update_of(const StackChoice& choice, DescentStep step, Moved moved, std::uint64_t seed) {
  manual_seed(seed);
  nn::LanguageModel model = stack_of(choice);
  model.to(DType::f64);
  const Tensor x = model.embed(randint(0, 256, {choice.batch, choice.context})).detach(),
               targets = randint(0, 256, {choice.batch, choice.context});
  const Tensor before = model.stack()(x);
  Tensors parameters = moved_parameters(model.stack(), moved);
  const Tensors gradients = grad({nn::cross_entropy(model.logits(before), targets)}, parameters);
  const NoGrad off;
  const double eta = step == DescentStep::sign ? 1e-7 : 1e-4;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    parameters[i].assign(parameters[i] - eta * (step == DescentStep::sign ? sign(gradients[i]) : gradients[i]));
  }
  return length(model.stack()(x) - before) / eta;
}

double slope(const std::vector<double>& x, const std::vector<double>& y) {
  double sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  const auto n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    sum_x += x[i], sum_y += y[i], sum_xx += x[i] * x[i], sum_xy += x[i] * y[i];
  }
  return (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
}

}  // namespace

double update_growth(StackChoice choice, const std::vector<int64_t>& depths, DescentStep step, Moved moved, std::uint64_t seed) {
  std::vector<double> x, y;
  for (const int64_t depth : depths) {
    choice.depth = depth;
    x.push_back(std::log(static_cast<double>(depth)));
    y.push_back(std::log(update_of(choice, step, moved, seed)));
  }
  return slope(x, y);
}

// --- errata -----------------------------------------------------------------------------------------------------------

double moved_by_alpha(WhatXIs x, int64_t layers, std::uint64_t seed) {
  constexpr int64_t kRowTokens = 32, kWidth = 64;
  Generator random(seed);
  const Tensor input = randn({kRowTokens, kWidth}, DType::f32, random);
  const Tensor output = matmul(input, randn({kWidth, kWidth}, DType::f32, random) / std::sqrt(static_cast<double>(kWidth)));
  const auto result = [&](double alpha) { return nn::layer_norm(alpha * (x == WhatXIs::output ? output : input) + output, {kWidth}); };
  const double alpha = nn::deep_norm_scale({.layers = layers}).alpha;
  return length(result(alpha) - result(1)) / length(result(1));
}

// --- deep stacks in training ------------------------------------------------------------------------------------------

Warmup warmup_at(const Where& where) {
  const std::string& warmup = level(where, "warm-up");
  return warmup == "none" ? Warmup::none : warmup == "half" ? Warmup::half : warmup == "a quarter" ? Warmup::a_quarter : Warmup::a_tenth;
}

int64_t deep_steps(const Lab& lab) { return lab.full() ? 1000 : 300; }

TrainOptions deep_run(const std::string& placement, int64_t blocks, Warmup warmup, int64_t steps) {
  TrainOptions run = small_model(steps);
  run.model = options_of({.placement = placement, .depth = blocks, .d_model = 32, .heads = 2});
  run.schedule.warmup = warmup == Warmup::none        ? 0
                        : warmup == Warmup::half      ? steps / 2
                        : warmup == Warmup::a_quarter ? steps / 4
                                                      : steps / 10;
  return with_rate(run, 1e-3);
}

TrainOptions deep_run(const Where& where, const std::string& placement) {
  return deep_run(placement, whole_at(where, "blocks"), warmup_at(where), whole_at(where, "steps"));
}

Arm arm_over_rates(Lab& lab, const std::string& name, const TrainOptions& run) {
  Arm mean;
  for (const double rate : kTriedRates) {
    const Arm one = lab.arm(name, with_rate(run, rate));
    if (mean.losses.empty()) mean = {.name = name, .losses = std::vector<double>(one.losses.size()), .line = one.line};
    mean.commits.insert(one.commits.begin(), one.commits.end());
    for (std::size_t i = 0; i < one.losses.size(); ++i) {
      mean.losses[i] += std::min(one.losses[i], std::log(256.0)) / static_cast<double>(std::size(kTriedRates));
    }
  }
  return mean;
}

}  // namespace gradus::examples
