#include "tests/nn/bad_input/tables.h"

namespace gradus::test {

// A parameter keeps its shape, so no layer asks for it in a call.
BadCalls parameter_calls() {
  const Tensor x = f32({1, 3, 8}), q = f32({1, 3, 2, 4});
  const auto score = [=](DynamicPositionBias bias) { bias.on_scores(q, q, {arange(3), arange(3)}, 1); };
  const auto streams = [](const Shape& h) { HyperConnection(two_sublayers(), {}, 0)(f32(h)); };
  return {
      REFUSED(shape, Linear(3, 2).weight.share(ones({3})), "parameter: one of shape [2, 3] cannot become one of shape [3]"),
      REFUSED(shape, Linear(3, 2).bias.share(ones({1})), "parameter: one of shape [2] cannot become one of shape [1]"),
      REFUSED(shape, Linear(3, 2).weight.append(ones({1, 4})), "cat: "),
      REFUSED(graph, Embedding(4, 2).weight.share({}), "parameter: other is undefined"),
      REFUSED(graph, Embedding(4, 2).weight.append({}), "cat: "),
      REFUSED(dtype, changed(GRU(8, 4), [](auto& m) { m.weight_hh.share(f64({12, 4})); })(x), "GRU(8 -> 4): "),
      REFUSED(value, score(changed(DynamicPositionBias(few_positions()), [](auto& m) { m.maps.clear(); })),
              "DynamicPositionBias: 2 norms need one map more, got 0"),
      by("HyperConnection(alpha [4, 5], beta [4])",
         {
             REFUSED(shape, streams({1, 3, 5, 8}), "expected 4 streams [..., n, C], got [1, 3, 5, 8]"),
             REFUSED(shape, streams({1, 3, 1, 8}), "expected 4 streams [..., n, C], got [1, 3, 1, 8]"),  // would broadcast
             REFUSED(shape, streams({8}), "expected 4 streams [..., n, C], got [8]"),
         }),
  };
}

}  // namespace gradus::test
