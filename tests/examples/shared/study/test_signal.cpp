#include "examples/shared/study/signal.h"

#include <cmath>

#include "core/autograd/engine.h"
#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "nn/loss/cross_entropy.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

nn::LanguageModelOptions of_depth(int64_t layers, const std::string& placement, int64_t width = 16) {
  return {.vocabulary = 11, .context = 8, .d_model = width, .layers = layers, .heads = 2, .d_ff = width, .placement = placement};
}

std::vector<LayerSignal> signals_of(nn::LanguageModel& model) {
  Generator generator(3);
  const Tensor ids = randint(0, 11, {2, 8}, generator), targets = randint(0, 11, {2, 8}, generator);
  return layer_signals(model, ids, targets);
}

bool all_finite(const std::vector<LayerSignal>& signals) {
  for (const LayerSignal& s : signals) {
    if (!std::isfinite(s.activation_variance + s.stream_gradient + s.parameter_gradient)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("block-gradients: one row for the embedding and one for each block, in every placement") {
  for (const auto& placement : nn::placements().variants) {
    CAPTURE(placement.name);
    manual_seed(1);
    nn::LanguageModel model(of_depth(5, std::string(placement.name)));
    const std::vector<LayerSignal> signals = signals_of(model);
    REQUIRE(signals.size() == 6);
    CHECK(all_finite(signals));
    CHECK(signals[0].parameter_gradient == 0);
    for (std::size_t i = 0; i < signals.size(); ++i) {
      CHECK(signals[i].activation_variance > 0);
      CHECK(signals[i].stream_gradient > 0);
      if (i > 0) CHECK(signals[i].parameter_gradient > 0);
    }
  }
}

TEST_CASE("block-gradients: the numbers are the variance of the stream, and the gradient norms of backward()") {
  manual_seed(2);
  nn::LanguageModel model(of_depth(2, "pre"));
  model.to(DType::f64);
  const Tensor ids = tensor({{1, 2, 3}}, DType::i64), targets = tensor({{2, 3, 4}}, DType::i64);
  const std::vector<LayerSignal> signals = layer_signals(model, ids, targets);
  for (const Tensor& parameter : model.parameters()) CHECK_FALSE(parameter.grad().defined());  // it only reads

  const Tensor embedded = model.embed(ids);
  CHECK(signals[0].activation_variance == doctest::Approx(var(embedded, {}, 0).item()).epsilon(1e-12));
  nn::cross_entropy(model(ids), targets).backward();
  double squares = 0;
  for (const Tensor& parameter : model.stack().block(1).parameters()) squares += sum(square(parameter.grad())).item();
  CHECK(signals[2].parameter_gradient == doctest::Approx(std::sqrt(squares)).epsilon(1e-12));
}

TEST_CASE("block-gradients: in the midst of a training step it changes nothing") {
  const Tensor ids = tensor({{1, 2, 3}}, DType::i64), targets = tensor({{2, 3, 4}}, DType::i64);
  const auto after_three_steps = [&](bool look) {
    manual_seed(6);
    nn::LanguageModel model(of_depth(2, "resi-dual"));
    for (int step = 0; step < 3; ++step) {
      model.zero_grad();
      nn::cross_entropy(model(ids), targets).backward();
      if (look) CHECK(all_finite(layer_signals(model, ids, targets)));
      for (Tensor& parameter : model.parameters()) parameter.assign(parameter.detach() - 0.1 * parameter.grad());
    }
    return model(ids).detach();
  };
  CHECK(equal(after_three_steps(true), after_three_steps(false)));
}

TEST_CASE("block-gradients: a stream that sublayers leave alone keeps its variance and its gradient") {
  manual_seed(3);
  nn::LanguageModel model(of_depth(4, "rezero"));  // a = 0: every block is the identity
  const std::vector<LayerSignal> signals = signals_of(model);
  for (const LayerSignal& s : signals) {
    CHECK(s.activation_variance == signals[0].activation_variance);
    CHECK(s.stream_gradient == doctest::Approx(signals[0].stream_gradient).epsilon(1e-6));
  }
}

TEST_CASE("block-sandwich: what a sublayer adds is bounded, however large the weights") {
  manual_seed(4);
  nn::LanguageModel model(of_depth(6, "sandwich"));
  for (const auto& [path, parameter, role] : model.stack().named_parameters()) {
    Tensor handle = parameter;
    if (handle.rank() == 2) handle.assign(handle.detach() * 1000);
  }
  const std::vector<LayerSignal> signals = signals_of(model);
  // After l sublayers the stream is x₀ and l vectors of mean square 1 at most.
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const double sublayers = 2.0 * static_cast<double>(i);
    CHECK(signals[i].activation_variance <= std::pow(std::sqrt(signals[0].activation_variance) + sublayers, 2) * 1.01);
  }
}

namespace {

// How far one step of descent on the matrices moves what the stack hands on: the root mean square of its change.
double moved_by_a_step(nn::LanguageModel& model) {
  Generator generator(3);
  const Tensor ids = randint(0, 11, {2, 8}, generator), targets = randint(0, 11, {2, 8}, generator);
  const Tensor x = model.embed(ids).detach(), before = model.stack()(x);
  const nn::NamedTensors matrices = nn::linear_maps(model.stack().named_parameters());
  Tensors weights;
  for (const auto& [path, weight, role] : matrices) weights.push_back(weight);
  const Tensors gradients = grad({nn::cross_entropy(model.logits(before), targets)}, weights);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i].assign(weights[i].detach() - 0.001 * gradients[i]);
  const NoGrad off;
  return std::sqrt(mean(square(model.stack()(x) - before)).item());
}

// 1 - the cosine between the stream after the first block and after the last.
double turned(nn::LanguageModel& model) {
  const NoGrad off;
  std::vector<nn::Stream> trace;
  model.stack()(model.embed(reshape(arange(8), {1, 8})), {.trace = &trace});
  const Tensor first = trace[1].x, last = trace.back().x;
  return 1 - (sum(first * last) / sqrt(sum(first * first) * sum(last * last))).item();
}

}  // namespace

// What α and β are for: one step moves the model as much at any depth (Wang et al., 2022). With α = 1 or β = ¼ it moves the
// thousand layers 15 times as far as the eight; and these turn the stream by 0.04 and 0.05 at the start, β = 1 by 1.
TEST_CASE(
    "block-deepnorm: a thousand layers of width 16 go forward and backward, finite in all layers, and one step moves them "
    "no farther than it moves eight layers") {
  const auto deep = [](int64_t layers) {
    nn::LanguageModelOptions options = of_depth(layers, "deepnorm");
    options.norm = "layer";
    options.feed_forward = "relu";
    manual_seed(5);
    return nn::LanguageModel(options);
  };
  nn::LanguageModel model = deep(1000), shallow = deep(8);
  const std::vector<LayerSignal> signals = signals_of(model);
  REQUIRE(signals.size() == 1001);
  CHECK(all_finite(signals));
  double least = signals[1].parameter_gradient, most = least;
  for (std::size_t i = 1; i < signals.size(); ++i) {
    CHECK(signals[i].activation_variance == doctest::Approx(1).epsilon(0.01));
    least = std::min(least, signals[i].parameter_gradient);
    most = std::max(most, signals[i].parameter_gradient);
  }
  CHECK(least > 0);
  CHECK(most / least < 1000);
  CHECK(turned(model) < 0.01);
  const double farther = moved_by_a_step(model) / moved_by_a_step(shallow);
  CHECK(farther > 0.4);
  CHECK(farther < 2.5);
}
