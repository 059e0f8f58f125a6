#include "nn/study/signal.h"

#include <cmath>

#include "core/autograd/engine.h"
#include "core/tensor/random.h"
#include "nn/loss/cross_entropy.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

nn::LanguageModelOptions of_depth(int64_t layers, const std::string& placement, int64_t width = 16) {
  return {.vocabulary = 11, .context = 8, .d_model = width, .layers = layers, .heads = 2, .d_ff = width,
          .placement = placement};
}

std::vector<nn::LayerSignal> signals_of(nn::LanguageModel& model) {
  Generator generator(3);
  const Tensor ids = randint(0, 11, {2, 8}, generator), targets = randint(0, 11, {2, 8}, generator);
  return nn::layer_signals(model, ids, targets);
}

bool all_finite(const std::vector<nn::LayerSignal>& signals) {
  for (const nn::LayerSignal& s : signals) {
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
    const std::vector<nn::LayerSignal> signals = signals_of(model);
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
  const std::vector<nn::LayerSignal> signals = nn::layer_signals(model, ids, targets);
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
      model.clear_grad();
      nn::cross_entropy(model(ids), targets).backward();
      if (look) CHECK(all_finite(nn::layer_signals(model, ids, targets)));
      for (Tensor& parameter : model.parameters()) parameter.assign(parameter.detach() - 0.1 * parameter.grad());
    }
    return model(ids).detach();
  };
  CHECK(equal(after_three_steps(true), after_three_steps(false)));
}

TEST_CASE("block-gradients: a stream that sublayers leave alone keeps its variance and its gradient") {
  manual_seed(3);
  nn::LanguageModel model(of_depth(4, "rezero"));  // a = 0: every block is the identity
  const std::vector<nn::LayerSignal> signals = signals_of(model);
  for (const nn::LayerSignal& s : signals) {
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
  const std::vector<nn::LayerSignal> signals = signals_of(model);
  // After l sublayers the stream is x₀ and l vectors of mean square 1 at most.
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const double sublayers = 2.0 * static_cast<double>(i);
    CHECK(signals[i].activation_variance <= std::pow(std::sqrt(signals[0].activation_variance) + sublayers, 2) * 1.01);
  }
}

TEST_CASE("block-deepnorm: a thousand layers of width 16 go forward and backward, finite in all layers") {
  manual_seed(5);
  nn::LanguageModelOptions options = of_depth(1000, "deepnorm");
  options.norm = "layer";
  nn::LanguageModel model(options);
  const std::vector<nn::LayerSignal> signals = signals_of(model);
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
  MESSAGE("gradient norm of a block: " << least << " to " << most);
}
