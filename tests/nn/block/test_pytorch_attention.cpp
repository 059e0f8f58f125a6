// MultiHeadAttention against PyTorch's, with its masks.
#include "core/autograd/engine.h"
#include "nn/block/multi_head_attention.h"
#include "tests/support/check.h"
#include "tests/support/fixture.h"

using namespace gradus;
using namespace gradus::test;

namespace {

// PyTorch keeps the three projections in one matrix.
constexpr const char* kProjections[] = {"q_proj", "k_proj", "v_proj"};

std::string compare(const std::string& name, bool causal, const std::function<nn::AttentionInputs(nn::AttentionInputs)>& with, DType dtype,
                    double tolerance) {
  const io::SafeTensors fixture = read_fixture("position.safetensors");
  const auto row = [&](const std::string& key) { return cast(fixture.tensors.at("multi_head/" + name + "/" + key), dtype); };
  const bool cross = fixture.tensors.count("multi_head/" + name + "/input1") != 0;
  nn::MultiHeadAttention layer({.d_model = 8, .heads = 2, .bias = true, .causal = causal}, nullptr);
  layer.to(dtype);
  nn::NamedTensors state{{"out_proj.weight", row("state/out_proj.weight")}, {"out_proj.bias", row("state/out_proj.bias")}};
  const auto part = [&](const std::string& key, int64_t i) { return slice(row(key), 0, 8 * i, 8 * i + 8); };
  for (int64_t i = 0; i < 3; ++i) {
    state.emplace_back(fmt::format("{}.weight", kProjections[i]), part("state/in_proj_weight", i));
    state.emplace_back(fmt::format("{}.bias", kProjections[i]), part("state/in_proj_bias", i));
  }
  layer.load_state_dict(state);
  const Tensor x = row("input0").detached_copy().set_requires_grad();
  const Tensor memory = cross ? row("input1").detached_copy().set_requires_grad() : Tensor();
  const Tensor bias = name == "additive" ? row("bias") : Tensor();
  const Tensor y = layer(x, with({.memory = memory, .bias = bias}));
  y.backward(row("cotangent"));
  std::string problems;
  const auto expect = [&](const std::string& what, const Tensor& actual, const Tensor& expected) {
    const std::string wrong = difference(actual, expected, tolerance);
    if (!wrong.empty()) problems += fmt::format("{} {}: {}\n", name, what, wrong);
  };
  expect("output", y, row("output"));
  expect("input gradient", x.grad(), row("grad0"));
  if (cross) expect("memory gradient", memory.grad(), row("grad1"));
  for (const auto& [path, parameter, role] : layer.named_parameters()) {
    for (int64_t i = 0; i < 3; ++i) {
      if (path == fmt::format("{}.weight", kProjections[i])) expect(path, parameter.grad(), part("grad/in_proj_weight", i));
      // a bias of the keys moves all scores of a query alike: its gradient is zero but for rounding
      if (path == fmt::format("{}.bias", kProjections[i])) expect(path, parameter.grad(), part("grad/in_proj_bias", i));
    }
    if (path.rfind("out_proj", 0) == 0) expect(path, parameter.grad(), row("grad/" + path));
  }
  return problems;
}

nn::AttentionInputs as_given(nn::AttentionInputs in) { return in; }

nn::AttentionInputs padded(nn::AttentionInputs in) {
  in.mask = nn::padding_mask(tensor({6, 3}, DType::i64), 6);
  return in;
}

void check_rows(DType dtype, double tolerance) {
  CHECK(compare("full", false, as_given, dtype, tolerance) == "");
  CHECK(compare("causal", true, as_given, dtype, tolerance) == "");
  CHECK(compare("additive", false, as_given, dtype, tolerance) == "");
  CHECK(compare("cross", false, padded, dtype, tolerance) == "");
}

}  // namespace

TEST_CASE("attn-multi-head: output and all gradients equal PyTorch's: full, causal, an additive mask, cross with padding") {
  check_rows(DType::f64, 1e-14);
  check_rows(DType::f32, 1e-5);
}
