#include "tests/nn/block/function_layer.h"
#include "tests/nn/module_bad_input/tables.h"

namespace gradus::test {
namespace {

// The first block of each placement, with sublayers that all do this.
BadCalls of_placements() {
  BadCalls rows;
  for (const auto& row : nn::placements().variants) {
    const std::string name(row.name);
    const auto run = [name](const Tensor& x, Tensor (*f)(const Tensor&), const Tensor& condition = {}) {
      return [=] {
        FunctionLayer sublayer(f);
        const nn::PlacementPtr placement = nn::placements().find(name).value(two_sublayers());
        (*placement)({.x = x, .condition = condition}, std::vector<nn::Sublayer>(placement->order().size(), sublayer));
      };
    };
    const auto same = [](const Tensor& y) { return y; };
    const Tensor x = f32({1, 3, 8});
    rows += {
        {name + " of a stream of width 5", run(f32({1, 3, 5}), same), Raises::shape, ": expected [..., 8], got [1, 3, 5]"},
        {name + " of a stream of no axes", run(f32({}), same), Raises::shape, ": expected [..., 8], got []"},
        {name + " of sublayers that give nothing", run(x, [](const Tensor&) { return Tensor(); }), Raises::graph,
         ": sublayer 0 gave an undefined tensor"},
        {name + " of sublayers whose results would broadcast", run(x, [](const Tensor&) { return f32({1, 1, 1}); }), Raises::shape,
         ": sublayer 0 made [1, 1, 1] of [1, 3, 8]; the shapes must be the same"},
    };
    if (name == "adaptive") continue;
    rows += {name + " with a condition", run(x, same, f32({1, 8})), Raises::value, ": takes no condition; leave it out"};
  }
  return rows;
}

// The bias that each encoding adds to scores, of other positions than q and k have.
BadCalls of_positions() {
  BadCalls rows;
  for (const char* row : {"shaw", "xl", "t5", "alibi", "kerple", "kerple-power", "fire", "dynamic-bias", "cope"}) {
    const auto scores = [=](const Tensor& queries, const Tensor& keys, int64_t heads = 2) {
      return [=] {
        const nn::PositionEncodingPtr position = nn::position_encodings().find(row).value(few_positions());
        const Tensor q = f32({1, 3, heads, 4});
        position->on_scores(q, q, {queries, keys}, 1);
      };
    };
    const std::string name = row;
    rows += {
        {name + " of one position for three keys", scores(arange(3), arange(1)), Raises::shape,
         ": q or k [1, 3, 2, 4] needs positions [3] or [1, 3], got [1]"},
        {name + " of five positions for three queries", scores(arange(5), arange(3)), Raises::shape, "[3] or [1, 3], got [5]"},
        {name + " of the positions of another batch", scores(i64({4, 3}), arange(3)), Raises::shape, "[3] or [1, 3], got [4, 3]"},
        {name + " of a position that would overflow", scores(arange(3), full({3}, -9.2e18, DType::i64)), Raises::value,
         ": positions must be within ±2⁵², got -92"},
    };
    if (name == "shaw" || name == "cope") continue;  // which are the same for all heads
    rows += {name + " of five heads for two", scores(arange(3), arange(3), 5), Raises::shape, " must have shape ["};
  }
  return rows;
}

BadCalls of_caches() {
  const auto model = [] { return nn::LanguageModel(narrow_model()); };
  const auto next = [=](const std::function<void(nn::GenerationCache&)>& change) {
    return [=] {
      nn::LanguageModel m = model();
      nn::GenerationCache past;
      m(i64({1, 2}), past);
      change(past);
      m(i64({1, 1}), past);
    };
  };
  const auto attend = [](const nn::KeyValueCache& given) {
    return [=] {
      nn::KeyValueCache cache = given;
      nn::MultiHeadAttention({.d_model = 8, .heads = 2})(f32({1, 3, 8}), {.cache = &cache});
    };
  };
  const Tensor held = f32({1, 2, 2, 4});
  return {
      {"a cache of length -5", next([](auto& past) { past.length = -5; }), Raises::value,
       "LanguageModel: the cache is of length -5, but its layer 0 of 2"},
      {"a cache of length 0 that holds two ids", next([](auto& past) { past.length = 0; }), Raises::value, "of length 0, but its layer 0 of 2"},
      {"a cache one of whose layers is empty", next([](auto& past) { past.layers[1] = {}; }), Raises::value, "of length 2, but its layer 1 of 0"},
      {"a cache without its layers", next([](auto& past) { past.layers.clear(); }), Raises::value,
       "LanguageModel: the cache is of length 2, but holds no layers"},
      {"keys without values", attend({held, {}, arange(2)}), Raises::graph, "KeyValueCache: keys, values and positions are all defined"},
      {"keys without positions", attend({held, held, {}}), Raises::graph, "KeyValueCache: keys, values and positions are all defined"},
      {"values longer than keys", attend({held, f32({1, 9, 2, 4}), arange(2)}), Raises::shape, "which do not belong together"},
      {"positions that are no numbers", attend({held, held, f32({2})}), Raises::dtype, "KeyValueCache: holds positions of f32"},
      {"positions of no axis", attend({held, held, i64({})}), Raises::shape, "which do not belong together"},
  };
}

// A position encoding that adds this to attention's result.
struct Adds : nn::PositionEncoding {
  explicit Adds(const Tensor& given) : result(given) {}
  bool acts_on_values() const override { return true; }
  Tensor on_values(const Tensor&, const nn::Positions&) override { return result; }
  void members(nn::Members&) override {}
  Tensor result;
};

}  // namespace

BadCalls joint_calls() {
  BadCalls rows = joined({of_placements(), of_positions(), of_caches()});
  const Tensor x = f32({1, 3, 8});
  const auto adds = [=](const Tensor& result) {
    return [=] { nn::MultiHeadAttention({.d_model = 8, .heads = 2}, std::make_shared<Adds>(result))(x); };
  };
  rows += {
      REFUSED(value, nn::Block{changed(narrow_block(), [](auto& o) { o.feed_forward.d_model = 16; })},
              "Block: attention has d_model 8, but the feed-forward layer 16"),
      {"an encoding that adds nothing to the values", adds({}), Raises::graph, "MultiHeadAttention: the result of on_values is undefined"},
      {"an encoding whose values would broadcast", adds(f32({1, 1, 1, 1})), Raises::shape,
       "MultiHeadAttention: the result of on_values must have shape [1, 3, 2, 4], got [1, 1, 1, 1]"},
      REFUSED(dtype, nn::MultiHeadAttention({.d_model = 8, .heads = 2})(x, {.bias = i64({3})}),
              "attention: a bias is added to the scores and must be floating, got i64"),
      REFUSED(graph, nn::LanguageModel{narrow_model()}({}), "LanguageModel: ids is undefined"),
      REFUSED(value, nn::LanguageModel{narrow_model()}(i64({1, 3}), f32({1, 8})), "PreNorm: takes no condition"),
      REFUSED(graph, nn::EncoderDecoder({.stacks = narrow_model()})(i64({1, 3}), {}), "EncoderDecoder: target is undefined"),
      REFUSED(graph, nn::draw({}, {}, default_generator()), "draw: scores is undefined"),
      REFUSED(dtype, nn::draw(i64({3}), {}, default_generator()), "draw: needs a floating dtype, got i64"),
      REFUSED(value, nn::LanguageModel m(narrow_model()); nn::sample(m, {1}, {.count = -1}, default_generator()),
              "sample: count must not be negative, got -1"),
  };
  return rows;
}

}  // namespace gradus::test
