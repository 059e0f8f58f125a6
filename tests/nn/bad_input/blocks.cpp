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
const std::vector<PlacementWords> kPlacementWords{
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

nn::PlacementPtr placed(const std::string& row, const nn::PlacementOptions& o = usual()) { return nn::placements().find(row).value(o); }

nn::BlockOptions small_block() {
  return {.attention = {.d_model = 8, .heads = 2}, .feed_forward = {.d_model = 8, .d_ff = 12}, .stack = {.layers = 2}};
}

nn::TransformerOptions small_model() { return {.context = 4, .d_model = 8, .layers = 1, .heads = 2}; }

}  // namespace

BadCalls part_calls() {
  BadCalls rows;
  for (const auto& [name, has_norms] : kPlacementWords) {
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
    };
    const auto refused = [&](const std::string& what, void (*change)(nn::PlacementOptions&), const std::string& said) {
      rows += {row + what, [=] { placed(row, changed(usual(), change)); }, Raises::value, said};
    };
    refused(" of no layers", [](auto& o) { o.stack.layers = 0; }, ": the number of layers must be positive, got 0");
    refused(" of layer 2 of 2", [](auto& o) { o.stack.index = 2; }, ": of 2 layers there is none of index 2");
    refused(" of layer -1", [](auto& o) { o.stack.index = -1; }, ": of 2 layers there is none of index -1");
    refused(" of d_model 0", [](auto& o) { o.d_model = 0; }, "Placement: d_model must be positive, got 0");
    refused(" beside -1 layers", [](auto& o) { o.stack.paired_layers = -1; }, ": the number of paired layers must not be negative, got -1");
    if (!has_norms) continue;
    refused(" with an empty make_norm", [](auto& o) { o.make_norm = nullptr; }, "PlacementOptions: make_norm is no function");
    refused(" with a norm that is not made", [](auto& o) { o.make_norm = [] { return nn::LayerPtr(); }; },
            "PlacementOptions: make_norm made nothing");
  }
  const auto block = [](void (*change)(nn::BlockOptions&)) { nn::Block{changed(small_block(), change)}; };
  rows += {
      REFUSED(value, nn::PerToken(nullptr), "PerToken: the norm is nullptr"),
      REFUSED(value, nn::FeedForward(nullptr, {.d_model = 4, .d_ff = 6}), "FeedForward: the activation is nullptr"),
      REFUSED(value, nn::NormChoice(nn::MakeNorm::function()).make({.width = 4}), "norm 'own' is no function"),
      REFUSED(value, nn::NormChoice([](const nn::NormOptions&) { return nn::LayerPtr(); }).make({.width = 4}), "norm 'own' made nothing"),
      REFUSED(value, block([](auto& o) { o.placement = [](const nn::PlacementOptions&) { return nn::PlacementPtr(); }; }),
              "placement 'own' made nothing"),
      REFUSED(value, block([](auto& o) { o.feed_forward_layer = [](const nn::FeedForwardOptions&) { return nn::LayerPtr(); }; }),
              "feed-forward 'own' made nothing"),
      REFUSED(value, nn::Stack(small_block(), {std::make_shared<nn::NoPosition>(), [] { return nn::PositionEncodingPtr(); }}),
              "Stack: the position encoding of block 1 is nullptr"),
      REFUSED(value, placed("resi-dual")->finish({.x = f32({1, 2, 4}), .second = f32({1, 2, 4})}, nullptr),
              "ResiDual: the second stream needs a final norm, got nullptr"),
  };
  return rows;
}

BadCalls block_calls() {
  BadCalls rows;
  rows += bad_values("Block with stochastic_depth", kNoProbability, "stochastic_depth_rate: p must be in [0, 1), got ",
                     [](double p) { nn::Block{changed(small_block(), [=](auto& o) { o.stochastic_depth = p; })}; });
  rows += bad_sizes("Stack of layers", {0, -1, INT64_MIN}, "Stack: the number of layers must be positive, got ",
                    [](int64_t layers) { nn::Stack{changed(small_block(), [=](auto& o) { o.stack.layers = layers; })}; });
  const Tensor x = f32({1, 3, 8}), none;
  const auto forward = [](const Tensor& of, const nn::StackInputs& in = {}) { nn::Stack{small_block()}(of, in); };
  const auto block = [](void (*change)(nn::BlockOptions&)) { nn::Block{changed(small_block(), change)}; };
  rows += {
      REFUSED(value, block([](auto& o) { o.stack.index = 2; }), "Block: of 2 layers there is none of index 2"),
      REFUSED(value, block([](auto& o) { o.norm = "rsm"; }), "unknown norm 'rsm'"),
      REFUSED(graph, forward(none), "Stack: x is undefined"),
      REFUSED(shape, forward(f32({3, 8})), "MultiHeadAttention: expected [B, T, 8], got [3, 8]"),
      REFUSED(shape, forward(f32({1, 3, 4})), ": expected [..., 8], got [1, 3, 4]"),
      REFUSED(dtype, forward(f64({1, 3, 8})), "RMSNorm: x is f64, but gain is f32"),
      REFUSED(value, std::vector<nn::KeyValueCache> caches(1); forward(x, {.caches = &caches}), "Stack: 2 blocks, but 1 caches"),
      REFUSED(graph, nn::Encoder{small_model()}({}), "Transformer: x is undefined"),
      REFUSED(shape, nn::Encoder{small_model()}(f32({8})), "Transformer: expected x [B, T, 8], got [8]"),
      REFUSED(shape, nn::Encoder{small_model()}(f32({1, 3, 4})), "Transformer: expected x [B, T, 8], got [1, 3, 4]"),
      REFUSED(graph, nn::Decoder{small_model()}(x, {}), "Decoder: memory is undefined"),
      REFUSED(shape, nn::Decoder{small_model()}(x, f32({2, 3, 8})),
              "MultiHeadAttention: x [1, 3, 8] and the memory [2, 3, 8] are not of the same samples"),
      REFUSED(graph, nn::Stack{changed(small_block(), [](auto& o) { o.cross_attention = true; })}(x),
              "Block: the memory of its cross-attention is undefined"),
      REFUSED(value, nn::deep_norm_scale({.layers = 0}), "deep_norm_scale: the number of"),
      REFUSED(value, nn::glm_deep_norm_scale({.layers = -3}), "must be positive, got -3"),
      REFUSED(value, nn::HyperConnection(usual(), {}, -1), "HyperConnection: sublayers are counted from 0, got -1"),
      REFUSED(graph, nn::HyperConnection(usual(), {}, 0)({}), "HyperConnection: h is undefined"),
  };
  rows += bad_sizes("HyperConnections of streams", {0, -4}, "HyperConnections: needs at least one stream, got ",
                    [](int64_t n) { nn::HyperConnections(usual(), {.streams = n}); });
  rows += bad_values("ResidualScale", kNotFinite, "ResidualScale: the scale must be finite, got ",
                     [](double scale) { nn::ResidualScale(usual(), nn::BranchNorm::none, scale); });
  return rows;
}

}  // namespace gradus::test
