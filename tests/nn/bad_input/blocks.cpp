#include "tests/nn/bad_input/tables.h"
#include "tests/nn/block/function_layer.h"

namespace gradus::test {
namespace {

using nn::SublayerKind;

// The placements, and whether they make norms by make_norm.
struct PlacementWords {
  const char* row;
  bool has_norms;
};
const std::vector<PlacementWords> kWords{
    {"pre", true},         {"post", true},           {"residual", false},       {"sandwich", true},
    {"output", true},      {"deepnorm", true},       {"deepnorm-glm", true},    {"parallel", true},
    {"rezero", false},     {"layerscale", false},    {"layerscale-pre", true},  {"residual-scale", false},
    {"residual-scale-pre", true}, {"macaron", true}, {"normformer", true},      {"resi-dual", true},
    {"hyper-connections", true},  {"hyper-connections-static", true},           {"adaptive", false},
};

nn::PlacementOptions usual() {
  return {.make_norm = [] { return std::make_unique<nn::RMSNorm>(4); },
          .d_model = 4,
          .sublayers = {SublayerKind::attention, SublayerKind::feed_forward},
          .stack = {.layers = 2}};
}

nn::PlacementPtr placed(const std::string& row, const std::function<void(nn::PlacementOptions&)>& change = nullptr) {
  nn::PlacementOptions o = usual();
  if (change) change(o);
  return nn::placements().find(row).value(o);
}

nn::BlockOptions small_block() {
  return {.attention = {.d_model = 8, .heads = 2}, .feed_forward = {.d_model = 8, .d_ff = 12}, .stack = {.layers = 2}};
}

nn::TransformerOptions small_model() { return {.context = 4, .d_model = 8, .layers = 1, .heads = 2}; }

}  // namespace

BadCalls part_calls() {
  BadCalls rows;
  for (const auto& [name, has_norms] : kWords) {
    const std::string row = name;
    const auto run = [row](const Tensor& x, std::size_t sublayers) {
      FunctionLayer same([](const Tensor& y) { return y; });
      (*placed(row))({.x = x}, std::vector<nn::Sublayer>(sublayers, same));
    };
    const std::size_t count = row == "macaron" ? 3 : 2;
    rows += {
        {row + " without a stream", [=] { run({}, count); }, Raises::graph, "the stream's x is undefined"},
        {row + " of five sublayers", [=] { run(f32({1, 2, 4}), 5); }, Raises::value,
         fmt::format("expected {} sublayers, got 5", count)},
        {row + " of no layers", [=] { placed(row, [](auto& o) { o.stack.layers = 0; }); }, Raises::value,
         ": the number of layers must be positive, got 0"},
        {row + " of layer 2 of 2", [=] { placed(row, [](auto& o) { o.stack.index = 2; }); }, Raises::value,
         ": of 2 layers there is none of index 2"},
        {row + " of layer -1", [=] { placed(row, [](auto& o) { o.stack.index = -1; }); }, Raises::value,
         ": of 2 layers there is none of index -1"},
        {row + " of d_model 0", [=] { placed(row, [](auto& o) { o.d_model = 0; }); }, Raises::value,
         "Placement: d_model must be positive, got 0"},
        {row + " beside -1 layers", [=] { placed(row, [](auto& o) { o.stack.paired_layers = -1; }); }, Raises::value,
         ": the number of paired layers must not be negative, got -1"},
    };
    if (!has_norms) continue;
    rows += {
        {row + " with an empty make_norm", [=] { placed(row, [](auto& o) { o.make_norm = nullptr; }); }, Raises::value,
         "PlacementOptions: make_norm is no function"},
        {row + " with a norm that is not made", [=] { placed(row, [](auto& o) { o.make_norm = [] { return nn::LayerPtr(); }; }); },
         Raises::value, "PlacementOptions: make_norm made nothing"},
    };
  }
  rows += {
      {"PerToken(nullptr)", [] { nn::PerToken(nullptr); }, Raises::value, "PerToken: the norm is nullptr"},
      {"FeedForward(nullptr, …)", [] { nn::FeedForward(nullptr, {.d_model = 4, .d_ff = 6}); }, Raises::value,
       "FeedForward: the activation is nullptr"},
      {"a norm of one's own that is no function", [] { nn::NormChoice(nn::MakeNorm::function()).make({.width = 4}); }, Raises::value,
       "norm 'own' is no function"},
      {"a norm of one's own that makes nothing",
       [] { nn::NormChoice([](const nn::NormOptions&) { return nn::LayerPtr(); }).make({.width = 4}); }, Raises::value,
       "norm 'own' made nothing"},
      {"a placement that makes nothing",
       [] {
         nn::BlockOptions o = small_block();
         o.placement = [](const nn::PlacementOptions&) { return nn::PlacementPtr(); };
         nn::Block{o};
       },
       Raises::value, "placement 'own' made nothing"},
      {"a feed-forward layer that is not made",
       [] {
         nn::BlockOptions o = small_block();
         o.feed_forward_layer = [](const nn::FeedForwardOptions&) { return nn::LayerPtr(); };
         nn::Block{o};
       },
       Raises::value, "feed-forward 'own' made nothing"},
      {"a position encoding that is not made",
       [] { nn::Stack(small_block(), {std::make_shared<nn::NoPosition>(), [] { return nn::PositionEncodingPtr(); }}); },
       Raises::value, "Stack: the position encoding of block 1 is nullptr"},
      {"ResiDual without its final norm",
       [] {
         placed("resi-dual")->finish({.x = f32({1, 2, 4}), .second = f32({1, 2, 4})}, nullptr);
       },
       Raises::value, "ResiDual: the second stream needs a final norm, got nullptr"},
  };
  return rows;
}

BadCalls block_calls() {
  BadCalls rows;
  const auto block = [](const std::function<void(nn::BlockOptions&)>& change) {
    nn::BlockOptions o = small_block();
    change(o);
    nn::Block{o};
  };
  const auto stack = [](const std::function<void(nn::BlockOptions&)>& change) {
    nn::BlockOptions o = small_block();
    change(o);
    nn::Stack{o};
  };
  rows += bad_values("Block with stochastic_depth", kNoProbability, "stochastic_depth_rate: p must be in [0, 1), got ",
                     [=](double p) { block([=](auto& o) { o.stochastic_depth = p; }); });
  rows += bad_sizes("Stack of layers", {0, -1, INT64_MIN}, "Stack: the number of layers must be positive, got ",
                    [=](int64_t layers) { stack([=](auto& o) { o.stack.layers = layers; }); });
  const Tensor x = f32({1, 3, 8}), none;
  const auto forward = [](const Tensor& of, const nn::StackInputs& in = {}) { nn::Stack{small_block()}(of, in); };
  rows += {
      {"Block of layer 2 of 2", [=] { block([](auto& o) { o.stack.index = 2; }); }, Raises::value,
       "Block: of 2 layers there is none of index 2"},
      {"Block of the norm rsm", [=] { block([](auto& o) { o.norm = "rsm"; }); }, Raises::value, "unknown norm 'rsm'"},
      {"Stack of nothing", [=] { forward(none); }, Raises::graph, "Stack: x is undefined"},
      {"Stack of a matrix", [=] { forward(f32({3, 8})); }, Raises::shape, "MultiHeadAttention: expected [B, T, 8], got [3, 8]"},
      {"Stack of another width", [=] { forward(f32({1, 3, 4})); }, Raises::shape, ": expected [..., 8], got [1, 3, 4]"},
      {"Stack of f64", [=] { forward(f64({1, 3, 8})); }, Raises::dtype, "RMSNorm: x is f64, but gain is f32"},
      {"Stack with one cache for two blocks",
       [=] {
         std::vector<nn::KeyValueCache> caches(1);
         forward(x, {.caches = &caches});
       },
       Raises::value, "Stack: 2 blocks, but 1 caches"},
      {"Encoder of nothing", [] { nn::Encoder{small_model()}({}); }, Raises::graph, "Transformer: x is undefined"},
      {"Encoder of a vector", [] { nn::Encoder{small_model()}(f32({8})); }, Raises::shape,
       "Transformer: expected x [B, T, 8], got [8]"},
      {"Encoder of another width", [] { nn::Encoder{small_model()}(f32({1, 3, 4})); }, Raises::shape,
       "Transformer: expected x [B, T, 8], got [1, 3, 4]"},
      {"Decoder without a memory", [=] { nn::Decoder{small_model()}(x, {}); }, Raises::graph, "Decoder: memory is undefined"},
      {"Decoder with a memory of another batch", [=] { nn::Decoder{small_model()}(x, f32({2, 3, 8})); }, Raises::shape,
       "MultiHeadAttention: x [1, 3, 8] and the memory [2, 3, 8] are not of the same samples"},
      {"cross-attention without a memory",
       [=] {
         nn::BlockOptions o = small_block();
         o.cross_attention = true;
         nn::Stack{o}(x);
       },
       Raises::graph, "Block: the memory of its cross-attention is undefined"},
      {"deep_norm_scale of no layers", [] { nn::deep_norm_scale({.layers = 0}); }, Raises::value, "deep_norm_scale: the number of"},
      {"glm_deep_norm_scale of -3 layers", [] { nn::glm_deep_norm_scale({.layers = -3}); }, Raises::value, "must be positive, got -3"},
      {"HyperConnection of sublayer -1", [] { nn::HyperConnection(usual(), {}, -1); }, Raises::value,
       "HyperConnection: sublayers are counted from 0, got -1"},
      {"HyperConnection of nothing", [] { nn::HyperConnection(usual(), {}, 0)({}); }, Raises::graph, "HyperConnection: h is undefined"},
  };
  rows += bad_sizes("HyperConnections of streams", {0, -4}, "HyperConnections: needs at least one stream, got ",
                    [](int64_t n) { nn::HyperConnections(usual(), {.streams = n}); });
  rows += bad_values("ResidualScale", kNotFinite, "ResidualScale: the scale must be finite, got ",
                     [](double scale) { nn::ResidualScale(usual(), nn::BranchNorm::none, scale); });
  return rows;
}

}  // namespace gradus::test
