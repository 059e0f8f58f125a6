// Multiway dynamic dense connections, beyond the values of test_block.cpp.
#include "nn/block/multiway_dense.h"

#include "core/tensor/random.h"
#include "nn/activation/gelu.h"
#include "nn/block/stack.h"
#include "nn/model/language_model.h"
#include "nn/norm/rms_norm.h"
#include "tests/nn/block/function_layer.h"
#include "tests/support/check.h"
#include "tests/support/tensors.h"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr int64_t kMuddWidth = 6;

nn::Stack three_mudd_blocks(const std::string& placement) {
  nn::Stack stack({.attention = {.d_model = kMuddWidth, .heads = 2, .causal = true},
                   .feed_forward = {.d_model = kMuddWidth, .d_ff = 8},
                   .stack = {.layers = 3},
                   .placement = placement});
  stack.to(DType::f64);
  return stack;
}

// The parameter of this path.
Tensor part_of(nn::Module& module, const std::string& path) {
  for (const NamedTensor& parameter : module.named_parameters()) {
    if (parameter.name == path) return parameter.tensor;
  }
  FAIL("there is no ", path);
  return {};
}

// With the weights of attention and of the feed-forward layers of another stack.
nn::Stack with_sublayers_of(nn::Stack& other, const std::string& placement) {
  nn::Stack stack = three_mudd_blocks(placement);
  stack.load_state_dict(other.state_dict(), {.strict = false});
  return stack;
}

Tensor mudd_draw(Shape shape, std::uint64_t seed) { return draw(shape, seed); }

}  // namespace

TEST_CASE("block-mudd: it begins as pre-norm") {
  nn::Stack pre = three_mudd_blocks("pre"), mudd = with_sublayers_of(pre, "mudd");
  const Tensor x = mudd_draw({2, 4, kMuddWidth}, 1);
  CHECK(difference(mudd(x), pre(x), 1e-14) == "");
}

TEST_CASE("block-mudd: with weights that no token moves and that all ways share it is DenseFormer") {
  nn::Stack dense = three_mudd_blocks("denseformer"), mudd = with_sublayers_of(dense, "mudd");
  for (int64_t block = 0; block < 3; ++block) {
    const Tensor alpha = mudd_draw({block + 2}, 5 + static_cast<std::uint64_t>(block));
    part_of(dense, fmt::format("blocks.{}.placement.weights", block)).assign(alpha);
    const std::string path = block < 2 ? fmt::format("blocks.{}.placement.ways.bias", block + 1) : "blocks.2.placement.last_way.bias";
    Tensor bias = part_of(mudd, path);
    bias.assign(expand(alpha, bias.shape()));
  }
  const Tensor x = mudd_draw({2, 4, kMuddWidth}, 1);
  CHECK(difference(mudd(x), dense(x), 1e-13) == "");
}

TEST_CASE("block-mudd: queries, keys, values and the stream each read their own way") {
  // What the stack makes after this change of one way of the second block.
  const auto change = [](const Tensor& x, int64_t way, bool silent_values) {
    manual_seed(4);
    nn::Stack stack = three_mudd_blocks("mudd");
    if (silent_values) part_of(stack, "blocks.1.attention.v_proj.weight").fill(0);
    const Tensor before = stack(x);
    Tensor bias = part_of(stack, "blocks.1.placement.ways.bias");
    bias.assign(bias.detach() + unsqueeze(cast(arange(4) == way, DType::f64), 1) * tensor({2, -1}, DType::f64));
    return max_difference(stack(x), before);
  };
  const Tensor one_token = mudd_draw({2, 1, kMuddWidth}, 1), three_tokens = mudd_draw({2, 3, kMuddWidth}, 1);
  for (const int64_t way : {0, 1, 2, 3}) {
    CAPTURE(way);
    CHECK((change(one_token, way, false) > 1e-3) == (way >= 2));  // the only key has all of the softmax
    CHECK(change(three_tokens, way, false) > 1e-4);
    CHECK((change(three_tokens, way, true) > 1e-3) == (way == 3));  // attention of nothing is nothing, whatever it looks at
  }
}

TEST_CASE("block-mudd: a token's weights are those of its own last state, and sum states of its own alone") {
  nn::DenseWays ways(kMuddWidth, 4, 3);
  ways.to(DType::f64);
  ways.up.assign(mudd_draw({12, 12}, 2));
  const Tensor states = mudd_draw({2, 5, 3, kMuddWidth}, 1);
  const Tensor all = ways(states);
  CHECK(all.shape() == Shape{2, 5, 4, kMuddWidth});
  CHECK(difference(slice(all, 1, 2, 3), ways(slice(states, 1, 2, 3)), 1e-14) == "");
  // The last state alone chooses: with another one below it the sums change by its weight.
  const Tensor other = mudd_draw({2, 5, 1, kMuddWidth}, 3), below = slice(states, -2, 0, 1), rest = slice(states, -2, 1);
  const Tensor moved = ways(cat({below + other, rest}, -2)) - all, twice = ways(cat({below + 2 * other, rest}, -2)) - all;
  CHECK(difference(twice, 2 * moved, 1e-12) == "");
  CHECK(max_difference(ways(cat({below, slice(rest, -2, 0, 1), 3 * slice(rest, -2, 1)}, -2)), all) > 1e-3);
}

TEST_CASE(
    "convention-mudd-hidden: further hidden numbers, which the authors' code rounds up to 64 and takes four times for the last block, add "
    "nothing where their rows of W₂ are 0, as at the start") {
  nn::DenseWays paper(kMuddWidth, 4, 3);
  paper.to(DType::f64);
  CHECK(paper.down.shape() == Shape{kMuddWidth, 12});
  paper.up.assign(mudd_draw({12, 12}, 2));
  const Tensor further = mudd_draw({kMuddWidth, 52}, 3), states = mudd_draw({2, 3, kMuddWidth}, 1);
  const auto code = [&](const Tensor& further_rows) {
    const Tensor hidden = nn::act::gelu(matmul(nn::rms_norm(select(states, 1, 2)), cat({paper.down, further}, 1)));
    return matmul(paper.bias + reshape(matmul(hidden, cat({paper.up, further_rows}, 0)), {2, 4, 3}), states);
  };
  CHECK(difference(code(zeros({52, 12}, DType::f64)), paper(states), 1e-14) == "");
  CHECK(max_difference(code(mudd_draw({52, 12}, 4)), paper(states)) > 0.01);
}

TEST_CASE("block-mudd: what it cannot have is refused") {
  CHECK_THROWS_WITH_AS(nn::DenseWays(kMuddWidth, 0, 2), doctest::Contains("the number of ways must be positive, got 0"), ValueError);
  CHECK_THROWS_WITH_AS(nn::DenseWays(kMuddWidth, 4, 3)(zeros({5, 2, kMuddWidth})),
                       doctest::Contains("expected 3 streams [..., n, C], got [5, 2, 6]"), ShapeError);
  const nn::PlacementOptions options{.make_norm = [] { return nn::norms().find("rms").value({.width = kMuddWidth}); },
                                     .d_model = kMuddWidth,
                                     .sublayers = {nn::SublayerKind::feed_forward},
                                     .stack = {}};
  CHECK_THROWS_WITH_AS(nn::MultiwayDense{options}, "MultiwayDense: the first sublayer of a block must be attention", ValueError);
  FunctionLayer same([](const Tensor& x) { return x; });
  const Tensor x = zeros({1, 2, kMuddWidth});
  const nn::Sublayer alone(same);
  CHECK_THROWS_WITH_AS(alone(x, x, x), "FunctionLayer has no queries, keys and values to be given apart", ValueError);
  nn::MultiHeadAttention attention({.d_model = kMuddWidth, .heads = 2});
  const Tensor longer = zeros({1, 3, kMuddWidth});
  for (const nn::AttentionInputs& wrong : {nn::AttentionInputs{.key_source = longer}, nn::AttentionInputs{.value_source = longer}}) {
    CHECK_THROWS_WITH_AS(attention(x, wrong), doctest::Contains("keys and values must be made from the same, got [1, 3, 6]"), ShapeError);
  }
  CHECK_THROWS_WITH_AS(attention(x, {.memory = x, .key_source = x}), doctest::Contains("keys and values come from a memory"), ValueError);
  CHECK_THROWS_WITH_AS(
      nn::LanguageModel({.d_model = 8, .layers = 3, .heads = 2, .placement = "mudd", .shared_kv_layers = 1}),
      "LanguageModel: placement 'mudd' gives keys and values inputs of their own, and with shared_kv_layers the last layers "
      "have none",
      ValueError);
}
