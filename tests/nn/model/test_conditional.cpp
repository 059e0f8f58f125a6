// A model whose blocks are given a condition.
#include "core/autograd/engine.h"
#include "core/tape/grad_mode.h"
#include "core/tensor/random.h"
#include "nn/loss/cross_entropy.h"
#include "nn/model/language_model.h"
#include "nn/norm/layer_norm.h"
#include "tests/nn/block/function_layer.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

nn::LanguageModelOptions conditional() {
  return {.vocabulary = 4,
          .context = 8,
          .d_model = 16,
          .layers = 2,
          .heads = 2,
          .d_ff = 16,
          .norm = "layer",
          .placement = "adaptive",
          .classes = 2};
}

}  // namespace

TEST_CASE("norm-adaptive: one step of the placement is x + gate ⊙ f((1 + s) ⊙ x̂ + t), with s, t and gate linear in the condition") {
  manual_seed(1);
  const auto placement = nn::PlacementChoice("adaptive")
                             .make({.make_norm = nullptr,
                                    .d_model = 3,
                                    .sublayers = {nn::SublayerKind::attention, nn::SublayerKind::feed_forward},
                                    .stack = {}});
  Tensors p = placement->parameters();  // weight [9, 3] and bias [9] of each of the two norms
  for (Tensor& parameter : p) parameter.assign(randn(parameter.shape()));
  const Tensor x = randn({2, 4, 3}), c = randn({2, 3});
  FunctionLayer twice([](const Tensor& y) { return 2 * y; }), squared([](const Tensor& y) { return y * y; });
  const std::vector<nn::Sublayer> sublayers{twice, squared};
  const auto step = [&](const Tensor& stream, std::size_t i) {
    const Tensor all = reshape(matmul(c, transpose(p[2 * i])) + p[2 * i + 1], {2, 1, 9});
    const Tensor centered = stream - mean(stream, -1, true);
    const Tensor x_hat = centered / sqrt(mean(square(centered), -1, true) + 1e-5);
    const Tensor y = x_hat * (1 + slice(all, -1, 0, 3)) + slice(all, -1, 3, 6);
    return stream + slice(all, -1, 6, 9) * sublayers[i](y);
  };
  CHECK(difference((*placement)({.x = x, .condition = c}, sublayers).x, step(step(x, 0), 1), 1e-5) == "");
}

TEST_CASE("norm-adaptive: with gates of zero the blocks pass the stream on, and only the gates learn at first") {
  manual_seed(2);
  nn::LanguageModel model(conditional());
  const Tensor ids = tensor({{0, 1, 2, 3}, {3, 1, 1, 0}}, DType::i64), classes = tensor({0, 1}, DType::i64);
  const Tensor embedded = model.embed(ids);
  CHECK(equal(model.stack()(embedded, {.condition = model.condition(classes)}), model.stack()(embedded)));
  nn::cross_entropy(model(ids), ids).backward();
  for (const auto& [name, tensor, role] : model.named_parameters()) {
    if (name.find("modulation.bias") == std::string::npos) continue;
    const Tensor gate = slice(tensor.grad(), 0, 32, 48), rest = slice(tensor.grad(), 0, 0, 32);
    CHECK(max(abs(gate)).item() > 0);
    CHECK(max(abs(rest)).item() == 0);
  }
}

TEST_CASE("norm-adaptive: a model learns what its class says, forward, id by id and in samples") {
  manual_seed(3);
  nn::LanguageModel model(conditional());
  const Tensor inputs = tensor({{1, 2, 3, 1, 2, 3}, {1, 3, 2, 1, 3, 2}}, DType::i64);  // class 0 counts up, class 1 down
  const Tensor targets = tensor({{2, 3, 1, 2, 3, 1}, {3, 2, 1, 3, 2, 1}}, DType::i64);
  const Tensor classes = tensor({0, 1}, DType::i64);
  for (int i = 0; i < 150; ++i) {
    nn::cross_entropy(model(inputs, model.condition(classes)), targets).backward();
    const NoGrad off;
    for (Tensor& p : model.parameters()) p -= 0.01 * sign(p.grad());  // loud enough to leave the saddle that zero gates are
    model.zero_grad();
  }
  const Tensor first = slice(inputs, 1, 0, 1);  // the same id for both: the class alone tells what follows
  CHECK(equal(argmax(model(first, model.condition(classes)), -1), tensor({{2}, {3}}, DType::i64)));

  nn::GenerationCache past{.condition = model.condition(classes).detach()};
  const Tensor whole = model(inputs, past.condition);
  for (int64_t t = 0; t < 6; ++t) {
    CHECK(difference(model(slice(inputs, 1, t, t + 1), past), slice(whole, 1, t, t + 1), 1e-4) == "");
  }

  Generator generator(0);
  const auto follows = [&](int64_t class_id) {
    return nn::sample(model, {1}, {.count = 10, .top_k = 1, .class_id = class_id}, generator);  // beyond the context, too
  };
  CHECK(follows(0) == std::vector<int64_t>{1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 2});
  CHECK(follows(1) == std::vector<int64_t>{1, 3, 2, 1, 3, 2, 1, 3, 2, 1, 3});
}

TEST_CASE("norm-adaptive: classes need a placement that takes a condition, and a condition needs classes") {
  CHECK_THROWS_WITH_AS(nn::LanguageModel({.classes = 2}),
                       "LanguageModel: placement 'pre' takes no condition, so there is no use for classes; take placement 'adaptive'",
                       ValueError);
  CHECK_THROWS_AS(nn::LanguageModel({.classes = -1}), ValueError);
  nn::LanguageModel plain({.placement = "adaptive"});
  CHECK_THROWS_WITH_AS(plain.condition(tensor({0}, DType::i64)),
                       "LanguageModel(256 ids, context 64, d_model 128, tied head): the model has no classes; set the option `classes`",
                       ValueError);
}
