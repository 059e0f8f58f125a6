// The GRU gate, beyond the values of test_block.cpp.
#include "nn/block/gru_gate.h"

#include <cmath>

#include "core/composites/composites.h"
#include "nn/norm/rms_norm.h"
#include "tests/nn/block/function_layer.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr int64_t kGateWidth = 4;

struct Gated {
  nn::GruGate placement{{.make_norm = [] { return std::make_unique<nn::RMSNorm>(kGateWidth); },
                         .d_model = kGateWidth,
                         .sublayers = {nn::SublayerKind::feed_forward},
                         .stack = {}}};

  Gated() { placement.to(DType::f64); }
  Tensor parameter(const std::string& path) {
    for (const NamedTensor& p : placement.named_parameters()) {
      if (p.name == path) return p.tensor;
    }
    return {};
  }
  Tensor operator()(const Tensor& x, const std::function<Tensor(const Tensor&)>& f) {
    FunctionLayer layer(f);
    return placement({x}, {layer}).x;
  }
};

Tensor gate_wave(const Tensor& x) { return sin(3 * x); }

}  // namespace

TEST_CASE("block-gru-gate: a large b leaves the stream as it is, its opposite leaves the proposal alone, within ±1") {
  Gated gate;
  const Tensor x = 5 * draw({2, 3, kGateWidth}, 1);
  gate.parameter("bias1").fill(60);
  CHECK(difference(gate(x, gate_wave), x, 1e-14) == "");
  gate.parameter("bias1").fill(-60);
  const Tensor proposal = gate(x, gate_wave);
  CHECK(max(abs(proposal)).item() <= 1);
  CHECK(max_difference(proposal, gate(x, [](const Tensor& in) { return gate_wave(in) + 1; })) > 0.01);
  CHECK(gate.parameter("bias1").shape() == Shape{kGateWidth});
}

TEST_CASE("block-gru-gate: of what a sublayer gives the negative part is cut off") {
  Gated gate;
  const Tensor x = draw({2, 3, kGateWidth}, 1);
  CHECK(equal(gate(x, [](const Tensor& in) { return gate_wave(in); }), gate(x, [](const Tensor& in) { return relu(gate_wave(in)); })));
  CHECK(equal(gate(x, [](const Tensor& in) { return -abs(in); }), gate(x, [](const Tensor& in) { return 0 * in; })));
}

TEST_CASE(
    "convention-gru-gate: at the start 0.88 of the stream is left where the gates' maps give 0; with PyTorch's cell, whose bias is 0, a "
    "half") {
  Gated gate;
  for (const char* map : {"branch1.weight", "stream1.weight", "candidate1.weight"}) gate.parameter(map).fill(0);
  const Tensor x = draw({2, 3, kGateWidth}, 1);
  CHECK(difference(gate(x, gate_wave), x / (1 + std::exp(-2.0)), 1e-14) == "");
  CHECK(1 / (1 + std::exp(-2.0)) == doctest::Approx(0.88).epsilon(0.01));
  gate.parameter("bias1").fill(0);
  CHECK(difference(gate(x, gate_wave), 0.5 * x, 1e-14) == "");
}
