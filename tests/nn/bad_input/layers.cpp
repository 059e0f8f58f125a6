#include "tests/nn/bad_input/tables.h"

namespace gradus::test {
namespace {

// The three linear maps.
template <typename Map> BadCalls map_calls(const std::string& who) {
  const auto make = [](int64_t in, int64_t out) { Map{in, out}; };
  const auto apply = [](const Tensor& x) { Map{3, 2}(x); };
  return by(who, {
                     REFUSED(value, make(0, 2), "both sizes must be positive, got 0 -> 2"),
                     REFUSED(value, make(3, -1), "both sizes must be positive, got 3 -> -1"),
                     REFUSED(value, make(INT64_MAX, 2), "in must be at most 2⁴⁰"),
                     REFUSED(value, make(2, INT64_MAX), "out must be at most 2⁴⁰"),
                     REFUSED(graph, apply({}), "x is undefined"),
                     REFUSED(shape, apply(f32({2, 4})), "expected [..., 3], got [2, 4]"),
                     REFUSED(shape, apply(f32({})), "expected [..., 3], got []"),
                     REFUSED(dtype, apply(f64({3})), "x is f64, but weight is f32; use cast(x, DType::f32) first"),
                     REFUSED(dtype, apply(zeros({3}, DType::f16)), "x is f16, but weight is f32"),
                     REFUSED(dtype, apply(i64({3})), "needs a floating dtype, got i64"),
                 });
}

BadCalls dropout_calls() {
  return {
      no_floating_x("dropout", [](const Tensor& x) { nn::dropout(x, 0.5); }, {2}),
      no_floating_x("alpha_dropout", [](const Tensor& x) { nn::alpha_dropout(x, 0.5); }, {2}),
      no_floating_x("stochastic_depth", [](const Tensor& x) { nn::stochastic_depth(x, 0.5); }, {2}),
      REFUSED_EACH(nn::dropout(f32({2}), bad), "dropout: p", kNoProbability),
      REFUSED_EACH(nn::alpha_dropout(f32({2}), bad), "alpha_dropout: p", kNoProbability),
      REFUSED_EACH(nn::stochastic_depth(f32({2}), bad), "stochastic_depth: p", kNoProbability),
      REFUSED_EACH(Dropout{bad}, "Dropout: p", kNoProbability),
      REFUSED_EACH(AlphaDropout{bad}, "AlphaDropout: p", kNoProbability),
      REFUSED_EACH(StochasticDepth{bad}, "StochasticDepth: p", kNoProbability),
      REFUSED_EACH(stochastic_depth_rate(bad, 0, 2, true), "stochastic_depth_rate: p", kNoProbability),
      by("stochastic_depth_rate",
         {
             REFUSED(value, stochastic_depth_rate(0.1, -1, 2, true), "of 2 layers there is none of index -1"),
             REFUSED(value, stochastic_depth_rate(0.1, 2, 2, true), "of 2 layers there is none of index 2"),
             REFUSED(value, stochastic_depth_rate(0.1, INT64_MAX, 2, true), "of 2 layers there is none of index 9223372036854775807"),
             REFUSED(value, stochastic_depth_rate(0.1, 0, 0, true), "of 0 layers"),
         }),
  };
}

// The three recurrent layers.
template <typename Layer> BadCalls recurrent(const std::string& who) {
  const auto run = [](const Tensor& x, const RecurrentState& state = {}) { Layer(3, 2)(x, state); };
  const auto two = [] { return Layer(3, 2, {.layers = 2}); };
  const Tensor x = f32({1, 4, 3});
  return by(who, {
                     REFUSED(value, Layer(0, 2), "both sizes must be positive, got 0 -> 2"),
                     REFUSED(value, Layer(3, -2), "both sizes must be positive, got 3 -> -2"),
                     REFUSED(value, Layer(3, INT64_MAX), "out must be at most 2⁴⁰"),
                     REFUSED(graph, run({}), "x is undefined"),
                     REFUSED(dtype, run(f64({1, 4, 3})), "x is f64, but weight_ih is f32"),
                     REFUSED(shape, run(f32({4, 3})), "expected [B, T, 3], got [4, 3]"),
                     REFUSED(shape, run(f32({1, 4, 5})), "expected [B, T, 3], got [1, 4, 5]"),
                     REFUSED(shape, run(x, {.hidden = f32({1, 3})}), "expected a state of shape [1, 2]"),
                     REFUSED(shape, run(x, {.cell = f32({2, 2})}), "expected a state"),
                     REFUSED(shape, two()(x, {.hidden = f32({1, 2})}), "expected a state of shape [2, 1, 2], got [1, 2]"),
                     REFUSED(value, Layer(3, 2, {.layers = 0}), "the number of layers must be positive, got 0"),
                     REFUSED(value, Layer(3, 2, {.layers = 10'001}), "the number of layers must be at most 10000, got 10001"),
                     REFUSED(value, Layer(3, 2, {.dropout = 0.5}), "dropout acts between layers, and there is one"),
                     REFUSED(value, two().cell(2), "has layers 0 … 1, no layer 2"),
                     REFUSED(value, Layer(3, 2).cell(-1), "has layers 0 … 0, no layer -1"),
                     REFUSED(value, Layer(3, 2).cell(0, true), "reads in one direction"),
                     REFUSED(dtype, run(x, {.hidden = f64({1, 2})}), "x is f32, but state.hidden"),
                 });
}

}  // namespace

BadCalls layer_calls() {
  const Tensor x = f32({2, 3}), w = f32({4, 3});
  return {
      map_calls<Linear>("Linear"),
      map_calls<WeightNormLinear>("WeightNormLinear"),
      map_calls<SpectralNormLinear>("SpectralNormLinear"),
      dropout_calls(),
      undefined_rows("linear", {"x", "weight"}, {x, w}, [](const Tensors& t) { linear(t[0], t[1]); }),
      REFUSED(shape, linear(x, f32({3})), "linear: expected a weight [out, in], got [3]"),
      REFUSED(shape, linear(x, f32({4, 2})), "linear: expected [..., 2], got [2, 3]"),
      REFUSED(shape, linear(x, w, f32({3})), "linear: the weight [4, 3] needs a bias of shape [4]"),
      REFUSED(shape, linear(x, w, f32({1})), "needs a bias of shape [4], got [1]"),
      REFUSED(dtype, linear(x, f64({4, 3})), "linear: x is f32, but weight is f64"),
      REFUSED(dtype, linear(x, w, f64({4})), "linear: x is f32, but bias is f64"),
      REFUSED(graph, Embedding(2, 3)({}), "Embedding(2 x 3): forward: x is undefined"),
      REFUSED(dtype, Embedding(2, 3)(f32({2})), "ids must be i64, got f32"),
      REFUSED(value, Embedding(2, 3)(i64({2}) + 2), "id 2 is out of range; expected 0 … 1"),
      REFUSED(value, Embedding(2, 3)(i64({2}) - 1), "id -1 is out of range"),
      REFUSED(value, Embedding(2, 3)(from_vector(std::vector<int64_t>{INT64_MIN}, {1})), "id -9223372036854775808 is out of range"),
      undefined_rows("embedding", {"ids", "weight"}, {i64({2}), w}, [](const Tensors& t) { embedding(t[0], t[1]); }),
      REFUSED(dtype, embedding(f32({2}), w), "embedding: ids must be i64, got f32"),
      REFUSED(shape, embedding(i64({2}), f32({3})), "embedding: expected a weight [count, width], got [3]"),
      REFUSED(value, embedding(i64({2}) + 4, w), "embedding: id 4 is out of range; expected 0 … 3"),
      REFUSED(value, embedding(i64({2}), w, 4), "embedding: padding_id 4 is out of range; expected 0 … 3"),
      REFUSED(value, Embedding(2, 3, {.padding_id = 2}), "Embedding: padding_id 2 is out of range; expected 0 … 1"),
      REFUSED(value, Embedding(2, 3, {.padding_id = -1}), "Embedding: padding_id -1 is out of range; expected 0 … 1"),
      REFUSED(value, Embedding(0, 3), "Embedding: both sizes must be positive, got 0 rows of 3"),
      REFUSED(value, Embedding(3, -1), "Embedding: both sizes must be positive, got 3 rows of -1"),
      REFUSED(value, Embedding(INT64_MAX, 2), "Embedding: count must be at most 2⁴⁰"),
      REFUSED(value, Embedding(2, INT64_MAX), "Embedding: width must be at most 2⁴⁰"),
      REFUSED_EACH(Embedding(2, 3, bad), "Embedding: std", kNegative),
  };
}

BadCalls recurrent_calls() {
  return {recurrent<Elman>("Elman"), recurrent<GRU>("GRU"), recurrent<LSTM>("LSTM"),
          REFUSED_EACH(GRU(3, 2, {.layers = 2, .dropout = bad}), "GRU: dropout", kNoProbability)};
}

BadCalls init_calls() {
  BadCalls rows;
  const Tensor matrix = f32({2, 3});
  const auto normal = [](Tensor w, double std, double bound) { init_trunc_normal(w, std, bound); };
  const struct {
    std::string who, number;
    std::function<void(Tensor w, double number)> init;
    bool of_matrices = true;
  } functions[] = {
      {"init_normal", "std", [](Tensor w, double v) { init_normal(w, v); }, false},
      {"init_trunc_normal", "std", [](Tensor w, double v) { init_trunc_normal(w, v); }, false},
      {"init_xavier_normal", "the gain", [](Tensor w, double v) { init_xavier_normal(w, v); }},
      {"init_xavier_uniform", "the gain", [](Tensor w, double v) { init_xavier_uniform(w, v); }},
      {"init_kaiming_normal", "the gain", [](Tensor w, double v) { init_kaiming_normal(w, {.gain = v}); }},
      {"init_kaiming_uniform", "the gain", [](Tensor w, double v) { init_kaiming_uniform(w, {.gain = v}); }},
      {"init_orthogonal", "the gain", [](Tensor w, double v) { init_orthogonal(w, v); }},
      {"init_lecun_normal", "", [](Tensor w, double) { init_lecun_normal(w); }},
  };
  for (const auto& [who, number, function, of_matrices] : functions) {
    const auto init = function;
    rows += by(who, {REFUSED(graph, init({}, 1), "parameter is undefined"),
                     REFUSED(dtype, init(i64({2, 3}), 1), "needs a floating dtype, got i64")});
    if (of_matrices) rows += by(who, {REFUSED(shape, init(f32({3}), 1), "needs a matrix [out, in], got shape [3]")});
    if (number.empty()) continue;
    for (const double bad : kNegative.numbers) {
      const std::string said = fmt::format("{} must be finite and not negative, got {}", number, bad);
      rows += by(who, {REFUSED(value, init(matrix, bad), said, {matrix})});
    }
  }
  rows += REFUSED_EACH(normal(f32({2, 3}), 1, bad), "the bound must be at least 0.1", 1e-9, 0.0999, 0, -1, kNaN);
  rows += REFUSED_EACH(init_gain("leaky-relu", bad), "init_gain: the slope", kNotFinite);
  rows += REFUSED(value, init_gain("rellu"), "unknown activation 'rellu'; did you mean 'relu'?");
  for (const char* row : {"gpt2", "depth-scaled"}) {
    const auto make = [row](int64_t count) { inits().find(row).value({.added_sublayers = count}); };
    rows += of(row, REFUSED_EACH(make(bad), "InitOptions: added_sublayers must be positive", 0, -1));
  }
  return rows;
}

}  // namespace gradus::test
