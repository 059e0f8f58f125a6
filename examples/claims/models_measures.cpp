#include "examples/claims/models_measures.h"

#include <algorithm>
#include <cmath>

#include "core/core.h"
#include "examples/shared/experiment/cell.h"
#include "examples/shared/study/noise_decay.h"
#include "examples/shared/training/trainer.h"
#include "optim/optim.h"

namespace gradus::examples {

std::vector<double> logit_sizes(const TrainOptions& options, const Corpus& corpus) {
  Trainer trainer(options, corpus);
  while (trainer.steps_done() < options.schedule.total) trainer.step();
  const NoGrad off;
  trainer.model().eval();
  const Tensor z = trainer.model()(corpus.validation_batch(0, 32).inputs);
  return {mean(abs(logsumexp(z, -1))).item(), mean(max(abs(z), -1)).item()};
}

// --- parameters -------------------------------------------------------------------------------------------------------

double ParameterCount::of(int64_t vocabulary, int64_t layers) const {
  return static_cast<double>(one + (vocabulary - 1) * each_id + (layers - 1) * each_block);
}

ParameterCount parameter_count(int64_t d_model, bool tied) {
  const auto count = [&](int64_t vocabulary, int64_t layers) {
    return nn::LanguageModel({.vocabulary = vocabulary, .d_model = d_model, .layers = layers, .heads = d_model / 16, .tie_weights = tied})
        .parameter_count();
  };
  const int64_t one = count(1, 1);
  return {one, count(2, 1) - one, count(1, 2) - one};
}

TrainOptions with_parameters(TrainOptions options, int64_t parameters) {
  options.model.d_ff = std::max<int64_t>(1, fitted_width(options, parameters));
  return options;
}

TrainOptions of_shape(const TrainOptions& options, int64_t d_model, int64_t layers, int64_t parameters) {
  TrainOptions other = options;
  other.model.d_model = d_model;
  other.model.layers = layers;
  other.model.heads = d_model / 8;
  return with_parameters(other, parameters);
}

// --- weight decay -----------------------------------------------------------------------------------------------------

namespace {

constexpr double kRate = 1e-3, kDecay = 0.1;
constexpr int64_t kSteps = 4000;

optim::ParameterGroups decaying(const Tensor& weights) { return {{{{"weights", weights}}, kDecay}}; }

class DecoupledSGD : public optim::Optimizer {
 public:
  explicit DecoupledSGD(const Tensor& weights) : Optimizer("DecoupledSGD", decaying(weights), kRate, 0) {}

 protected:
  void update(std::size_t, Tensor& w, double lr, double decay) override { w.assign(w - lr * w.grad() - lr * decay * w); }
};

}  // namespace

double decay_apart(const std::string& optimizer, double scale, std::uint64_t seed) {
  check<ValueError>(optimizer == "sgd" || optimizer == "adam", "decay_apart: knows sgd and adam, got {}", optimizer);
  const bool sgd = optimizer == "sgd";
  const auto coupled = [&](const Tensor& w) -> std::unique_ptr<optim::Optimizer> {
    if (sgd) return std::make_unique<optim::SGD>(decaying(w), optim::SGDOptions{.lr = kRate});
    return std::make_unique<optim::Adam>(decaying(w), optim::AdamOptions{.lr = kRate});
  };
  const auto decoupled = [&](const Tensor& w) -> std::unique_ptr<optim::Optimizer> {
    if (sgd) return std::make_unique<DecoupledSGD>(w);
    return std::make_unique<optim::AdamW>(decaying(w), optim::AdamWOptions{.lr = kRate});
  };
  return left_in_noise(decoupled, scale, kSteps, seed) - left_in_noise(coupled, scale, kSteps, seed);
}

}  // namespace gradus::examples
