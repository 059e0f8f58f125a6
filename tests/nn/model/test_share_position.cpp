// One position encoding for all layers, or one for each.
#include <map>
#include <set>

#include "core/autograd/engine.h"
#include "core/tensor/random.h"
#include "nn/loss/cross_entropy.h"
#include "nn/model/encoder_decoder.h"
#include "nn/model/language_model.h"
#include "tests/support/check.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr int64_t kLayers = 3;

nn::TransformerOptions with_position(const std::string& position, std::optional<bool> share = {}) {
  return {.vocabulary = 11, .context = 8, .d_model = 8, .layers = kLayers, .heads = 2, .position = position, .share_position = share};
}

nn::LanguageModel drawn_model(const nn::TransformerOptions& options) {
  manual_seed(1);
  return nn::LanguageModel(options);
}

Tensor some_ids() { return tensor({{1, 5, 2, 7, 3, 9, 0, 4}, {6, 6, 2, 10, 8, 1, 3, 5}}, DType::i64); }

const std::set<std::string> kPerLayer{"shaw", "xl", "fire", "dynamic-bias", "cope"};

}  // namespace

TEST_CASE(
    "pos-relative-shaw, pos-relative-xl, pos-fire, pos-dynamic-bias, pos-cope: each layer has its own parameters, as in "
    "their papers; of every other encoding all layers share one") {
  for (const auto& row : nn::position_encodings().variants) {
    const std::string name(row.name);
    CAPTURE(name);
    const int64_t own = row.value({.d_model = 8, .heads = 2, .head_dim = 4, .max_length = 8})->parameter_count();
    const int64_t none = nn::LanguageModel(with_position("none")).parameter_count();
    const int64_t times = kPerLayer.count(name) != 0 ? kLayers : 1;
    CHECK(nn::LanguageModel(with_position(name)).parameter_count() == none + times * own);
    CHECK(nn::LanguageModel(with_position(name, true)).parameter_count() == none + own);
  }
}

TEST_CASE("pos-t5, pos-relative-shaw, pos-kerple: share_position decides, and the paths say so") {
  const auto paths = [](const std::string& position, bool share) {
    nn::LanguageModel model(with_position(position, share));
    std::string text;
    for (const auto& [path, parameter, role] : model.named_parameters()) {
      if (path.find("position") != std::string::npos) text += path + "\n";
    }
    return text;
  };
  CHECK(paths("shaw", true) == "position.key_rows\nposition.value_rows\n");
  CHECK(paths("t5", true) == "position.weight\n");
  CHECK(paths("t5", false) == "blocks.0.position.weight\nblocks.1.position.weight\nblocks.2.position.weight\n");
  CHECK(paths("kerple", false) ==
        "blocks.0.position.r1\nblocks.0.position.r2\nblocks.1.position.r1\nblocks.1.position.r2\nblocks.2.position.r1\n"
        "blocks.2.position.r2\n");
  nn::TransformerOptions one_layer = with_position("t5", false);
  one_layer.layers = 1;
  CHECK(nn::LanguageModel(one_layer).state_dict()[3].name == "blocks.0.position.weight");
}

TEST_CASE("pos-*: encodings of each layer that are all alike are the shared one: the same scores, its gradient their sum") {
  for (const char* position : {"shaw", "xl", "fire", "dynamic-bias", "cope", "t5", "kerple"}) {
    CAPTURE(position);
    nn::LanguageModel shared = drawn_model(with_position(position, true)), own = drawn_model(with_position(position, false));
    shared.to(DType::f64);
    own.to(DType::f64);
    std::map<std::string, Tensor> values, gradients;
    for (const auto& [path, parameter, role] : shared.named_parameters()) {
      Tensor handle = parameter;
      handle.assign(handle.detach() + 0.3 * uniform(handle.shape(), 0, 1, DType::f64));  // away from tables of zeros
      values[path] = handle;
    }
    const auto shared_path = [](const std::string& path) {
      const auto at = path.find("position.");
      return at == std::string::npos ? path : path.substr(at);
    };
    for (const auto& [path, parameter, role] : own.named_parameters()) {
      Tensor handle = parameter;
      handle.assign(values.at(shared_path(path)).detach());
    }
    const Tensor ids = some_ids(), targets = flip(ids, 1);
    CHECK(difference(own(ids), shared(ids), 1e-14) == "");
    nn::cross_entropy(own(ids), targets).backward();
    nn::cross_entropy(shared(ids), targets).backward();
    for (const auto& [path, parameter, role] : own.named_parameters()) {
      Tensor& sum = gradients[shared_path(path)];
      sum = sum.defined() ? sum + parameter.grad() : parameter.grad();
    }
    for (const auto& [path, sum] : gradients) {
      CHECK_MESSAGE(difference(values.at(path).grad(), sum, 1e-12) == "", path);
    }
  }
}

TEST_CASE("pos-*: the encoding of one layer acts on that layer") {
  for (const char* position : {"shaw", "xl", "fire", "dynamic-bias", "cope", "t5", "kerple"}) {
    CAPTURE(position);
    nn::LanguageModel model = drawn_model(with_position(position, false));
    const auto streams = [&] {
      std::vector<nn::Stream> trace;
      model.stack()(model.embed(some_ids()), {.trace = &trace});
      return trace;
    };
    const std::vector<nn::Stream> before = streams();
    for (const auto& [path, parameter, role] : model.named_parameters()) {
      Tensor handle = parameter;
      if (path.find("blocks.1.position") == 0) handle.assign(handle.detach() + uniform(handle.shape(), 0, 3));
    }
    const std::vector<nn::Stream> after = streams();
    CHECK(equal(after[1].x, before[1].x));
    CHECK(max_difference(after[2].x, before[2].x) > 1e-5);
  }
}

TEST_CASE("model-encoder, model-decoder: each stack has encodings of its own, one or one a layer") {
  nn::TransformerOptions options = with_position("shaw");
  const auto count = [](nn::Module& module) {
    int tables = 0;
    for (const auto& [path, parameter, role] : module.named_parameters()) {
      tables += path.find("key_rows") != std::string::npos;
    }
    return tables;
  };
  nn::EncoderDecoder own({.encoder_layers = 2, .stacks = options});
  CHECK(count(own) == 2 + kLayers);
  options.share_position = true;
  nn::EncoderDecoder shared({.encoder_layers = 2, .stacks = options});
  CHECK(count(shared) == 2);
}

TEST_CASE("pos-learned, pos-sinusoidal, pos-rnn: an encoding that acts on the embedding cannot be each layer's own") {
  for (const char* position : {"learned", "sinusoidal", "rnn"}) {
    CHECK_THROWS_WITH_AS(nn::LanguageModel(with_position(position, false)),
                         fmt::format("position '{}' acts on the embedding, before all layers; it cannot be each layer's "
                                     "own: leave share_position out",
                                     position)
                             .c_str(),
                         ValueError);
  }
  CHECK_NOTHROW(nn::LanguageModel(with_position("rope", false)));
}
