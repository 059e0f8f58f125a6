#include "tests/nn/bad_input/tables.h"
#include "tests/nn/block/function_layer.h"

namespace gradus::test {
namespace {

// The placements, and whether they make norms by make_norm.
struct PlacementWords {
  const char* row;
  bool has_norms;
};
const std::vector<PlacementWords> kPlacementWords{
    {"pre", true},
    {"post", true},
    {"residual", false},
    {"sandwich", true},
    {"output", true},
    {"deepnorm", true},
    {"deepnorm-glm", true},
    {"parallel", true},
    {"rezero", false},
    {"layerscale", false},
    {"layerscale-pre", true},
    {"residual-scale", false},
    {"residual-scale-pre", true},
    {"macaron", true},
    {"normformer", true},
    {"resi-dual", true},
    {"hyper-connections", true},
    {"hyper-connections-static", true},
    {"mhc", true},
    {"attention-residual", true},
    {"attention-residual-blocks", true},
    {"gated-streams", false},
    {"denseformer", true},
    {"input-residual", true},
    {"gru-gate", true},
    {"orthogonal", true},
    {"highway", true},
    {"mix", true},
    {"depth-scaled-norm", true},
    {"hybrid", true},
    {"hybrid-star", true},
    {"mudd", true},
    {"sphere", false},
    {"adaptive", false},
};

PlacementOptions usual() {
  return {.make_norm = [] { return std::make_unique<RMSNorm>(4); },
          .d_model = 4,
          .sublayers = {SublayerKind::attention, SublayerKind::feed_forward},
          .stack = {.layers = 2}};
}

PlacementPtr placed(const std::string& row, const PlacementOptions& o = usual()) { return placements().find(row).value(o); }

TransformerOptions small_model() { return {.context = 4, .d_model = 8, .layers = 1, .heads = 2}; }

}  // namespace

BadCalls part_calls() {
  BadCalls rows;
  for (const auto& [name, has_norms] : kPlacementWords) {
    const std::string row = name;
    const auto run = [row](const Tensor& x, std::size_t sublayers) {
      FunctionLayer same([](const Tensor& y) { return y; });
      (*placed(row))({.x = x}, std::vector<Sublayer>(sublayers, same));
    };
    const std::size_t count = row == "macaron" ? 3 : 2;
    const auto make = [row](void (*change)(PlacementOptions&)) { placed(row, changed(usual(), change)); };
    rows += of(row, {
                        REFUSED(graph, run({}, count), "the stream's x is undefined"),
                        REFUSED(value, run(f32({1, 2, 4}), 5), fmt::format("expected {} sublayers, got 5", count)),
                        REFUSED(value, make([](auto& o) { o.stack.layers = 0; }), ": the number of layers must be positive, got 0"),
                        REFUSED(value, make([](auto& o) { o.stack.index = 2; }), ": of 2 layers there is none of index 2"),
                        REFUSED(value, make([](auto& o) { o.stack.index = -1; }), ": of 2 layers there is none of index -1"),
                        REFUSED(value, make([](auto& o) { o.d_model = 0; }), "Placement: d_model must be positive, got 0"),
                        REFUSED(value, make([](auto& o) { o.stack.paired_layers = -1; }),
                                ": the number of paired layers must not be negative, got -1"),
                    });
    if (!has_norms) continue;
    rows += of(row, by("PlacementOptions",
                       {
                           REFUSED(value, make([](auto& o) { o.make_norm = nullptr; }), "make_norm is no function"),
                           REFUSED(value, make([](auto& o) { o.make_norm = [] { return LayerPtr(); }; }), "make_norm made nothing"),
                       }));
  }
  const auto block = [](void (*change)(BlockOptions&)) { Block{changed(narrow_block(), change)}; };
  rows += {
      REFUSED(value, PerToken(nullptr), "PerToken: the norm is nullptr"),
      REFUSED(value, FeedForward(nullptr, {.d_model = 4, .d_ff = 6}), "FeedForward: the activation is nullptr"),
      REFUSED(value, NormChoice(MakeNorm::function()).make({.width = 4}), "norm 'own' is no function"),
      REFUSED(value, NormChoice([](const NormOptions&) { return LayerPtr(); }).make({.width = 4}), "norm 'own' made nothing"),
      REFUSED(value, block([](auto& o) { o.placement = [](const PlacementOptions&) { return PlacementPtr(); }; }),
              "placement 'own' made nothing"),
      REFUSED(value, block([](auto& o) { o.feed_forward_layer = [](const FeedForwardOptions&) { return LayerPtr(); }; }),
              "feed-forward 'own' made nothing"),
      REFUSED(value, Stack(narrow_block(), {std::make_shared<NoPosition>(), [](int64_t) { return PositionEncodingPtr(); }}),
              "Stack: the position encoding of block 1 is nullptr"),
      REFUSED(value, placed("resi-dual")->finish({.x = f32({1, 2, 4}), .second = f32({1, 2, 4})}, nullptr),
              "ResiDual: the second stream needs a final norm, got nullptr"),
  };
  return rows;
}

BadCalls block_calls() {
  const Tensor x = f32({1, 3, 8}), none;
  const auto forward = [](const Tensor& of, const StackInputs& in = {}) { Stack{narrow_block()}(of, in); };
  const auto block = [](void (*change)(BlockOptions&)) { Block{changed(narrow_block(), change)}; };
  return {
    REFUSED_EACH(Block{changed(narrow_block(), [=](auto& o) { o.stochastic_depth = bad; })}, "stochastic_depth_rate: p", kNoProbability),
        REFUSED_EACH(Stack{changed(narrow_block(), [=](auto& o) { o.stack.layers = bad; })}, "Stack: the number of layers must be positive",
                     0, -1, INT64_MIN),
        REFUSED(value, block([](auto& o) { o.stack.index = 2; }), "Block: of 2 layers there is none of index 2"),
        REFUSED(value, block([](auto& o) { o.norm = "rsm"; }), "unknown norm 'rsm'"),
        REFUSED(graph, forward(none), "the stream's x is undefined"),
        REFUSED(shape, forward(f32({3, 8})), "expected [B, T, 8], got [3, 8]"),
        REFUSED(shape, forward(f32({1, 3, 4})), ": expected [..., 8], got [1, 3, 4]"),
        REFUSED(dtype, forward(f64({1, 3, 8})), "x is f64, but gain is f32"),
        REFUSED(value, std::vector<KeyValueCache> caches(1); forward(x, {.caches = &caches}), "2 blocks, but 1 caches"),
        REFUSED(graph, Encoder{small_model()}({}), "Encoder: forward: x is undefined"),
        REFUSED(shape, Encoder{small_model()}(f32({8})), "expected x [B, T, 8], got [8]"),
        REFUSED(shape, Encoder{small_model()}(f32({1, 3, 4})), "expected x [B, T, 8], got [1, 3, 4]"),
        REFUSED(graph, Decoder{small_model()}(x, {}), "the memory of its cross-attention is undefined"),
        REFUSED(shape, Decoder{small_model()}(x, f32({2, 3, 8})), "attention: expected q [B, T, H, d]"),
        REFUSED(graph, Stack{changed(narrow_block(), [](auto& o) { o.cross_attention = true; })}(x),
                "Stack.blocks.0, Block: attention: the memory of its cross-attention is undefined"),
        REFUSED(value, deep_norm_scale({.layers = 0}), "deep_norm_scale: the number of"),
        REFUSED(value, glm_deep_norm_scale({.layers = -3}), "must be positive, got -3"),
        REFUSED(value, HyperConnection(usual(), {}, -1), "HyperConnection: sublayers are counted from 0, got -1"),
        REFUSED(graph, HyperConnection(usual(), {}, 0)({}), "forward: h is undefined"),
        REFUSED_EACH(HyperConnections(usual(), {.streams = bad}), "HyperConnections: needs at least one stream", 0, -4),
        REFUSED_EACH(ResidualScale(usual(), BranchNorm::none, bad), "ResidualScale: the scale", kNotFinite),
  };
}

}  // namespace gradus::test
