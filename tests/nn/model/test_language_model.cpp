// The language model against the same model written out in PyTorch.
#include "nn/model/language_model.h"

#include "core/tape/grad_mode.h"
#include "nn/loss/cross_entropy.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"

using namespace gradus;
using namespace gradus::test;

namespace {

nn::LanguageModelOptions options_of(const std::string& name) {
  return {.vocabulary = 11, .context = 8, .d_model = 8, .layers = 2, .heads = 2, .d_ff = 12, .tie_weights = name == "model_tied"};
}

// Relative to the largest element: roundings of some hundred ops, one after the other.
constexpr double kF64 = 1e-13, kF32 = 5e-5;

// Logits, loss and the gradient of every parameter; "" if all are PyTorch's.
std::string compare(const std::string& name, DType dtype, double tolerance) {
  const io::SafeTensors fixture = read_fixture("nn.safetensors");
  const auto row = [&](const std::string& key) { return fixture.tensors.at(name + "/" + key); };
  nn::LanguageModel model(options_of(name));
  model.to(dtype);
  nn::NamedTensors state;
  for (const auto& [key, tensor] : fixture.tensors) {
    if (key.rfind(name + "/state/", 0) == 0) state.emplace_back(key.substr(name.size() + 7), tensor);
  }
  model.load_state_dict(state);  // throws unless the paths are the same
  std::string problems;
  const auto expect = [&](const std::string& what, const Tensor& actual, const Tensor& expected) {
    const std::string wrong = difference(actual, expected, tolerance);
    if (!wrong.empty()) problems += fmt::format("{}: {}\n", what, wrong);
  };
  const Tensor logits = model(row("ids"));
  const Tensor loss = nn::cross_entropy(logits, row("targets"));
  expect("logits", logits, row("logits"));
  expect("loss", loss, row("loss"));
  loss.backward();
  for (const auto& [path, parameter, role] : model.named_parameters()) expect(path, parameter.grad(), row("grad/" + path));
  return problems;
}

}  // namespace

TEST_CASE("model-lm: logits, loss and the gradient of every parameter equal PyTorch's") {
  CHECK(compare("model_untied", DType::f64, kF64) == "");
  CHECK(compare("model_untied", DType::f32, kF32) == "");
}

TEST_CASE("model-tying: logits, loss and the gradient of every parameter equal PyTorch's, for one shared matrix too") {
  CHECK(compare("model_tied", DType::f64, kF64) == "");
  CHECK(compare("model_tied", DType::f32, kF32) == "");
}

TEST_CASE("model-lm: the same by the formulas") {
  const FormulaOnly readable;
  CHECK(compare("model_untied", DType::f64, kF64) == "");
  CHECK(compare("model_tied", DType::f32, kF32) == "");
}

TEST_CASE("model-tying: one parameter fewer, and its gradient is the sum of those of the two it stands for") {
  nn::LanguageModel tied(options_of("model_tied")), untied(options_of("model_untied"));
  CHECK(untied.parameter_count() - tied.parameter_count() == 11 * 8);
  nn::NamedTensors state = tied.state_dict();
  state.emplace_back("head.weight", state[0].tensor);
  untied.load_state_dict(state);
  const Tensor ids = tensor({{1, 2, 10, 2}}, DType::i64), targets = tensor({{2, 10, 2, 0}}, DType::i64);
  for (nn::LanguageModel* model : {&tied, &untied}) {
    model->to(DType::f64);
    nn::cross_entropy((*model)(ids), targets).backward();
  }
  const nn::NamedTensors apart = untied.named_parameters();
  CHECK(apart.front().name == "embedding.weight");
  CHECK(apart.back().name == "head.weight");
  CHECK(difference(tied.parameters()[0].grad(), apart.front().tensor.grad() + apart.back().tensor.grad(), 1e-14) == "");
}
