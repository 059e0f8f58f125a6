// Layers forward and backward through the tape: the fast path, and beside it the formula it stands for, op by op.
#include "nn/nn.h"
#include "tests/bench/bench.h"

namespace gradus::bench {
namespace {

struct Call {
  Tensors inputs;  // whose gradients are asked for
  std::function<Tensor(const Tensors&)> layer;
};

void forward_backward(benchmark::State& state, Call (*make)(), bool by_formula) {
  const auto [inputs, layer] = make();
  const FormulaOnly readable(by_formula);
  const Tensor seed = randn(layer(inputs).shape());
  for (auto _ : state) benchmark::DoNotOptimize(grad({layer(inputs)}, inputs, {.seeds = {seed}}));
  state.counters["gradients"] = static_cast<double>(inputs.size());
}

bool add_layer(const std::string& name, Call (*make)()) {
  add_benchmark("layer/" + name, [=](benchmark::State& state) { forward_backward(state, make, false); });
  return add_benchmark("layer/" + name + "_formula", [=](auto& state) { forward_backward(state, make, true); });
}

Call rms_norm() {
  return {{leaf({2048, 256}), leaf({256})}, [](const Tensors& in) { return nn::rms_norm(in[0], in[1]); }};
}

Call layer_norm() {
  return {{leaf({2048, 256}), leaf({256}), leaf({256})}, [](const Tensors& in) { return nn::layer_norm(in[0], {256}, in[1], in[2]); }};
}

Call gelu() {
  return {{leaf({2048, 256})}, [](const Tensors& in) { return nn::act::gelu(in[0]); }};
}

Call silu() {
  return {{leaf({2048, 256})}, [](const Tensors& in) { return nn::act::silu(in[0]); }};
}

Call softmax() {
  return {{leaf({2048, 256})}, [](const Tensors& in) { return nn::softmax(in[0]); }};
}

Call silu_gate() {
  return {{leaf({2048, 256}), leaf({2048, 256})}, [](const Tensors& in) { return nn::gate(nn::act::silu, in[0], in[1]); }};
}

Call rope() {
  const Tensor angles = randn({128, 32}), cosines = cos(angles), sines = sin(angles);
  return {{leaf({16, 128, 8, 64})}, [=](const Tensors& in) { return nn::rope(in[0], cosines, sines); }};
}

Call cross_entropy() {
  const Tensor targets = randint(0, 8192, {2048});
  return {{leaf({2048, 8192})}, [=](const Tensors& in) { return nn::cross_entropy(in[0], targets); }};
}

Call attention() {
  const Shape shape{2, 1024, 8, 64};
  return {{leaf(shape), leaf(shape), leaf(shape)}, [](const Tensors& in) { return nn::attention(in[0], in[1], in[2], {.causal = true}); }};
}

// A layer as a function of x and its parameters.
template <typename Layer> Call of_layer(const Tensor& x, const std::shared_ptr<Layer>& layer, int64_t times = 1) {
  Tensors inputs = layer->parameters();
  inputs.insert(inputs.begin(), x);
  return {inputs, [=](const Tensors& in) {
            Tensor y = in[0];
            for (int64_t i = 0; i < times; ++i) y = y + (*layer)(in[0]);
            return y;
          }};
}

// Eight experts, two for each token; and two dense layers, which do the same work.
Call experts() {
  return of_layer(leaf({2048, 128}), std::make_shared<nn::MixtureOfExperts>(nn::FeedForwardOptions{.d_model = 128, .d_ff = 384}));
}

Call two_dense() {
  const nn::GatedUnit unit{"SwiGLU", nn::act::silu};
  return of_layer(leaf({2048, 128}), std::make_shared<nn::GatedFeedForward>(unit, nn::FeedForwardOptions{.d_model = 128, .d_ff = 384}), 2);
}

const bool added[] = {
    add_layer("rms_norm_2048x256", rms_norm),
    add_layer("layer_norm_2048x256", layer_norm),
    add_layer("gelu_2048x256", gelu),
    add_layer("silu_2048x256", silu),
    add_layer("softmax_2048x256", softmax),
    add_layer("silu_gate_2048x256", silu_gate),
    add_layer("rope_16x128x8x64", rope),
    add_layer("cross_entropy_2048x8192", cross_entropy),
    add_layer("attention_2x8x1024x64", attention),
    add_layer("swiglu_twice_2048x128", two_dense),
    add_layer("experts_2_of_8_2048x128", experts),
};

}  // namespace
}  // namespace gradus::bench
