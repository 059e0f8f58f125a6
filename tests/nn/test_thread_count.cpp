// The number of threads changes no bit of what a layer gives, forward and backward, at sizes where loops are shared.
#include "core/tensor/random.h"
#include "nn/nn.h"
#include "tests/support/check.h"
#include "tests/support/threads.h"

using namespace gradus;
using namespace gradus::test;

namespace {

Tensor random(const Shape& shape, std::uint64_t seed = 1) {
  Generator generator(seed);
  return randn(shape, DType::f32, generator).set_requires_grad();
}

std::string dependence(std::string_view name, const std::function<Tensor()>& f, const Tensors& leaves) {
  return thread_dependence(std::string(name), [&] { return value_and_gradients(f, leaves); });
}

// The same for a layer: its value, and the gradients of x and of all parameters.
std::string dependence(std::string_view name, nn::Layer& layer, const Tensor& x) {
  Tensors leaves{x};
  for (const NamedTensor& parameter : layer.named_parameters()) leaves.push_back(parameter.tensor);
  return dependence(name, [&] { return layer(x); }, leaves);
}

}  // namespace

TEST_CASE("norms: the same bits on 1, 2 and 3 threads, of every row of the table, and of those over channels") {
  const Tensor x = random({4, 61, 256});
  for (const auto& row : nn::norms().variants) CHECK(dependence(row.name, *row.value({.width = 256}), x) == "");
  const Tensor odd = random({311, 203}), none;  // rows that end within a vector
  CHECK(dependence("rms_norm", [&] { return nn::rms_norm(odd, none, 1e-5); }, {odd}) == "");
  CHECK(dependence("rms_norm_l2", [&] { return nn::rms_norm_l2(odd, none, 1e-5); }, {odd}) == "");
  CHECK(dependence("layer_norm", [&] { return nn::layer_norm(odd, {203}, none, none, 1e-5); }, {odd}) == "");
  const Tensor image = random({4, 32, 19, 19}, 3), per_channel = random({32}, 4);
  nn::GroupNorm group(4, 32);
  nn::BatchNorm2d batch(32);
  nn::InstanceNorm instance(32);
  CHECK(dependence("GroupNorm", group, image) == "");
  CHECK(dependence("BatchNorm2d", batch, image) == "");
  CHECK(dependence("InstanceNorm", instance, image) == "");
  CHECK(dependence("group_norm", [&] { return nn::group_norm(image, 4, none, none, 1e-5); }, {image}) == "");
}

TEST_CASE("activations: the same bits on 1, 2 and 3 threads, of every row of the table") {
  const Tensor x = random({4, 61, 101});
  for (const auto& row : nn::activations().variants) CHECK(dependence(row.name, *row.value(), x) == "");
}

TEST_CASE("feed_forward: the same bits on 1, 2 and 3 threads, of every row of the table") {
  const Tensor x = random({2, 64, 96});
  for (const auto& row : nn::feed_forwards().variants) {
    manual_seed(1);
    const auto layer = row.value({.d_model = 96, .d_ff = 256});
    (*layer)(x);
    layer->eval();  // a power iteration would go on in training
    CHECK(dependence(row.name, *layer, x) == "");
  }
}

TEST_CASE("attention: the same bits on 1, 2 and 3 threads, by the fast path and by the formula") {
  const Tensor q = random({2, 70, 4, 16}, 1), k = random({2, 70, 2, 16}, 2), v = random({2, 70, 2, 16}, 3);
  using O = nn::ScaledDotOptions;
  for (const O& options : {O{}, O{.causal = true}, O{.causal = true, .window = 20}, O{.softcap = 5}}) {
    CHECK(dependence("attention", [&] { return nn::attention(q, k, v, options); }, {q, k, v}) == "");
  }
  const Tensor angle = random({70, 8}, 4).detach();
  CHECK(dependence("rope", [&] { return nn::rope(q, cos(angle), sin(angle), nn::RopeLayout::pairs); }, {q}) == "");
}

TEST_CASE("positions: the same bits on 1, 2 and 3 threads, of a model with each row of the table") {
  Generator generator(6);
  const Tensor ids = randint(0, 50, {3, 70}, generator);
  for (const auto& row : nn::position_encodings().variants) {
    manual_seed(1);
    nn::LanguageModel model({.vocabulary = 50, .context = 70, .d_model = 48, .layers = 1, .heads = 3, .position = row.name});
    CHECK(dependence(row.name, [&] { return model(ids); }, model.parameters()) == "");
  }
}

TEST_CASE("placements: the same bits on 1, 2 and 3 threads, of a model with each row of the table") {
  Generator generator(7);
  const Tensor ids = randint(0, 50, {3, 70}, generator);
  for (const auto& row : nn::placements().variants) {
    manual_seed(1);
    nn::LanguageModel model({.vocabulary = 50, .context = 70, .d_model = 48, .layers = 1, .heads = 3, .placement = row.name});
    CHECK(dependence(row.name, [&] { return model(ids); }, model.parameters()) == "");
  }
}

TEST_CASE("recurrent layers: the same bits on 1, 2 and 3 threads") {
  const Tensor x = random({40, 5, 70});
  nn::Elman elman(70, 90);
  nn::GRU gru(70, 90);
  nn::LSTM lstm(70, 90);
  CHECK(dependence("Elman", elman, x) == "");
  CHECK(dependence("GRU", gru, x) == "");
  CHECK(dependence("LSTM", lstm, x) == "");
}

TEST_CASE("losses: the same bits on 1, 2 and 3 threads") {
  Generator generator(5);
  const Tensor logits = random({150, 500}), other = random({150, 500}, 2), targets = randint(0, 500, {150}, generator);
  CHECK(dependence("cross_entropy", [&] { return nn::cross_entropy(logits, targets); }, {logits}) == "");
  CHECK(dependence("smoothed", [&] { return nn::cross_entropy(logits, targets, {.z_loss = 1e-3, .label_smoothing = 0.1}); }, {logits}) ==
        "");
  CHECK(dependence("nll", [&] { return nn::nll(nn::log_softmax(logits), targets); }, {logits}) == "");
  CHECK(dependence("mse", [&] { return nn::mse(logits, other); }, {logits, other}) == "");
  CHECK(dependence("l1", [&] { return nn::l1(logits, other); }, {logits, other}) == "");
  CHECK(dependence("huber", [&] { return nn::huber(logits, other, 1); }, {logits, other}) == "");
  CHECK(dependence("bce_with_logits", [&] { return nn::bce_with_logits(logits, sigmoid(other)); }, {logits, other}) == "");
  CHECK(dependence("kl_divergence", [&] { return nn::kl_divergence(nn::log_softmax(logits), nn::log_softmax(other)); }, {logits, other}) ==
        "");
}
