#include "nn/block/per_layer_embedding.h"

#include <cmath>

#include "core/autograd/engine.h"
#include "core/inspect/gradcheck.h"
#include "core/tensor/random.h"
#include "nn/activation/gelu.h"
#include "nn/block/stack.h"
#include "nn/model/compatibility.h"
#include "nn/model/language_model.h"
#include "tests/nn/writing.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

using Options = nn::LanguageModelOptions;

Options three_layers() { return {.vocabulary = 11, .context = 8, .d_model = 8, .layers = 3, .heads = 2, .per_layer_width = 4}; }

Tensor rms(const Tensor& x) { return x / sqrt(mean(square(x), -1, true) + 1e-5); }

nn::NamedTensors state_of(nn::Module& module) {
  module.to(DType::f64);
  return module.named_parameters();
}

Tensor parameter(const nn::NamedTensors& all, const std::string& name) {
  for (const auto& [path, tensor, role] : all) {
    if (path == name) return tensor;
  }
  throw ValueError("no parameter " + name);
}

const Tensor kTokens = ids({{1, 4, 0, 4}, {3, 3, 2, 1}});

}  // namespace

TEST_CASE("block-per-layer-embedding: p = (√w E[id] + norm(W x₀ / √d)) / √2, for each layer its columns") {
  nn::PerLayerTable table(5, 3, 4, 6, "rms");
  const nn::NamedTensors own = state_of(table);
  const Tensor x = draw({2, 4, 6}, 1), p = table(kTokens, x);
  CHECK(p.shape() == Shape{2, 4, 3, 4});
  for (const int64_t layer : {0, 1, 2}) {
    const auto of_layer = [&](const Tensor& y) { return slice(y, -1, 4 * layer, 4 * layer + 4); };
    const Tensor of_id = 2 * of_layer(nn::embedding(kTokens, parameter(own, "table.weight")));
    const Tensor of_stream = rms(of_layer(matmul(x, parameter(own, "projection.weight"), {.transpose_b = true})) / std::sqrt(6.0));
    CHECK(difference(select(p, 2, layer), (of_id + of_stream) / std::sqrt(2.0), 1e-14) == "");
  }
}

TEST_CASE("block-per-layer-embedding: y = x + norm(W_p (gelu(W_g x) ⊙ p))") {
  nn::PerLayerInput input(4, 6, "rms");
  const nn::NamedTensors own = state_of(input);
  const Tensor x = draw({2, 3, 6}, 1), p = draw({2, 3, 4}, 2);
  const Tensor through = nn::formula::gelu_tanh(matmul(x, parameter(own, "gate.weight"), {.transpose_b = true})) * p;
  const Tensor y = x + rms(matmul(through, parameter(own, "projection.weight"), {.transpose_b = true}));
  CHECK(difference(input(x, p), y, 1e-14) == "");
  CHECK(difference(input(x, zeros({2, 3, 4}, DType::f64)), x, 0) == "");  // a layer of zeros is passed by
  CHECK_THROWS_WITH_AS(input(x, Tensor()), doctest::Contains("the layer reads a vector for each token, and none were given"), GraphError);
  CHECK_THROWS_AS(input(x, draw({2, 3, 5})), ShapeError);
}

TEST_CASE("block-per-layer-embedding: first and second derivatives of both, and of all weights") {
  manual_seed(3);
  nn::PerLayerTable table(5, 2, 4, 6, "rms");
  nn::PerLayerInput input(4, 6, "rms");
  state_of(table);
  state_of(input);
  const auto f = [&](const Tensors& in) { return input(in[0], select(table(kTokens, in[1]), 2, 1)); };
  const Tensors at{draw({2, 4, 6}, 1), draw({2, 4, 6}, 2)};
  const GradcheckReport first = gradcheck(f, at), second = gradgradcheck(f, at);
  CHECK_MESSAGE(first.passed, first.text);
  CHECK_MESSAGE(second.passed, second.text);
  for (nn::Module* module : {static_cast<nn::Module*>(&table), static_cast<nn::Module*>(&input)}) {
    for (const auto& [path, weight, role] : module->named_parameters()) {
      Tensor handle = weight;
      const Tensor start = weight.detached_copy(), direction = draw(weight.shape(), 7);
      const double found = sum(grad({sum(square(f(at)))}, {weight})[0] * direction).item();
      const auto loss = [&](double step) {
        handle.assign(start + step * direction);
        return sum(square(f(at))).item();
      };
      const double slope = (8 * (loss(1e-4) - loss(-1e-4)) - (loss(2e-4) - loss(-2e-4))) / 12e-4;
      handle.assign(start);
      CHECK_MESSAGE(found == doctest::Approx(slope).epsilon(1e-7), path);
    }
  }
}

TEST_CASE("block-per-layer-embedding: both parts start with numbers of size 1; the scale 1/√d is seen by ε alone") {
  manual_seed(2);
  nn::PerLayerTable table(500, 3, 16, 64, "rms");
  const nn::NamedTensors own = state_of(table);
  const Tensor text = arange(500).reshape({1, 500}), x = 100 * draw({1, 500, 64}, 1);
  CHECK(mean(square(4 * parameter(own, "table.weight"))).item() == doctest::Approx(1).epsilon(0.05));
  CHECK(mean(square(table(text, x))).item() == doctest::Approx(1).epsilon(0.05));
  CHECK(difference(table(text, 3 * x), table(text, x), 1e-6) == "");
}

TEST_CASE("block-per-layer-embedding: in a model, a table of all layers, and a gate, a map and a norm in each, with their roles") {
  nn::LanguageModel model(three_layers());
  std::string first;
  int64_t count = 0;
  for (const NamedTensor& p : model.named_parameters()) {
    if (p.name.find("per_layer") == std::string::npos) continue;
    count += p.tensor.numel();
    const bool table = p.name == "per_layer.table.weight", gain = p.name.find("gain") != std::string::npos;
    const bool writes = p.name.rfind("blocks.", 0) == 0 && p.name.find("projection") != std::string::npos;
    CHECK(p.role == (table ? Role::table : gain ? Role::gain : writes ? Role::writes_stream : Role::weight));
    if (p.name.rfind("blocks.0.", 0) == 0 || p.name.rfind("per_layer", 0) == 0) first += p.name + " ";
  }
  CHECK(first ==
        "blocks.0.per_layer.gate.weight blocks.0.per_layer.projection.weight blocks.0.per_layer.norm.gain "
        "per_layer.table.weight per_layer.projection.weight per_layer.norm.gain ");
  CHECK(count == 11 * 3 * 4 + 3 * 4 * 8 + 4 + 3 * (2 * 4 * 8 + 8));
  Options plain = three_layers();
  plain.per_layer_width = 0;
  CHECK(model.parameter_count() - nn::LanguageModel(plain).parameter_count() == count);
}

TEST_CASE("block-per-layer-embedding: generating id by id gives the scores of the whole sequence, with every norm and placement") {
  const Tensor text = ids({{1, 7, 3, 4, 0, 2}}), other = ids({{1, 7, 3, 4, 0, 9}});
  const auto check_pieces = [&](const Options& options) {
    if (!nn::why_not(options).empty()) return false;
    manual_seed(3);
    nn::LanguageModel model(options);
    model.to(DType::f64);
    check_writing(model, text, other);
    return true;
  };
  int accepted = 0;
  for (const auto& row : nn::placements().variants) {
    CAPTURE(row.name);
    Options options = three_layers();
    options.placement = row.name;
    accepted += check_pieces(options) ? 1 : 0;
  }
  CHECK(accepted >= 15);
  for (const auto& row : nn::norms().variants) {
    CAPTURE(row.name);
    Options options = three_layers();
    options.norm = row.name;
    check_pieces(options);
  }
}

TEST_CASE("block-per-layer-embedding: refused where a placement keeps several streams, and for sizes that no model can have") {
  Options options = three_layers();
  options.placement = "mhc";
  CHECK(nn::why_not(options) == "placement 'mhc' keeps more than one stream, and per_layer_width adds to one; take placement 'pre'");
  options = three_layers();
  options.per_layer_width = -1;
  CHECK_THROWS_WITH_AS(nn::LanguageModel{options}, "LanguageModel: per_layer_width must not be negative, got -1", ValueError);
  CHECK_THROWS_WITH_AS(nn::PerLayerTable(5, 3, 0, 6, "rms"), "PerLayerTable: width must be positive, got 0", ValueError);
  CHECK_THROWS_AS(nn::PerLayerTable(5, 0, 4, 6, "rms"), ValueError);
  CHECK_THROWS_AS(nn::PerLayerTable(0, 3, 4, 6, "rms"), ValueError);
  CHECK_THROWS_AS(nn::PerLayerTable(5, INT64_MAX, 4, 6, "rms"), ValueError);
  CHECK_THROWS_AS(nn::PerLayerTable(5, 3, INT64_MAX, 6, "rms"), ValueError);
  nn::LanguageModel model(three_layers());
  CHECK_THROWS_WITH_AS(model.stack()(model.embed(kTokens)), doctest::Contains("a LanguageModel hands them on"), GraphError);
}
