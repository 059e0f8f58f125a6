// A module is called through its operator() and by no other way: there it is asked whether it was moved from, and logged.
#include "core/inspect/calls.h"
#include "nn/nn.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

template <typename M, typename... In>
concept OpensForward = requires(M& module, const In&... in) { module.forward(in...); };

template <typename M>
concept OpensStep = requires(M& placement, const nn::Stream& s, const nn::Sublayer& f) { placement.step(0, s, f); };

template <typename... M> constexpr bool closed = (!OpensForward<M, Tensor> && ...);

using namespace nn;
static_assert(
    closed<Layer, Sequential, ActivationLayer, PReLU, Swish, XIELU, PolyNorm, Linear, Embedding, Dropout, AlphaDropout, StochasticDepth>);
static_assert(
    closed<Conv2d, AvgPool2d, MaxPool2d, FeedForward, GatedFeedForward, WeightNormLinear, SpectralNormLinear, WeightStandardLinear>);
static_assert(closed<LayerNorm, ChannelLayerNorm, RMSNorm, RMSNormL2, ScaleNorm, GroupNorm, BatchNorm1d, InstanceNorm, DynamicTanh,
                     DynamicErf, PerToken>);
static_assert(closed<MultiHeadAttention, Stack, Encoder, Decoder, LanguageModel, Elman, GRU, LSTM>);
static_assert(!OpensForward<QKNorm, Tensor, Tensor> && !OpensForward<CosineQKNorm, Tensor, Tensor>);
static_assert(!OpensStep<Placement> && !OpensStep<PreNorm> && !OpensStep<HyperConnections>);

}  // namespace

TEST_CASE("Module: attention is one call in the log, with inputs and without, as itself and as a Layer") {
  MultiHeadAttention attention({.d_model = 8, .heads = 2});
  Layer& as_layer = attention;
  const Tensor x = ones({1, 3, 8});
  inspect::CallLog log;
  for (const auto& call : {std::function<Tensor()>([&] { return attention(x); }), {[&] { return attention(x, {.memory = x}); }}, {[&] {
                             return as_layer(x);
                           }}}) {
    log.forget_calls();
    call();
    REQUIRE(log.calls().size() == 6);  // itself, four maps and a dropout
    CHECK(log.calls()[0].path == "");
    CHECK(log.calls()[1].path == "q_proj");
  }
}
