#include "examples/claims/norm_reasons_measures.h"

#include <cmath>

#include "core/core.h"
#include "examples/shared/data/digits.h"
#include "examples/shared/experiment/cell.h"
#include "examples/shared/experiment/least_time.h"
#include "examples/shared/study/norms_measures.h"
#include "nn/activation/relu.h"
#include "nn/init.h"
#include "nn/linear.h"
#include "nn/loss/cross_entropy.h"
#include "nn/norm/batch_norm.h"
#include "nn/norm/group_norm.h"
#include "nn/norm/layer_norm.h"
#include "nn/norm/norm_table.h"
#include "nn/norm/rms_norm.h"
#include "optim/adam.h"
#include "optim/momentum.h"

namespace gradus::examples {
namespace {

constexpr int64_t kUnits = 64, kBatch = 64;

class Shifts : public nn::Layer {
 public:
  Shifts(double size, std::uint64_t seed) : size_(size), random_(seed) {}
  void members(nn::Members&) override {}

 private:
  Tensor forward(const Tensor& x) override {
    const auto around = [&](double centre) { return uniform({x.size(-1)}, centre - size_, centre + size_, DType::f32, random_); };
    const Tensor scaled = x * around(1);
    return scaled + around(0);
  }

  double size_;
  Generator random_;
};

class DigitLearner {
 public:
  DigitLearner(nn::Sequential& net, const Digits& digits, double rate, std::uint64_t seed)
      : net_(net), digits_(digits), optimizer_(net.named_parameters(), {.lr = rate}), random_(seed) {}

  double step() {  // the loss before it
    const auto [images, labels] = random_batch(digits_.train, kBatch, random_);
    const Tensor loss = nn::cross_entropy(net_(flatten(images, 1)), labels);
    loss.backward();
    optimizer_.step();
    optimizer_.zero_grad();
    return loss.item();
  }

 private:
  nn::Sequential& net_;
  const Digits& digits_;
  optim::Momentum optimizer_;
  Generator random_;
};

// What goes into each linear map but the first.
Tensors inputs_of_maps(nn::Sequential& net, const Tensor& images) {
  const NoGrad off;
  Tensors inputs;
  Tensor h = images;
  for (std::size_t i = 0; i < net.size(); ++i) {
    if (i > 0 && dynamic_cast<nn::Linear*>(&net[i]) != nullptr) inputs.push_back(h);
    h = net[i](h);
  }
  return inputs;
}

}  // namespace

nn::Sequential normed_net(const NormedNet& shape, std::uint64_t seed) {
  Generator random(seed);
  nn::Sequential net;
  const auto add_map = [&](int64_t out) {
    nn::Linear linear(kUnits, out);
    nn::init_kaiming_normal(linear.weight, {.gain = 1}, random);
    net.add(std::move(linear));
  };
  for (int layer = 0; layer < shape.layers; ++layer) {
    add_map(kUnits);
    if (shape.norm != "none") net.add(nn::norms().find(shape.norm).value({.width = kUnits}));
    if (shape.shifts > 0) net.add(Shifts(shape.shifts, seed + 100 * static_cast<std::uint64_t>(layer)));
    net.add(nn::act::relu);
  }
  add_map(10);
  return net;
}

double training_loss(const NormedNet& shape, const NetTraining& training, std::uint64_t seed) {
  const Digits digits = read_digits();
  nn::Sequential net = normed_net(shape, seed);
  DigitLearner learner(net, digits, training.rate, seed);
  const int64_t last = training.steps / 4;
  double sum = 0;
  for (int64_t step = 0; step < training.steps; ++step) {
    const double loss = learner.step();
    if (step >= training.steps - last) sum += loss;
  }
  return std::isfinite(sum) ? sum / static_cast<double>(last) : kGuessing;
}

double covariate_shift(const NormedNet& shape, double rate, std::uint64_t seed) {
  const Digits digits = read_digits();
  const Tensor images = flatten(digits.train.images, 1);
  nn::Sequential net = normed_net(shape, seed);
  DigitLearner learner(net, digits, rate, seed);
  const Tensors before = inputs_of_maps(net, images);
  learner.step();
  const Tensors after = inputs_of_maps(net, images);
  double sum = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Tensor moved = mean(after[i], {0}) - mean(before[i], {0});
    sum += std::sqrt((gradus::sum(square(moved)) / gradus::sum(var(before[i], {0}))).item());
  }
  return sum / static_cast<double>(before.size());
}

// --- what γ and β can undo --------------------------------------------------------------------------------------------

double not_undone(const Where& where, std::uint64_t seed) {
  constexpr double eps = 1e-5;
  Generator random(seed);
  const auto rows = [&] {
    const Tensor x = randn({4 * kBatch, kUnits}, DType::f64, random);
    if (level(where, "rows") == "of one size") return x;
    const Tensor size = exp(randn({4 * kBatch, 1}, DType::f64, random));
    return size * x + randn({4 * kBatch, 1}, DType::f64, random);
  };
  const Tensor x = rows();
  const auto normed = [&]() -> Tensor {
    const std::string& norm = level(where, "norm");
    if (norm == "layer") return nn::layer_norm(x, {kUnits}, {}, {}, eps);
    if (norm == "rms") return nn::rms_norm(x, {}, eps);
    if (norm == "batch, in use") {
      const Tensor others = rows();
      return nn::normalize_by(x, mean(others, {0}), var(others, {0}), {}, {}, eps);
    }
    check<ValueError>(norm == "batch, in training", "not_undone: there is no norm '{}'", norm);
    Tensors batches = split(x, kBatch);
    for (Tensor& batch : batches) batch = nn::batch_norm(batch, {}, {}, eps);
    return cat(batches, 0);
  };
  // γ and β by least squares, column by column.
  const Tensor away = centered(x, {0}), hat = centered(normed(), {0});
  const Tensor gain = sum(away * hat, {0}) / sum(square(hat), {0});
  return std::sqrt((sum(square(away - gain * hat)) / sum(square(away))).item());
}

// --- what it costs ----------------------------------------------------------------------------------------------------

double share_of_norms(const Where& where, std::uint64_t seed) {
  constexpr int kTurns = 8;
  TrainOptions options = small_model(1'000'000);
  options.seed = seed;
  options.batch = 8;
  options.model.context = 64;
  options.model.layers = 4;
  options.model.d_model = whole_at(where, "width");
  options.model.heads = options.model.d_model / 32;
  vary(options, "norm", level(where, "norm"));
  const Corpus corpus = Corpus::shakespeare(options.model.context);
  Trainer trainer(options, corpus);

  Generator random(seed);
  const Shape shape{options.batch, options.model.context, options.model.d_model};
  const Tensor x = randn(shape, DType::f32, random).set_requires_grad(), g = randn(shape, DType::f32, random);
  const nn::LayerPtr norm = nn::norms().find(level(where, "norm")).value({.width = options.model.d_model});
  Tensors inputs = norm->parameters();
  inputs.push_back(x);
  const auto norms = [&](bool op_by_op) {
    return [&, op_by_op] {
      const FormulaOnly mode(op_by_op);
      for (int64_t i = 0; i < 2 * options.model.layers + 1; ++i) grad({(*norm)(x)}, inputs, {.seeds = {g}});
    };
  };
  const std::vector<double> times = least_milliseconds({[&] { trainer.step(); }, norms(false), norms(true)}, kTurns);
  const double of_norms = level(where, "computed") == "kernels" ? times[1] : times[2];
  return of_norms / (times[0] - times[1] + of_norms);
}

// --- texts of unequal length ------------------------------------------------------------------------------------------

double moved_by_length(const Where& where, std::uint64_t seed) {
  constexpr int64_t sentences = 4, words = 8, features = 16;
  const bool padding = level(where, "rows more") == "padding";
  const int64_t more = (whole_at(where, "longer") - 1) * (padding ? sentences : sentences - 1) * words;
  Generator random(seed);
  const Tensor usual = randn({features}, DType::f32, random);
  const auto drawn = [&](int64_t rows) { return usual + randn({rows, features}, DType::f32, random); };
  const Tensor batch = drawn(sentences * words);
  const Tensor longer = cat({batch, padding ? zeros({more, features}) : drawn(more)}, 0);
  nn::BatchNorm1d norm(features);
  norm(batch);  // collects statistics
  if (level(where, "mode") == "use") norm.eval();
  const auto first = [&](const Tensor& x) { return slice(norm(x), 0, 0, words); };
  return relative_difference(first(longer), first(batch));
}

// --- transfer ---------------------------------------------------------------------------------------------------------

namespace {

using Rewrite = std::function<Batch(const Batch&)>;

double loss_after_learning(nn::LanguageModel& model, const TrainOptions& options, const Corpus& corpus, const Rewrite& rewrite) {
  const auto loss = [&](const Batch& original) {
    const Batch batch = rewrite(original);
    return nn::cross_entropy(model(batch.inputs), batch.targets);
  };
  optim::AdamW optimizer(model.named_parameters(), {.lr = options.schedule.max_lr / 3, .beta2 = 0.95});
  Generator random(options.seed + 2);
  for (int64_t step = 0; step < options.schedule.total / 2; ++step) {
    loss(corpus.random_batch(options.batch, random)).backward();
    optimizer.step();
    optimizer.zero_grad();
  }
  const NoGrad off;
  double sum = 0;
  for (int64_t i = 0; i < kValidationBatches; ++i) sum += loss(corpus.validation_batch(i, options.batch)).item();
  return sum / static_cast<double>(kValidationBatches);
}

}  // namespace

std::vector<double> losses_after_transfer(const TrainOptions& options, const Corpus& corpus) {
  Trainer trainer(options, corpus);
  train_through(trainer, options, [](const StepResult&) {});
  Generator random(options.seed + 1);
  const Tensor other = randperm(256, random);
  const Rewrite exchanged = [&](const Batch& b) { return Batch{take(other, b.inputs), take(other, b.targets)}; },
                backwards = [](const Batch& b) { return Batch{flip(b.targets, {1}), flip(b.inputs, {1})}; };
  std::vector<double> losses;
  for (const Rewrite& rewrite : {exchanged, backwards}) {
    nn::LanguageModel model(options.model);
    model.load_state_dict(trainer.model().state_dict());
    losses.push_back(loss_after_learning(model, options, corpus, rewrite));
  }
  return losses;
}

// --- an outlier -------------------------------------------------------------------------------------------------------

double moved_by_outlier(const Where& where, std::uint64_t seed) {
  constexpr int64_t rows = 256;
  const int64_t width = whole_at(where, "width"), groups = whole_at(where, "groups");
  Generator random(seed);
  const Tensor x = randn({rows, width}, DType::f64, random);
  const Tensor with = cat({full({rows, 1}, number_at(where, "outlier"), DType::f64), slice(x, 1, 1)}, 1);
  const auto others = [&](const Tensor& row) { return slice(nn::group_norm(row, groups), 1, 1); };
  return relative_difference(others(with), others(x));
}

// --- along time -------------------------------------------------------------------------------------------------------

double log_gradient_of_a_step(const Recurrence& recurrence, std::uint64_t seed) {
  constexpr int64_t states = 16;
  constexpr int steps = 50;
  Generator random(seed);
  const auto normal = [&](const Shape& shape) { return randn(shape, DType::f64, random); };
  const Tensor u = recurrence.weights / std::sqrt(static_cast<double>(kUnits)) * normal({kUnits, kUnits});
  const Tensor first = normal({states, kUnits}).set_requires_grad();
  Tensor h = first;
  for (int t = 0; t < steps; ++t) {
    const Tensor a = matmul(h, u, {.transpose_b = true}) + recurrence.inputs * normal({states, kUnits});
    h = tanh(recurrence.normed ? nn::layer_norm(a, {kUnits}) : a);
  }
  const Tensor g = normal(h.shape());
  const Tensor at_first = grad({h}, {first}, {.seeds = {g}})[0];
  return std::log(sum(square(at_first)).item() / sum(square(g)).item()) / (2 * steps);
}

}  // namespace gradus::examples
