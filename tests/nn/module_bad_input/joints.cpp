#include "tests/nn/bad_input/tables.h"
#include "tests/nn/block/function_layer.h"

namespace gradus::test {
namespace {

// The first block of each placement, with sublayers that all do this.
BadCalls of_placements() {
  BadCalls rows;
  for (const auto& row : placements().variants) {
    const std::string name(row.name);
    const auto run = [name](const Tensor& x, Tensor (*f)(const Tensor&), const Tensor& condition = {}) {
      FunctionLayer sublayer(f);
      const PlacementPtr placement = placements().find(name).value(two_sublayers());
      (*placement)({.x = x, .condition = condition}, std::vector<Sublayer>(placement->order().size(), sublayer));
    };
    const auto same = [](const Tensor& y) { return y; };
    const auto nothing = [](const Tensor&) { return Tensor(); };
    const auto one = [](const Tensor&) { return f32({1, 1, 1}); };  // would broadcast
    const Tensor x = f32({1, 3, 8});
    rows += of(name, {
                         REFUSED(shape, run(f32({1, 3, 5}), same), ": expected [..., 8], got [1, 3, 5]"),
                         REFUSED(shape, run(f32({}), same), ": expected [..., 8], got []"),
                         REFUSED(graph, run(x, nothing), "the result of a sublayer is undefined"),
                         REFUSED(shape, run(x, one), "FunctionLayer made [1, 1, 1] of [1, 3, 8]; the shapes must be the same"),
                     });
    if (name == "adaptive") continue;
    rows += of(name, {REFUSED(value, run(x, same, f32({1, 8})), ": takes no condition; leave it out")});
  }
  return rows;
}

// The bias that each encoding adds to scores, of other positions than q and k have.
BadCalls of_positions() {
  BadCalls rows;
  for (const std::string row : {"shaw", "xl", "t5", "alibi", "kerple", "kerple-power", "fire", "dynamic-bias", "cope"}) {
    const auto scores = [=](const Tensor& queries, const Tensor& keys, int64_t heads = 2) {
      const Tensor q = f32({1, 3, heads, 4});
      position_encodings().find(row).value(few_positions())->on_scores(q, q, {queries, keys}, 1);
    };
    const Tensor overflowing = full({3}, -9.2e18, DType::i64);
    rows += of(row, {
                        REFUSED(shape, scores(arange(3), arange(1)), ": q or k [1, 3, 2, 4] needs positions [3] or [1, 3], got [1]"),
                        REFUSED(shape, scores(arange(5), arange(3)), "[3] or [1, 3], got [5]"),
                        REFUSED(shape, scores(i64({4, 3}), arange(3)), "[3] or [1, 3], got [4, 3]"),
                        REFUSED(value, scores(arange(3), overflowing), ": positions must be within ±2⁵², got -92"),
                    });
    rows += of(row, {REFUSED(shape, scores(arange(3), arange(3), 5), ": expected q [B, T, 2, 4], got [1, 3, 5, 4]")});
  }
  return rows;
}

// A position encoding that adds this to attention's result.
struct Adds : PositionEncoding {
  explicit Adds(const Tensor& given) : result(given) {}
  bool acts_on_values() const override { return true; }
  Tensor on_values(const Tensor&, const Positions&) override { return result; }
  void members(Members&) override {}
  Tensor result;
};

}  // namespace

BadCalls joint_calls() {
  const auto next = [](const std::function<void(GenerationCache&)>& change) {
    LanguageModel m(narrow_model());
    GenerationCache past;
    m(i64({1, 2}), past);
    change(past);
    m(i64({1, 1}), past);
  };
  const auto attend = [](KeyValueCache cache) { MultiHeadAttention({.d_model = 8, .heads = 2})(f32({1, 3, 8}), {.cache = &cache}); };
  const Tensor held = f32({1, 2, 2, 4});
  const Tensor x = f32({1, 3, 8});
  const auto adds = [=](const Tensor& result) { MultiHeadAttention({.d_model = 8, .heads = 2}, std::make_shared<Adds>(result))(x); };
  return {
    of_placements(), of_positions(),
        REFUSED(value, next([](auto& past) { past.length = -5; }), "the cache is of length -5, but its layer 0 of 2"),
        REFUSED(value, next([](auto& past) { past.length = 0; }), "of length 0, but its layer 0 of 2"),
        REFUSED(value, next([](auto& past) { past.layers[1] = {}; }), "of length 2, but its layer 1 of 0"),
        REFUSED(value, next([](auto& past) { past.layers.clear(); }), "the cache is of length 2, but holds no layers"),
        REFUSED(graph, attend({held, {}, arange(2)}), "KeyValueCache: keys, values and positions are all defined"),
        REFUSED(graph, attend({held, held, {}}), "KeyValueCache: keys, values and positions are all defined"),
        REFUSED(shape, attend({held, f32({1, 9, 2, 4}), arange(2)}), "which do not belong together"),
        REFUSED(dtype, attend({held, held, f32({2})}), "KeyValueCache: holds positions of f32"),
        REFUSED(shape, attend({held, held, i64({})}), "which do not belong together"),
        REFUSED(value, Block{changed(narrow_block(), [](auto& o) { o.feed_forward.d_model = 16; })},
                "Block: attention has d_model 8, but the feed-forward layer 16"),
        REFUSED(graph, adds({}), "the result of on_values is undefined"),
        REFUSED(shape, adds(f32({1, 1, 1, 1})), "on_values gave [1, 1, 1, 1] for a result of [1, 3, 2, 4]"),
        REFUSED(dtype, MultiHeadAttention({.d_model = 8, .heads = 2})(x, {.bias = i64({3})}),
                "attention: a bias is added to the scores and must be floating, got i64"),
        REFUSED(graph, LanguageModel{narrow_model()}({}), "forward: ids is undefined"),
        REFUSED(value, LanguageModel{narrow_model()}(i64({1, 3}), f32({1, 8})), "PreNorm: takes no condition"),
        REFUSED(graph, EncoderDecoder({.stacks = narrow_model()})(i64({1, 3}), {}), "EncoderDecoder: forward: target is undefined"),
        REFUSED(graph, draw({}, {}, default_generator()), "draw: scores is undefined"),
        REFUSED(dtype, draw(i64({3}), {}, default_generator()), "draw: needs a floating dtype, got i64"),
        REFUSED(value, LanguageModel m(narrow_model());
                sample(m, {1}, {.count = -1}, default_generator()), "sample: count must not be negative, got -1"),
  };
}

}  // namespace gradus::test
