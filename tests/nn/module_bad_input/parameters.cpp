#include "tests/nn/bad_input/tables.h"

namespace gradus::test {
namespace {

// Another parameter, of this shape, in the place of the layer's own.
void put(Parameter& parameter, const Shape& shape) { parameter.share(Parameter(ones(shape))); }

// on_scores of an encoding whose parameter was changed.
template <typename Encoding> void scores(void (*change)(Encoding&)) {
  const Tensor q = f32({1, 3, 2, 4});
  changed(Encoding(few_positions()), change).on_scores(q, q, {arange(3), arange(3)}, 1);
}

}  // namespace

BadCalls parameter_calls() {
  const auto run = [](void (*change)(GRU&)) { changed(GRU(8, 4), change)(f32({1, 3, 8})); };
  const auto run_stacked = [](void (*change)(GRU&)) { changed(GRU(8, 4, {.layers = 2}), change)(f32({1, 3, 8})); };
  const auto attend = [](void (*change)(MultiHeadAttention&)) {
    const AttentionOptions all{
        .d_model = 8, .heads = 2, .kv_heads = 1, .sink = 0, .train_sink = true, .value_residual = true, .head_gain = true};
    changed(MultiHeadAttention(all), change)(f32({1, 3, 8}));
  };
  const auto streams = [](const Shape& alpha, const Shape& h) {
    changed(HyperConnection(two_sublayers(), {}, 0), [&](auto& m) { put(m.alpha, alpha); })(f32(h));
  };
  return {
      REFUSED(shape, run_stacked([](auto& m) { put(m.cell(1).weight_ih, {12, 8}); }),
              "GRU_l1: weight_ih must have shape [12, 4], got [12, 8]"),
      REFUSED(shape, run([](auto& m) { put(m.weight_ih, {5, 7}); }), "GRU: weight_ih must have shape [12, 8], got [5, 7]"),
      REFUSED(shape, run([](auto& m) { put(m.weight_hh, {12, 5}); }), "GRU: weight_hh must have shape [12, 4], got [12, 5]"),
      REFUSED(shape, run([](auto& m) { put(m.bias_ih, {4}); }), "GRU: bias_ih must have shape [12], got [4]"),
      REFUSED(shape, run([](auto& m) { put(m.bias_hh, {1}); }), "GRU: bias_hh must have shape [12], got [1]"),  // would broadcast
      REFUSED(graph, run([](auto& m) { m.bias_hh.share({}); }), "GRU: bias_hh is undefined"),
      REFUSED(dtype, run([](auto& m) { m.weight_hh.share(Parameter(f64({12, 4}))); }), "GRU: x is f32, but weight_hh is f64"),
      by("MultiHeadAttention", {
          REFUSED(shape, attend([](auto& m) { put(m.q_proj.weight, {4, 8}); }), "q_proj.weight must have shape [8, 8], got [4, 8]"),
          REFUSED(shape, attend([](auto& m) { put(m.k_proj.weight, {8, 8}); }), "k_proj.weight must have shape [4, 8], got [8, 8]"),
          REFUSED(shape, attend([](auto& m) { put(m.v_proj.weight, {4, 7}); }), "v_proj.weight must have shape [4, 8], got [4, 7]"),
          REFUSED(shape, attend([](auto& m) { put(m.out_proj.weight, {3, 8}); }), "out_proj.weight must have shape [8, 8], got [3, 8]"),
          REFUSED(shape, attend([](auto& m) { put(m.head_gain, {1}); }), "head_gain must have shape [2], got [1]"),
          REFUSED(shape, attend([](auto& m) { put(m.sink, {3}); }), "sink must have shape [2], got [3]"),
          REFUSED(shape, attend([](auto& m) { put(m.value_mix, {1}); }), "value_mix must have shape [2], got [1]"),
      }),
      REFUSED(shape, scores<KerplePosition>([](auto& m) { put(m.r1, {1}); }), "KerplePosition: r1 must have shape [2], got [1]"),
      REFUSED(shape, scores<KerplePosition>([](auto& m) { put(m.r2, {1}); }), "KerplePosition: r2 must have shape [2], got [1]"),
      REFUSED(shape, scores<FirePosition>([](auto& m) { put(m.c, {3}); }), "FirePosition: c must have shape [], got [3]"),
      REFUSED(shape, scores<FirePosition>([](auto& m) { put(m.factor, {1}); }), "FirePosition: factor must have shape [], got [1]"),
      REFUSED(shape, scores<FirePosition>([](auto& m) { put(m.outer.weight, {1, 32}); }), "FirePosition: outer.weight must have shape [2, 32]"),
      REFUSED(shape, scores<T5Position>([](auto& m) { put(m.weight, {1, 2}); }), "T5Position: weight must have shape [32, 2]"),
      REFUSED(shape, scores<ShawPosition>([](auto& m) { put(m.key_rows, {3, 4}); }), "ShawPosition: key_rows must have shape [33, 4]"),
      REFUSED(shape, scores<TransformerXLPosition>([](auto& m) { put(m.content_bias, {1, 4}); }),
              "TransformerXLPosition: content_bias must have shape [2, 4], got [1, 4]"),
      REFUSED(shape, scores<CoPE>([](auto& m) { put(m.weight, {64, 3}); }), "CoPE: weight must have shape [positions, 4]"),
      REFUSED(value, scores<DynamicPositionBias>([](auto& m) { m.maps.clear(); }), "DynamicPositionBias: 2 norms need one map more, got 0"),
      REFUSED(shape, streams({1}, {1, 3, 4, 8}), "HyperConnection: alpha must have shape [4, 5], got [1]"),  // would broadcast
      REFUSED(shape, streams({4, 5}, {1, 3, 5, 8}), "HyperConnection: alpha must have shape [5, 6], got [4, 5]"),
      REFUSED(shape, streams({4, 5}, {8}), "HyperConnection: expected streams [..., n, C], got [8]"),
      REFUSED(graph, changed(Embedding(4, 2), [](auto& m) { m.weight.share({}); })(i64({1})), "Embedding: weight is undefined"),
      REFUSED(shape, changed(PReLU(), [](auto& m) { put(m.slope, {}); })(f32({2})), "PReLU: slope must have one axis, got shape []"),
  };
}

}  // namespace gradus::test
