// What the notes say and measurement corrects, where it is no one layer's business; a layer's own errata stand with its
// tests.
#include <algorithm>
#include <cmath>

#include "core/autograd/engine.h"
#include "core/tensor/random.h"
#include "nn/activation/sigmoid.h"
#include "nn/block/multi_head_attention.h"
#include "nn/loss/cross_entropy.h"
#include "nn/model/language_model.h"
#include "nn/norm/batch_norm.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

void descend(const Tensors& parameters, const Tensor& loss, double lr) {
  const Tensors gradients = grad({loss}, parameters);
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    Tensor parameter = parameters[i];
    parameter.assign(parameter.detach() - lr * gradients[i]);
  }
}

struct DeepModel {
  const char* placement;
  const char* init;
  const char* feed_forward = "swiglu";
  int64_t layers = 12;
  const char* norm = "rms";
};

// The parameters' gradient norm of each block from the bottom up, after some steps of descent.
std::vector<double> block_gradients(const DeepModel& deep, std::uint64_t seed, int steps = 0) {
  manual_seed(seed);
  nn::LanguageModel model({.vocabulary = 32,
                           .context = 16,
                           .d_model = 32,
                           .layers = deep.layers,
                           .heads = 4,
                           .norm = deep.norm,
                           .placement = deep.placement,
                           .feed_forward = deep.feed_forward,
                           .init = deep.init});
  const Tensor ids = randint(0, 32, {4, 17}), x = slice(ids, 1, 0, 16), y = slice(ids, 1, 1);
  for (int step = 0; step < steps; ++step) descend(model.parameters(), nn::cross_entropy(model(x), y), 0.1);
  std::vector<double> norms;
  nn::cross_entropy(model(x), y).backward();
  for (std::size_t i = 0; i < model.stack().size(); ++i) {
    double squares = 0;
    for (const Tensor& parameter : model.stack().block(i).parameters()) squares += sum(square(parameter.grad())).item();
    norms.push_back(std::sqrt(squares));
  }
  return norms;
}

double bottom_to_top(const DeepModel& deep, std::uint64_t seed) {
  const std::vector<double> norms = block_gradients(deep, seed);
  return norms.front() / norms.back();
}

double largest_to_smallest(const std::vector<double>& norms) {
  return *std::max_element(norms.begin(), norms.end()) / *std::min_element(norms.begin(), norms.end());
}

}  // namespace

// A deep network of tanh layers, each y = [x +] tanh(W x), that learns targets drawn at random: nothing but learning by
// heart lowers this loss.
TEST_CASE(
    "block-residual, erratum-3: residual connections make depth trainable, and overfitting too: they do not prevent "
    "it") {
  const auto loss_after = [](bool residual, int steps) {
    manual_seed(1);
    const Tensor x = randn({12, 16}), target = randn({12, 16});
    Tensors weights;
    for (int layer = 0; layer < 30; ++layer) weights.push_back((0.15 * randn({16, 16})).detach().set_requires_grad());
    const auto loss = [&] {
      Tensor y = x;
      for (const Tensor& w : weights) y = residual ? y + tanh(matmul(y, w)) : tanh(matmul(y, w));
      return mean(square(y - target));
    };
    for (int step = 0; step < steps; ++step) descend(weights, loss(), 0.02);
    return loss().item();
  };
  CHECK(loss_after(false, 100) > 0.99 * loss_after(false, 0));  // the same depth without: the gradient has vanished
  CHECK(loss_after(true, 100) < 0.1 * loss_after(true, 0));
}

TEST_CASE("attn-multi-head, erratum-6: in cross-attention queries come from the decoder, keys and values from the encoder") {
  nn::MultiHeadAttention attention({.d_model = 8, .heads = 2, .causal = true}, nullptr);
  const Tensor decoder = randn({1, 3, 8}), other = randn({1, 3, 8}), row = randn({1, 1, 8});
  const Tensor encoder = randn({1, 5, 8}), constant = expand(row, {1, 5, 8});
  CHECK(attention(decoder, {.memory = encoder}).shape() == decoder.shape());  // a result for each query
  // Values all alike make the result theirs, whatever is asked: they are the encoder's.
  const Tensor value = expand(attention.out_proj(attention.v_proj(row)), {1, 3, 8});
  CHECK(difference(attention(decoder, {.memory = constant}), value, 1e-6) == "");
  CHECK(difference(attention(other, {.memory = constant}), value, 1e-6) == "");
  // What is asked is the decoder's.
  CHECK(max_difference(attention(decoder, {.memory = encoder}), attention(other, {.memory = encoder})) > 1e-3);
}

TEST_CASE(
    "block-gradients, erratum-13: whether pre-norm's gradients are equal across layers depends on the start: so with "
    "GPT-2's, but larger at the bottom the louder the sublayers are") {
  for (const std::uint64_t seed : {1, 2}) {
    CAPTURE(seed);
    CHECK(largest_to_smallest(block_gradients({"pre", "gpt2"}, seed)) < 1.5);
    const double xavier = bottom_to_top({"pre", "xavier-normal"}, seed), lecun = bottom_to_top({"pre", "lecun"}, seed),
                 kaiming = bottom_to_top({"pre", "kaiming"}, seed);
    CHECK(xavier > 2.5);
    CHECK(lecun > 1.2 * xavier);
    CHECK(kaiming > 1.5 * lecun);
    const std::vector<double> trained = block_gradients({"pre", "xavier-normal"}, seed, 30);
    CHECK(trained.front() > 2 * trained.back());
  }
}

TEST_CASE(
    "block-gradients, erratum-13: whether post-norm's gradients vanish depends on start, depth, feed-forward layer, norm "
    "and seed") {
  for (const std::uint64_t seed : {1, 2}) {
    CAPTURE(seed);
    const DeepModel silent{"post", "gpt2", "relu", 48}, loud{"post", "xavier-normal", "relu", 48};
    CHECK(largest_to_smallest(block_gradients(silent, seed)) < 1.5);  // by its start no block does anything yet
    CHECK(bottom_to_top(loud, seed) < 0.5);
    CHECK(bottom_to_top({"post", "xavier-normal", "swiglu", 12}, seed) > 1);
    for (const int steps : {0, 30}) {
      CHECK(largest_to_smallest(block_gradients({"post", "xavier-normal"}, seed, steps)) < 4);
    }
  }
  const DeepModel with_layer_norm{"post", "xavier-normal", "relu", 48, "layer"};
  CHECK(bottom_to_top(with_layer_norm, 2) > 2 * bottom_to_top(with_layer_norm, 1));
}

TEST_CASE("norm-batch, erratum-15: its statistics move in the forward pass, γ and β by gradients alone") {
  nn::BatchNorm1d norm(3);
  const Tensor x = randn({8, 3}) + 5;
  norm.parameters();
  const Tensor loss = sum(square(norm(x)));
  CHECK(min(norm.running->mean).item() > 0.2);  // no backward yet
  CHECK(equal(norm.gain, ones({3})));
  const Tensor collected = norm.running->mean.detached_copy();
  loss.backward();
  CHECK(norm.gain.grad().defined());
  CHECK(equal(norm.running->mean, collected));
}

TEST_CASE("act-softmax, erratum-14: e^100 overflows f32 and f16, not f64") {
  for (const auto& [dtype, overflows] : {std::pair{DType::f16, 1.0}, {DType::f32, 1.0}, {DType::f64, 0.0}}) {
    CHECK(isinf(exp(tensor(100, dtype))).item() == overflows);
  }
  CHECK(exp(tensor(100, DType::f64)).item() == doctest::Approx(std::exp(100.0)).epsilon(1e-15));
}

TEST_CASE(
    "convention-target-shift: targets shifted by the data, or by the loss, which drops the last score: the same loss, "
    "one position more computed") {
  manual_seed(3);
  nn::LanguageModel model({.vocabulary = 11, .context = 8, .d_model = 16, .layers = 2, .heads = 2});
  model.eval();
  const Tensor ids = randint(0, 11, {2, 8}), next = slice(ids, 1, 1);
  const Tensor by_data = model(slice(ids, 1, 0, 7)), all = model(ids);
  CHECK(all.size(1) == by_data.size(1) + 1);
  const double shifted = nn::cross_entropy(by_data, next).item();
  CHECK(nn::cross_entropy(slice(all, 1, 0, 7), next).item() == doctest::Approx(shifted).epsilon(1e-6));
  // Unshifted targets would ask for what was just read.
  CHECK(std::abs(nn::cross_entropy(all, ids).item() - shifted) > 1e-3);
}
