// What layer_signals measures, against backward().
#include <cmath>
#include <set>

#include "core/tensor/random.h"
#include "examples/shared/study/signal.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::examples;
using namespace gradus::test;

namespace {

double length(const Tensors& gradients) {
  double squares = 0;
  for (const Tensor& g : gradients) squares += sum(square(g)).item();
  return std::sqrt(squares);
}

}  // namespace

TEST_CASE(
    "block-gradients, block-resi-dual, block-hyper-connections: in every placement each row is what backward() gives; of several streams, "
    "all") {
  for (const auto& placement : nn::placements().variants) {
    CAPTURE(placement.name);
    static const std::set<std::string> keep_more{
        "resi-dual",     "hyper-connections", "hyper-connections-static", "mhc", "attention-residual", "attention-residual-blocks",
        "gated-streams", "denseformer",       "input-residual",           "mudd"};
    const bool keeps_more = keep_more.count(std::string(placement.name)) > 0;
    manual_seed(8);
    nn::LanguageModel model({.d_model = 8, .layers = 3, .heads = 2, .placement = placement.name});
    model.to(DType::f64);
    for (Tensor& p : model.parameters()) p.assign(p.detach() + 0.2 * randn(p.shape(), DType::f64));  // none stays 0
    nn::Stack& stack = model.stack();
    const Tensor x = randn({2, 4, 8}, DType::f64), cotangent = randn({2, 4, 8}, DType::f64);
    const auto loss = [&](const Tensor& y) { return sum(y * cotangent); };
    const std::vector<LayerSignal> signals = layer_signals(stack, x, loss);
    REQUIRE(signals.size() == 4);

    std::vector<nn::Stream> trace;
    const Tensor y = stack(x.detached_copy().set_requires_grad(), {.trace = &trace});
    for (const nn::Stream& stream : trace) {
      for (const Tensor& part : {stream.x, stream.second}) {
        if (part.defined()) part.retain_grad();
      }
    }
    loss(y).backward();
    nn::Stream stream{x};
    for (std::size_t i = 0; i < 4; ++i) {
      CAPTURE(i);
      Tensors of_streams, of_block;
      CHECK(trace[i].second.defined() == (keeps_more && i > 0));
      for (const Tensor& part : {trace[i].x, trace[i].second}) {
        if (part.defined() && part.grad().defined()) of_streams.push_back(part.grad());
      }
      if (i > 0) {
        stream = stack.block(i - 1)(stream, {});
        for (const Tensor& parameter : stack.block(i - 1).parameters()) of_block.push_back(parameter.grad());
        CHECK(std::abs(signals[i].stream_gradient / signals[0].stream_gradient - 1) > 1e-4);  // no two are alike
      }
      const Tensor values = stream.x.detach();
      CHECK(signals[i].activation_variance == doctest::Approx(mean(square(values - mean(values))).item()).epsilon(1e-12));
      CHECK(signals[i].stream_gradient == doctest::Approx(length(of_streams)).epsilon(1e-12));
      CHECK(signals[i].parameter_gradient == doctest::Approx(length(of_block)).epsilon(1e-12));
    }
  }
}
