// What layer_signals measures, against backward().
#include <cmath>

#include "core/tensor/random.h"
#include "nn/study/signal.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

double length(const Tensors& gradients) {
  double squares = 0;
  for (const Tensor& g : gradients) squares += sum(square(g)).item();
  return std::sqrt(squares);
}

}  // namespace

TEST_CASE("block-gradients, block-resi-dual: every row's three numbers, of both streams where there are two, in every placement") {
  for (const auto& placement : nn::placements().variants) {
    CAPTURE(placement.name);
    manual_seed(8);
    nn::LanguageModel model(
        {.vocabulary = 7, .context = 4, .d_model = 8, .layers = 3, .heads = 2, .d_ff = 8, .placement = placement.name});
    model.to(DType::f64);
    for (Tensor& p : model.parameters()) p.assign(p.detach() + 0.2 * randn(p.shape(), DType::f64));  // no scale stays 0
    nn::Stack& stack = model.stack();
    const Tensor x = randn({2, 4, 8}, DType::f64), cotangent = randn({2, 4, 8}, DType::f64);
    const auto loss = [&](const Tensor& y) { return sum(y * cotangent); };
    const std::vector<nn::LayerSignal> signals = nn::layer_signals(stack, x, loss);
    REQUIRE(signals.size() == 4);

    const Tensor start = x.detached_copy().set_requires_grad();
    nn::Stream stream{start};
    std::vector<nn::Stream> streams{stream};
    for (std::size_t i = 0; i < 3; ++i) {
      stream = stack.block(i).forward(stream, {});
      for (const Tensor& t : {stream.x, stream.second}) {
        if (t.defined()) t.retain_grad();
      }
      streams.push_back(stream);
    }
    std::vector<nn::Stream> trace;  // the way through the stack is the same one, and ends with its last norm
    const Tensor through = stack.forward(start, {.trace = &trace});
    CHECK(equal(trace[3].x, streams[3].x));
    for (std::size_t i = 1; i < 4; ++i) {
      trace[i].x.retain_grad();
      if (trace[i].second.defined()) trace[i].second.retain_grad();
    }
    loss(through).backward();
    for (std::size_t i = 0; i < 4; ++i) {
      CAPTURE(i);
      Tensors of_streams{trace[i].x.grad()}, of_block;
      CHECK(trace[i].second.defined() == (placement.name == "resi-dual" && i > 0));
      if (trace[i].second.defined()) of_streams.push_back(trace[i].second.grad());
      if (i > 0) {
        for (const Tensor& parameter : stack.block(i - 1).parameters()) of_block.push_back(parameter.grad());
      }
      const double mean_value = mean(streams[i].x.detach()).item();
      CHECK(signals[i].activation_variance ==
            doctest::Approx(mean(square(streams[i].x.detach() - mean_value)).item()).epsilon(1e-12));
      CHECK(signals[i].stream_gradient == doctest::Approx(length(of_streams)).epsilon(1e-12));
      CHECK(signals[i].parameter_gradient == doctest::Approx(length(of_block)).epsilon(1e-12));
      if (i > 0) CHECK(std::abs(signals[i].stream_gradient / signals[0].stream_gradient - 1) > 1e-4);  // no two are alike
    }
  }
}
